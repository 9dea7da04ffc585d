import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { SecondStep as Step } from '../api/api-error.ts'
import { useConfig, useLogo, useProductName, usePageTitle } from '../api/page-config.tsx'
import { useSessionState } from '../api/session.ts'
import { type MessageId, useText } from '../i18n/use-text.tsx'
import { Button } from '../kit/button/button.tsx'
import { Logo } from '../kit/icon/icon.tsx'
import { Note } from '../kit/feedback/note.tsx'
import { LazyBoundary, lazyComponent } from '../kit/lazy-component.tsx'
import { Solo } from '../kit/page/page.tsx'
import { safeRedirect } from '../lib/navigation/app-path.ts'
import { useNavigateTo, useSearchValue } from '../lib/navigation/navigation.tsx'
import { LoginForm } from './login-form.tsx'
import { type LoginMode, modeHref } from './use-login.ts'
import styles from './login-page.module.css'

const SecondStep = lazyComponent(async () => (await import('./second-step.tsx')).SecondStep)
const ProviderWays = lazyComponent(async () => (await import('./provider-ways.tsx')).ProviderWays)

const REASONS: Readonly<Record<string, MessageId>> = {
  inactivity: 'login.reasonInactivity',
  'link-expired': 'login.reasonLinkExpired',
  ended: 'login.reasonEnded',
}

export function LoginPage() {
  const t = useText()
  const { Maintenance, Signup, LoginPage: hasForm, Providers, Version } = useConfig()
  const product = useProductName()
  const redirect = useSearchValue('redirect')
  const wantedMode = useSearchValue('mode')
  const logoutReason = useSearchValue('logout-reason')
  const navigateTo = useNavigateTo()
  const queries = useQueryClient()
  const state = useSessionState()
  const [accountReady, setAccountReady] = useState(false)
  // Their code could not be fetched: the form is still there.
  const [withoutButtons, setWithoutButtons] = useState(false)
  // After a provider, the second step follows at once.
  const [step, setStep] = useState<Step | undefined>(state.status === 'signed-out' ? state.step : undefined)
  const [isStepOver, setStepOver] = useState(false)
  const signedIn = state.status === 'signed-in'
  const mode: LoginMode = hasForm && Signup && wantedMode === 'signup' ? 'signup' : 'login'
  usePageTitle(t(mode === 'signup' ? 'login.signUpForm' : 'login.pageTitle'))

  // Removes cached data of the user who signed out.
  useEffect(() => queries.removeQueries({ type: 'inactive' }), [queries])
  useEffect(() => {
    if (signedIn) navigateTo(safeRedirect(redirect), { replace: true })
  }, [signedIn, redirect, navigateTo])

  const showSignIn = () => {
    setAccountReady(true)
    navigateTo(modeHref('login', redirect), { replace: true })
  }

  const beginAgain = () => {
    setStep(undefined)
    setStepOver(true)
  }

  const reason = REASONS[logoutReason ?? (state.status === 'signed-out' ? state.reason : undefined) ?? '']
  const news = isStepOver ? 'login.stepOver' : accountReady ? 'login.accountReady' : reason
  const text = Maintenance === undefined ? news : 'maintenance.adminsOnly'
  const icon = Maintenance === undefined ? (accountReady ? 'ok' : 'clock') : 'alert'
  const notice = mode === 'login' && text !== undefined && (
    <Note icon={icon} role="status">
      {t(text)}
    </Note>
  )
  const hasWays = mode === 'login' && !withoutButtons && (Providers !== undefined || cameBackInVain())
  const form = hasForm ? (
    <LoginForm
      mode={mode}
      notice={!hasWays && notice}
      isSecondary={hasWays && Providers !== undefined}
      onSignedUp={showSignIn}
      onStep={setStep}
    />
  ) : (
    <NoForm notice={notice} />
  )
  return (
    <Solo footer={<span>{[product, Version].filter(Boolean).join(' ')}</span>}>
      <div className={styles['head']}>
        <Logo picture={useLogo()} size={56} />
        <h1>{t(mode === 'signup' ? 'login.signUpTitle' : 'login.title', { product })}</h1>
        <p className="muted">
          <bdi dir="ltr">{location.host}</bdi>
        </p>
      </div>
      {step !== undefined && (
        <div className={styles['card']}>
          <SecondStep step={step} onOver={beginAgain} />
        </div>
      )}
      {step === undefined && !hasWays && form}
      {step === undefined && hasWays && (
        <LazyBoundary onError={() => setWithoutButtons(true)}>
          <ProviderWays notice={notice} onStep={setStep}>
            {form}
          </ProviderWays>
        </LazyBoundary>
      )}
    </Solo>
  )
}

/** Whether a provider's answer is to be explained; perhaps that of one that was switched off meanwhile. */
function cameBackInVain(): boolean {
  return new URLSearchParams(location.hash.slice(1)).has('problem')
}

/** Sign-in by a proxy or hook instead of a form: reloading the page signs the user in. */
function NoForm({ notice }: { notice: ReactNode }) {
  const t = useText()
  return (
    <div className={styles['card']}>
      {notice}
      <Button variant="primary" size="large" block onClick={() => location.reload()}>
        {t('login.again')}
      </Button>
    </div>
  )
}
