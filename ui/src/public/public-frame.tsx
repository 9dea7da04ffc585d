import type { ReactNode, RefObject } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useConfig, useLogo, useProductName } from '../api/page-config.tsx'
import { useUser } from '../api/session.ts'
import { type MessageId, useText } from '../i18n/use-text.tsx'
import { AppLink, Button, buttonClass, IconButton } from '../kit/button/button.tsx'
import { EmptyState } from '../kit/feedback/empty-state.tsx'
import { type IconName, Icon, Logo } from '../kit/icon/icon.tsx'
import { useTheme } from '../kit/contexts.ts'
import { filesHref } from '../lib/navigation/app-path.ts'
import { useStore } from '../lib/create-store.ts'
import { useMediaQuery } from '../lib/hooks.ts'
import card from './card.module.css'
import styles from './public-frame.module.css'

interface PublicFrameProps {
  /** Ref of the element that scrolls. */
  readonly scroll?: RefObject<HTMLDivElement | null> | undefined
  readonly children: ReactNode
}

/** The frame of every public page: brand, theme and sign-in links. */
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
        <nav className={styles['account']} aria-label={t('public.account')}>
          <AccountLinks />
        </nav>
      </header>
      <main className={styles['main']}>{children}</main>
      <footer className={styles['foot']}>{t('public.sharedWith', { product })}</footer>
    </div>
  )
}

function AccountLinks() {
  const t = useText()
  const user = useUser()
  const { LoginPage, HideLoginButton, Signup } = useConfig()
  const linkClass = buttonClass({ variant: 'ghost' })
  if (user !== undefined) {
    return (
      <AppLink to={filesHref('/')} className={linkClass}>
        {t('files.root')}
      </AppLink>
    )
  }
  if (!LoginPage || HideLoginButton) return null
  return (
    <>
      <AppLink to="/login" className={linkClass}>
        {t('login.submit')}
      </AppLink>
      {Signup && (
        <AppLink to="/login?mode=signup" className={linkClass}>
          {t('public.signUp')}
        </AppLink>
      )}
    </>
  )
}

/** Switches between light and dark. Until it is used the page follows the system. */
function ThemeButton() {
  const t = useText()
  const theme = useTheme()
  const choice = useStore(theme.choice)
  const systemIsDark = useMediaQuery('(prefers-color-scheme: dark)')
  const dark = choice === 'dark' || (choice === 'system' && systemIsDark)
  return (
    <IconButton
      icon={dark ? 'sun' : 'moon'}
      label={t(dark ? 'public.themeLight' : 'public.themeDark')}
      onClick={() => theme.choose(dark ? 'light' : 'dark')}
    />
  )
}

interface ProblemContent {
  readonly icon: IconName
  readonly title: MessageId
  readonly text: MessageId
}

const FAILED: ProblemContent = { icon: 'error', title: 'public.failedTitle', text: 'public.failedText' }

/** Expired, removed and unknown links look alike, so guessing links reveals nothing. */
const CONTENTS: Readonly<Record<number, ProblemContent>> = {
  0: { icon: 'offline', title: 'errors.connection', text: 'errors.connectionText' },
  403: { icon: 'lock', title: 'public.forbiddenTitle', text: 'public.forbiddenText' },
  404: { icon: 'unlink', title: 'public.goneTitle', text: 'public.goneText' },
}

/** Why a share link does not open, and what to do. */
export function ShareProblem({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const t = useText()
  const status = error instanceof ApiError ? error.status : 500
  const { icon, title, text } = CONTENTS[status] ?? FAILED
  const final = status === 403 || status === 404
  return (
    <div className={card['problem']}>
      <EmptyState
        heading="h1"
        role="alert"
        art={
          <span className={card['disc']}>
            <Icon name={icon} size={24} />
          </span>
        }
        title={t(title)}
        actions={
          <Button variant={final ? 'secondary' : 'primary'} icon="retry" onClick={onRetry}>
            {t('errors.retry')}
          </Button>
        }
      >
        <p>{t(text)}</p>
      </EmptyState>
    </div>
  )
}
