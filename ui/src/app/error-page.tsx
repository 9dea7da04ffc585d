import { lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { useLogo, useProductName } from '../api/config.tsx'
import { useUser } from '../api/session-context.tsx'
import { usePageTitle } from '../api/use-page-title.ts'
import { useText } from '../i18n/use-text.tsx'
import { AppLink } from '../kit/button/app-link.tsx'
import { Logo } from '../kit/icon/icon.tsx'
import { Solo } from '../kit/page/page.tsx'
import { filesHref } from '../lib/app-path.ts'
import { ErrorScreen } from './error-screen.tsx'
import styles from './error-screen.module.css'

const SignedInLayout = lazyRouteComponent(() => import('./signed-in-layout.tsx'), 'SignedInLayout')

/** What is around the error pages: all of the page for who is signed in, and the name of the site for others. */
export function ErrorFrame() {
  const logo = useLogo()
  const name = useProductName()
  if (useUser() !== undefined) return <SignedInLayout />
  return (
    <Solo>
      <AppLink to={filesHref('/')} className={styles['brand']}>
        <Logo picture={logo} size={24} />
        <span className="clip">{name}</span>
      </AppLink>
      <Outlet />
    </Solo>
  )
}

/** The error screens that have an address of their own. */
export function ErrorPage({ status }: { status: 403 | 404 | 500 }) {
  const t = useText()
  usePageTitle(t('errors.pageTitle'))
  return <ErrorScreen status={status} home="/files/" />
}
