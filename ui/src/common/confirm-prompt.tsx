import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useText } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { Dialog } from '../kit/dialog/dialog.tsx'
import { ErrorNote } from '../kit/feedback/note.tsx'
import { PasswordField } from '../kit/fields/text-field.tsx'
import { type PromptProps, usePrompt } from '../kit/dialog/prompt-stack.tsx'
import { problemOf } from './problem-text.ts'
import { Refusal } from './refusal.tsx'
import { useConfig } from '../api/page-config.tsx'
import { useUser } from '../api/session.ts'

interface ConfirmPromptProps {
  readonly title: string
  readonly text?: ReactNode
  /** The label of the main button. */
  readonly label: string
  /** The action is irreversible: the safe button has the focus. */
  readonly danger?: boolean | undefined
  readonly withPassword: boolean
  /** @throws ApiError */
  readonly send: (currentPassword: string | undefined) => Promise<unknown>
  /** Text of an error to show in the dialog; undefined closes the dialog and the caller shows the error. */
  readonly explain?: ((error: ApiError) => ReactNode) | undefined
}

/** Asks for confirmation, and for the user's password where the server requires it. */
function ConfirmPrompt(props: ConfirmPromptProps & PromptProps<true | ApiError>) {
  const { title, text, label, danger, withPassword, send, explain, close } = props
  const t = useText()
  const [password, setPassword] = useState('')
  const attempt = useMutation({
    mutationFn: async () => await send(withPassword ? password : undefined),
    onSuccess: () => close(true),
    onError: (error) => {
      if (error instanceof ApiError && isForCaller(error) && explain?.(error) === undefined) close(error)
    },
  })
  const { error } = attempt
  const isWrong = error instanceof ApiError && error.field === 'current_password'
  const problem =
    error !== null && !isWrong && (explanationOf(error, explain) ?? <Refusal problem={problemOf(error)} />)
  const submit = (): void => {
    if (!attempt.isPending && (!withPassword || password !== '')) attempt.mutate()
  }
  return (
    <Dialog
      alert={danger}
      title={title}
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <>
          <Button data-autofocus={danger && !withPassword ? '' : undefined} onClick={() => close()}>
            {t('files.cancel')}
          </Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            type="submit"
            disabled={withPassword && password === ''}
            progress={attempt.isPending ? 'busy' : 'idle'}
          >
            {label}
          </Button>
        </>
      }
    >
      {typeof text === 'string' ? <p>{text}</p> : text}
      {withPassword && (
        <PasswordField
          label={t('actions.currentPassword')}
          hint={t('actions.currentPasswordHint')}
          autoComplete="current-password"
          value={password}
          error={isWrong && t('actions.currentPasswordWrong')}
          onChange={(event) => {
            attempt.reset()
            setPassword(event.currentTarget.value)
          }}
        />
      )}
      <ErrorNote>{problem}</ErrorNote>
    </Dialog>
  )
}

/** False for errors that another try may solve, which the dialog shows: password, rate limit, connection. */
function isForCaller({ field, status }: ApiError): boolean {
  return field !== 'current_password' && status !== 429 && status !== 0
}

function explanationOf(error: Error, explain: ConfirmPromptProps['explain']): ReactNode {
  return error instanceof ApiError ? explain?.(error) : undefined
}

interface Confirmation extends Omit<ConfirmPromptProps, 'withPassword'> {
  /** Asks even if no password is needed. */
  readonly always?: boolean
  /** False if the server does not require the password. */
  readonly sensitive?: boolean
  /** An authentication program checks the password, so it is needed even where the server stores none. */
  readonly checkedByProgram?: boolean
}

/** Resolves with true when done, an error for the caller to show, or undefined when cancelled. */
export type Confirmed = (confirmation: Confirmation) => Promise<true | ApiError | undefined>

/** Whether the server asks for the user's password again before sensitive changes. */
export function useAsksPassword(): boolean {
  const { AuthMethod, NoAuth } = useConfig()
  const user = useUser()
  return AuthMethod === 'json' && !NoAuth && user?.noPassword !== true
}

/** Asks for the user's password again before sensitive changes, where the server knows passwords. */
export function useConfirmed(): Confirmed {
  const ask = usePrompt()
  const asksPassword = useAsksPassword()
  return useCallback(
    async ({ always = false, sensitive = true, checkedByProgram = false, ...question }) => {
      const withPassword = (asksPassword && sensitive) || checkedByProgram
      if (withPassword || always) return await ask(ConfirmPrompt, { ...question, withPassword })
      try {
        await question.send(undefined)
        return true
      } catch (error) {
        if (error instanceof ApiError) return error
        throw error
      }
    },
    [ask, asksPassword],
  )
}
