import type { ReactNode, RefObject } from 'react'
import { useConfig, useLogo, useProductName } from '../api/config.tsx'
import { useUser } from '../api/session-context.tsx'
import { useText } from '../i18n/use-text.tsx'
import { AppLink } from '../kit/button/app-link.tsx'
import { buttonClass } from '../kit/button/button.tsx'
import { Logo } from '../kit/icon/icon.tsx'
import { filesHref } from '../lib/app-path.ts'
import styles from './public-frame.module.css'
import { ThemeButton } from './theme-button.tsx'

interface PublicFrameProps {
  /** What scrolls. */
  readonly scroll?: RefObject<HTMLDivElement | null> | undefined
  readonly children: ReactNode
}

/** Around everything that a visitor sees: whose page it is, and the way in for those who have an account. */
export function PublicFrame({ scroll, children }: PublicFrameProps) {
  const t = useText()
  const product = useProductName()
  return (
    <div ref={scroll} className={styles['frame']}>
      <header className={styles['bar']}>
        <span className={styles['brand']}>
          <Logo picture={useLogo()} size={24} />
          <span className="clip">{product}</span>
        </span>
        <span className="grow" />
        <ThemeButton />
        <nav className={styles['ways']} aria-label={t('public.account')}>
          <WaysIn />
        </nav>
      </header>
      <main className={styles['main']}>{children}</main>
      <footer className={styles['foot']}>{t('public.sharedWith', { product })}</footer>
    </div>
  )
}

function WaysIn() {
  const t = useText()
  const user = useUser()
  const { LoginPage, HideLoginButton, Signup } = useConfig()
  const look = buttonClass({ variant: 'ghost' })
  if (user !== undefined) {
    return (
      <AppLink to={filesHref('/')} className={look}>
        {t('files.root')}
      </AppLink>
    )
  }
  if (!LoginPage || HideLoginButton) return null
  return (
    <>
      <AppLink to="/login" className={look}>
        {t('public.signIn')}
      </AppLink>
      {Signup && (
        <AppLink to="/login?mode=signup" className={look}>
          {t('public.signUp')}
        </AppLink>
      )}
    </>
  )
}
