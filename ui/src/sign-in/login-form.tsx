import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { isPredictable } from '../../../src/domain/accounts/predictable-password.ts'
import type { SecondStep } from '../api/api-error.ts'
import { useClient } from '../api/client.ts'
import { useConfig } from '../api/page-config.tsx'
import { passwordRulesQuery } from '../api/password-rules.ts'
import { RichText, useText } from '../i18n/use-text.tsx'
import { AppLink, Button } from '../kit/button/button.tsx'
import { ErrorNote } from '../kit/feedback/note.tsx'
import { PasswordField, TextField } from '../kit/fields/text-field.tsx'
import { CaptchaField, useCaptcha } from './captcha.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { type LoginMode, modeHref, useLogin } from './use-login.ts'
import { useSearchValue } from '../lib/navigation/navigation.tsx'
import styles from './login-page.module.css'

interface LoginFormProps {
  mode: LoginMode
  notice: ReactNode
  /** The buttons of providers come first. */
  isSecondary: boolean
  /** The account was created, but the user is not signed in yet. */
  onSignedUp: () => void
  onStep: (step: SecondStep) => void
}

/** One form for signing in and signing up, so input survives a switch between the two. */
export function LoginForm({ mode, notice, isSecondary, onSignedUp, onStep }: LoginFormProps) {
  const t = useText()
  const captcha = useCaptcha()
  const { submit, busy, problem, secondsToWait } = useLogin({ mode, captcha, onSignedUp, onStep })
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const isNew = mode === 'signup'
  const advice = usePasswordAdvice(password)

  const handleSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { elements } = event.currentTarget
    const wrongField = await submit({ username: valueOf(elements, 'username'), password, repeated })
    const field = wrongField && elements.namedItem(wrongField)
    if (!(field instanceof HTMLInputElement)) return
    field.focus()
    field.select()
  }

  const errorAt = (field: string) => problem?.field === field && problem.text
  return (
    <form
      className={styles['card']}
      aria-label={t(isNew ? 'login.signUpForm' : 'login.form')}
      noValidate
      onSubmit={(event) => void handleSubmit(event)}
    >
      {notice}
      <ErrorNote>{problem && !problem.field && problem.text}</ErrorNote>
      <TextField
        label={t('login.username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        autoFocus={!isSecondary}
        required
        error={errorAt('username')}
      />
      <PasswordField
        key={mode}
        label={t('login.password')}
        name="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        hint={isNew && advice}
        error={errorAt('password')}
      />
      {isNew && (
        <PasswordField
          label={t('login.repeat')}
          name="repeated"
          autoComplete="new-password"
          required
          value={repeated}
          onChange={(event) => setRepeated(event.target.value)}
          matched={repeated !== '' && repeated === password}
          error={errorAt('repeated')}
        />
      )}
      {captcha && <CaptchaField captcha={captcha} />}
      <Button
        type="submit"
        variant={isSecondary ? 'secondary' : 'primary'}
        size="large"
        block
        progress={busy ? 'busy' : 'idle'}
        aria-disabled={secondsToWait > 0 || undefined}
      >
        {secondsToWait > 0
          ? t('login.waitSeconds', { seconds: secondsToWait })
          : t(isNew ? 'login.signUpSubmit' : 'login.submit')}
      </Button>
      {!isNew && !isSecondary && <PasskeyButton />}
      <ModeLink mode={mode} />
    </form>
  )
}

/** The link to the other mode, where sign-up is enabled. */
function ModeLink({ mode }: { mode: LoginMode }) {
  const { Signup } = useConfig()
  const redirect = useSearchValue('redirect')
  if (!Signup) return null
  const other = mode === 'signup' ? 'login' : 'signup'
  const link = <AppLink key="0" className="link touch" to={modeHref(other, redirect)} />
  return (
    <p className={styles['other']}>
      {mode === 'signup' ? (
        <RichText id="login.haveAccount" elements={[link]} />
      ) : (
        <RichText id="login.newHere" elements={[link]} />
      )}
    </p>
  )
}

function valueOf(elements: HTMLFormControlsCollection, name: string): string {
  const field = elements.namedItem(name)
  return field instanceof HTMLInputElement ? field.value : ''
}

/** What a new password still lacks, while the user is typing. */
function usePasswordAdvice(password: string): string {
  const t = useText()
  const { data } = useQuery({ ...passwordRulesQuery(useClient()), enabled: useConfig().Signup })
  if (data === undefined) return ''
  const least = data.minimumLength
  // Counts bytes, like the server: letters of other scripts have more than one.
  const missing = least - new TextEncoder().encode(password).length
  if (password === '') return t('login.adviceStart', { count: least })
  if (missing > 0) return t('login.adviceMissing', { count: missing })
  return t(isPredictable(password) ? 'login.advicePredictable' : 'login.adviceGood')
}
