import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { SecondStep as Step } from '../api/api-error.ts'
import { useConfig } from '../api/page-config.tsx'
import { useSessionState } from '../api/session.ts'
import type { LogoutReason } from '../api/session-link.ts'
import { useText } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { Dialog, DialogLead } from '../kit/dialog/dialog.tsx'
import { ErrorNote } from '../kit/feedback/note.tsx'
import { PasswordField, TextField } from '../kit/fields/text-field.tsx'
import type { PromptProps } from '../kit/dialog/prompt-stack.tsx'
import { CaptchaField, useCaptcha } from './captcha.tsx'
import { ProviderLinks } from './provider-ways.tsx'
import styles from './provider-ways.module.css'
import { SecondStep } from './second-step.tsx'
import { useLogin } from './use-login.ts'

interface SignInAgainQuestion {
  readonly username: string
  readonly reason: LogoutReason
}

/** Asks to sign in again over a page with unsaved changes, which are kept. Stays open until the user decides. */
export function SignInAgainPrompt({ username, reason, close }: SignInAgainQuestion & PromptProps<never>) {
  const t = useText()
  const isSuspended = useSessionState().status === 'suspended'
  const captcha = useCaptcha()
  const { Providers } = useConfig()
  const [step, setStep] = useState<Step>()
  const [isStepOver, setStepOver] = useState(false)
  const { submit, busy, problem, secondsToWait } = useLogin({
    mode: 'login',
    captcha,
    onSignedUp: () => undefined,
    onStep: setStep,
  })
  const restart = (): void => {
    setStep(undefined)
    setStepOver(true)
  }
  const [name, setName] = useState(username)
  const [password, setPassword] = useState('')
  const inputs = useRef<Partial<Record<string, HTMLInputElement | null>>>({})
  // The user may have signed in here or in another window.
  const leave = useEffectEvent(() => close())
  useEffect(() => {
    if (!isSuspended) leave()
  }, [isSuspended])

  const signIn = async (): Promise<void> => {
    const wrong = await submit({ username: name, password, repeated: '' })
    if (wrong !== undefined) inputs.current[wrong]?.select()
  }
  const errorAt = (field: string) => problem?.field === field && problem.text
  const leaveButton = (
    <DialogLead>
      <Button variant="danger-quiet" onClick={() => close()}>
        {t('session.leave')}
      </Button>
    </DialogLead>
  )
  if (step !== undefined)
    return (
      <Dialog alert title={t('session.againTitle')} footer={leaveButton}>
        <SecondStep step={step} onOver={restart} />
      </Dialog>
    )

  return (
    <Dialog
      alert
      title={t('session.againTitle')}
      onSubmit={() => void signIn()}
      footer={
        <>
          {leaveButton}
          <Button
            type="submit"
            variant="primary"
            progress={busy ? 'busy' : 'idle'}
            aria-disabled={secondsToWait > 0 || undefined}
          >
            {secondsToWait > 0 ? t('login.waitSeconds', { seconds: secondsToWait }) : t('login.submit')}
          </Button>
        </>
      }
    >
      <p>{t(reason === 'inactivity' ? 'session.againInactivity' : 'session.againEnded')}</p>
      <ErrorNote>{(problem && !problem.field && problem.text) ?? (isStepOver && t('login.stepOver'))}</ErrorNote>
      <TextField
        ref={(input) => {
          inputs.current['username'] = input
        }}
        label={t('login.username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={name}
        hint={name === username ? undefined : t('session.otherUser')}
        error={errorAt('username')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordField
        ref={(input) => {
          inputs.current['password'] = input
        }}
        label={t('login.password')}
        autoComplete="current-password"
        data-autofocus=""
        value={password}
        error={errorAt('password')}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {captcha && <CaptchaField captcha={captcha} />}
      {Providers !== undefined && (
        <div className={styles['links']}>
          <ProviderLinks inNewWindow />
        </div>
      )}
    </Dialog>
  )
}
