import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { Note } from '../../../kit/feedback/note.tsx'
import { PasswordField } from '../../../kit/fields/text-field.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { problemOf, problemText } from '../problem-text.ts'

export interface ConfirmPromptProps {
  readonly title: string
  readonly text?: ReactNode
  /** On the main button: what happens. */
  readonly label: string
  /** It cannot be taken back: the safe button has the focus. */
  readonly danger?: boolean | undefined
  readonly withPassword: boolean
  /** @throws ApiError */
  readonly send: (currentPassword: string | undefined) => Promise<unknown>
  /** The sentence for a refusal that is to be read here; without one the prompt closes, and the asker shows it. */
  readonly explain?: ((error: ApiError) => ReactNode) | undefined
}

/** Asks whether somebody is sure, and for the own password where the server wants to know who it is. */
export function ConfirmPrompt(props: ConfirmPromptProps & PromptProps<true | ApiError>) {
  const { title, text, label, danger, withPassword, send, explain, close } = props
  const t = useText()
  const [password, setPassword] = useState('')
  const attempt = useMutation({
    mutationFn: async () => await send(withPassword ? password : undefined),
    onSuccess: () => close(true),
    onError: (error) => {
      if (error instanceof ApiError && isForAsker(error) && explain?.(error) === undefined) close(error)
    },
  })
  const { error } = attempt
  const isWrong = error instanceof ApiError && error.field === 'current_password'
  const problem = error !== null && !isWrong && (explanationOf(error, explain) ?? problemText(t, problemOf(error)))
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
          label={t('work.currentPassword')}
          hint={t('work.currentPasswordHint')}
          autoComplete="current-password"
          value={password}
          error={isWrong && t('work.currentPasswordWrong')}
          onChange={(event) => {
            attempt.reset()
            setPassword(event.currentTarget.value)
          }}
        />
      )}
      {problem && (
        <Note icon="error" tone="danger" role="alert">
          {problem}
        </Note>
      )}
    </Dialog>
  )
}

/** What concerns the password, how often it was tried, or the connection is told here: another try may do. */
function isForAsker({ field, status }: ApiError): boolean {
  return field !== 'current_password' && status !== 429 && status !== 0
}

function explanationOf(error: Error, explain: ConfirmPromptProps['explain']): ReactNode {
  return error instanceof ApiError ? explain?.(error) : undefined
}
