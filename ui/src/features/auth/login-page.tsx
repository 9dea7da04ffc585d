import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useConfig, useProductName } from '../../api/config.tsx'
import { useSessionState } from '../../api/session-context.tsx'
import { usePageTitle } from '../../api/use-page-title.ts'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { Icon } from '../../kit/icon.tsx'
import { Solo } from '../../kit/solo.tsx'
import { safeRedirect } from '../../lib/app-path.ts'
import { useNavigateTo } from '../../lib/use-navigate-to.ts'
import { LoginForm } from './login-form.tsx'
import styles from './login-page.module.css'

const REASONS: Readonly<Record<string, MessageId>> = {
  inactivity: 'login.reasonInactivity',
  'link-expired': 'login.reasonLinkExpired',
  ended: 'login.reasonEnded',
}

export function LoginPage() {
  const t = useText()
  const config = useConfig()
  const product = useProductName()
  const search = useSearch({ strict: false })
  const navigateTo = useNavigateTo()
  const state = useSessionState()
  const signedIn = state.status === 'signed-in'
  usePageTitle(t('login.pageTitle'))

  useEffect(() => {
    if (signedIn) navigateTo(safeRedirect(search.redirect), { replace: true })
  }, [signedIn, search.redirect, navigateTo])

  const reason = REASONS[search['logout-reason'] ?? (state.status === 'signed-out' ? state.reason : undefined) ?? '']
  return (
    <Solo footer={<span>{[product, config.Version].filter(Boolean).join(' ')}</span>}>
      <div className={styles['head']}>
        <Icon name="logo" size={56} />
        <h1>{t('login.title', { product })}</h1>
        <p className="muted">
          <bdi dir="ltr">{location.host}</bdi>
        </p>
      </div>
      <LoginForm notice={reason && t(reason)} />
    </Solo>
  )
}
