import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { PasswordField } from '../../kit/password-field.tsx'
import type { PromptProps } from '../../kit/prompt-stack.tsx'

interface PasswordQuestion {
  readonly title: string
  /** Why it is asked. */
  readonly text: string
  /** What happens then, such as "Save". */
  readonly action: string
  readonly danger?: boolean | undefined
  /** Does it with the password. What it throws about the password is said here, all other failures are thrown back. */
  readonly attempt: (password: string) => Promise<void>
}

/** What the server says about a wrong one. */
const WRONG = 'the current password is incorrect'

/** How the attempt ended; without it nothing was tried. */
interface Outcome {
  readonly failure?: Error
}

/** Asks for the own password before something that a stranger at an unlocked screen should not do. */
export function PasswordPrompt({
  title,
  text,
  action,
  danger,
  attempt,
  close,
}: PasswordQuestion & PromptProps<Outcome>) {
  const t = useText()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    if (password === '') {
      setProblem(t('form.passwordEmpty'))
      return
    }
    setBusy(true)
    try {
      await attempt(password)
      close({})
    } catch (error) {
      if (isAboutPassword(error)) {
        setProblem(error.message.endsWith(WRONG) ? t('form.passwordWrong') : error.message)
        setBusy(false)
      } else {
        close({ failure: error instanceof Error ? error : new Error(String(error)) })
      }
    }
  }
  return (
    <Dialog
      title={title}
      onClose={() => close()}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} progress={busy ? 'busy' : 'idle'}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <PasswordField
        label={t('form.passwordCurrent')}
        autoComplete="current-password"
        value={password}
        error={problem}
        onChange={(event) => {
          setProblem('')
          setPassword(event.currentTarget.value)
        }}
      />
    </Dialog>
  )
}

function isAboutPassword(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.field === 'current_password' || error.status === 429)
}
