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
  return (
    <ConfirmDialog
      {...{ title, text, label, danger, problem }}
      busy={attempt.isPending}
      complete={!withPassword || password !== ''}
      hasInput={withPassword}
      onConfirm={() => attempt.mutate()}
      onClose={() => close()}
    >
      {withPassword && (
        <CurrentPasswordField
          hint={t('actions.currentPasswordHint')}
          value={password}
          wrong={isWrong}
          onChange={(next) => {
            attempt.reset()
            setPassword(next)
          }}
        />
      )}
    </ConfirmDialog>
  )
}

interface ConfirmDialogProps extends Pick<ConfirmPromptProps, 'title' | 'text' | 'label' | 'danger'> {
  readonly busy: boolean
  /** All is entered that confirms it. */
  readonly complete: boolean
  /** An input has the focus, rather than the safe button. */
  readonly hasInput: boolean
  readonly problem: ReactNode
  readonly children?: ReactNode
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** What is asked, what confirms it, why it failed, and the buttons. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, label, danger, busy, complete, hasInput, problem, children, onConfirm, onClose } = props
  const t = useText()
  return (
    <Dialog
      alert={danger}
      title={title}
      onClose={onClose}
      onSubmit={() => {
        if (!busy && complete) onConfirm()
      }}
      footer={
        <>
          <Button data-autofocus={danger && !hasInput ? '' : undefined} onClick={onClose}>
            {t('files.cancel')}
          </Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            type="submit"
            disabled={!complete}
            progress={busy ? 'busy' : 'idle'}
          >
            {label}
          </Button>
        </>
      }
    >
      {typeof text === 'string' ? <p>{text}</p> : text}
      {children}
      <ErrorNote>{problem}</ErrorNote>
    </Dialog>
  )
}

interface CurrentPasswordFieldProps {
  readonly hint?: string
  readonly value: string
  readonly wrong: boolean
  readonly onChange: (value: string) => void
}

export function CurrentPasswordField({ hint, value, wrong, onChange }: CurrentPasswordFieldProps) {
  const t = useText()
  return (
    <PasswordField
      label={t('actions.currentPassword')}
      hint={hint}
      autoComplete="current-password"
      value={value}
      error={wrong && t('actions.currentPasswordWrong')}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
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
