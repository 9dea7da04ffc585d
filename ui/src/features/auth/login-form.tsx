import type { SubmitEvent } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button.tsx'
import { Note } from '../../kit/note.tsx'
import { PasswordField } from '../../kit/password-field.tsx'
import { TextField } from '../../kit/text-field.tsx'
import styles from './login-page.module.css'
import { useLogin } from './use-login.ts'

export function LoginForm({ notice }: { notice: string | undefined }) {
  const t = useText()
  const { submit, busy, problem, secondsToWait } = useLogin()

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { elements } = event.currentTarget
    const wrongField = await submit(valueOf(elements, 'username'), valueOf(elements, 'password'))
    const field = wrongField && elements.namedItem(wrongField)
    if (!(field instanceof HTMLInputElement)) return
    field.focus()
    field.select()
  }

  return (
    <form
      className={styles['card']}
      aria-label={t('login.form')}
      noValidate
      onSubmit={(event) => void handleSubmit(event)}
    >
      {notice && (
        <Note icon="clock" role="status">
          {notice}
        </Note>
      )}
      {problem && !problem.field && (
        <Note icon="error" tone="danger" role="alert">
          {problem.text}
        </Note>
      )}
      <TextField
        label={t('login.username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        error={problem?.field === 'username' && problem.text}
      />
      <PasswordField
        label={t('login.password')}
        name="password"
        autoComplete="current-password"
        required
        error={problem?.field === 'password' && problem.text}
      />
      <Button
        type="submit"
        variant="primary"
        size="large"
        block
        progress={busy ? 'busy' : 'idle'}
        aria-disabled={secondsToWait > 0 || undefined}
      >
        {secondsToWait > 0 ? t('login.waitSeconds', { seconds: secondsToWait }) : t('login.submit')}
      </Button>
    </form>
  )
}

function valueOf(elements: HTMLFormControlsCollection, name: string): string {
  const field = elements.namedItem(name)
  return field instanceof HTMLInputElement ? field.value : ''
}
