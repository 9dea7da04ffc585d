import type { ReactNode } from 'react'
import { useLogo, useProductName } from '../api/config.tsx'
import { usePageTitle } from '../api/use-page-title.ts'
import { useText } from '../i18n/use-text.tsx'
import { AppLink } from '../kit/button/app-link.tsx'
import { Logo } from '../kit/icon/icon.tsx'
import { Solo } from '../kit/page/page.tsx'
import { filesHref } from '../lib/app-path.ts'
import { ErrorScreen } from './error-screen.tsx'
import styles from './error-screen.module.css'

/** What visitors see around an error page: the name of the site. */
export function SignedOutFrame({ children }: { readonly children: ReactNode }) {
  const logo = useLogo()
  const name = useProductName()
  return (
    <Solo>
      <AppLink to={filesHref('/')} className={styles['brand']}>
        <Logo picture={logo} size={24} />
        <span className="clip">{name}</span>
      </AppLink>
      {children}
    </Solo>
  )
}

/** The error screens that have an address of their own. */
export function ErrorPage({ status }: { status: 403 | 404 | 500 }) {
  const t = useText()
  usePageTitle(t('errors.pageTitle'))
  return <ErrorScreen status={status} home="/files/" />
}
