import { type SubmitEvent, useState } from 'react'
import { signInAtDirectory } from '../../../src/api/accounts/directories.ts'
import type { ApiError, SecondStep } from '../api/api-error.ts'
import { useClient } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { waysProblem } from '../common/ways-problem.ts'
import { RichText, useText, useTextPart } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { ErrorNote } from '../kit/feedback/note.tsx'
import { PasswordField, TextField } from '../kit/fields/text-field.tsx'
import { CaptchaField, useCaptcha } from './captcha.tsx'
import styles from './provider-ways.module.css'
import { type Credentials, useLogin } from './use-login.ts'

interface DirectoryFormProps {
  readonly id: string
  readonly name: string
  readonly onBack: () => void
  readonly onStep: (step: SecondStep) => void
}

/** Name and password of a directory. */
export function DirectoryForm({ id, name, onBack, onStep }: DirectoryFormProps) {
  useTextPart('ways')
  useTextPart('directories')
  const t = useText()
  const client = useClient()
  const session = useSession()
  const captcha = useCaptcha()
  const [reason, setReason] = useState('')
  const [password, setPassword] = useState('')
  const signIn = async (credentials: Credentials) => {
    setReason('')
    await session.signInWith(client.call(signInAtDirectory, { params: { id }, body: credentials }))
  }
  const explain = (error: ApiError): boolean => {
    setReason(error.reason ?? '')
    return error.reason !== undefined
  }
  const login = useLogin({ mode: 'login', captcha, onSignedUp: () => undefined, onStep, signIn, explain })
  const { submit, busy, problem, secondsToWait } = login

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { elements } = event.currentTarget
    const typed = elements.namedItem('username')
    const username = typed instanceof HTMLInputElement ? typed.value : ''
    const wrong = await submit({ username, password, repeated: '' })
    const field = wrong && elements.namedItem(wrong)
    if (!(field instanceof HTMLInputElement)) return
    field.focus()
    field.select()
  }

  const errorAt = (field: string) => problem?.field === field && problem.text
  return (
    <form
      className={styles['directory']}
      aria-labelledby="directory"
      noValidate
      onSubmit={(event) => void handleSubmit(event)}
    >
      <h2 id="directory">{t('directories.signIn', { name })}</h2>
      <ErrorNote>
        {reason === '' ? (
          problem && !problem.field && problem.text
        ) : (
          <RichText id={waysProblem(reason)} values={{ name }} elements={[<b key="0" className="strong" />]} />
        )}
      </ErrorNote>
      <TextField
        label={t('login.username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        autoFocus
        required
        error={errorAt('username')}
      />
      <PasswordField
        label={t('login.password')}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        error={errorAt('password')}
      />
      {captcha && <CaptchaField captcha={captcha} />}
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
      <Button variant="ghost" className={styles['fold']} onClick={onBack}>
        {t('directories.otherWays')}
      </Button>
    </form>
  )
}
