import type { ReactNode } from 'react'
import { rootIcon, rootName } from '../../common/where.ts'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { AppLink, Button, buttonClass } from '../../kit/button/button.tsx'
import { Icon, type IconName, Logo } from '../../kit/icon/icon.tsx'
import styles from './error-screen.module.css'
import { useLogo, useProductName, usePageTitle } from '../../api/page-config.tsx'
import { Solo } from '../../kit/page/page.tsx'
import { filesHref } from '../../lib/navigation/app-path.ts'

interface ErrorContent {
  icon: IconName
  title: MessageId
  text: MessageId
}

const INTERNAL: ErrorContent = { icon: 'error', title: 'errors.internal', text: 'errors.internalText' }

const UNSHARED: ErrorContent = { icon: 'users', title: 'errors.unshared', text: 'errors.unsharedText' }

const CONTENTS: Readonly<Record<number, ErrorContent>> = {
  0: { icon: 'offline', title: 'errors.connection', text: 'errors.connectionText' },
  403: { icon: 'lock', title: 'errors.forbidden', text: 'errors.forbiddenText' },
  404: { icon: 'search', title: 'errors.notFound', text: 'errors.notFoundText' },
}

/** What cannot be reached is a disk or a bucket of its own, and nothing is wrong with the server. */
const AWAY: ErrorContent = { icon: 'offline', title: 'errors.away', text: 'errors.awayText' }

interface ErrorScreenProps {
  /** 0 for no connection; unknown codes are shown as 500. */
  status: number
  requestId?: string | undefined
  onRetry?: (() => void) | undefined
  /** It was something that others shared, and is not any more. */
  unshared?: boolean
  /** The name of the place that it is in, which cannot be reached now. */
  away?: string | undefined
  /** Target of the home link; without it there is none. */
  home?: string | undefined
  /** Additional buttons. */
  children?: ReactNode
}

/** An error page: what happened and what to do, by status. */
export function ErrorScreen(props: ErrorScreenProps) {
  const { status, requestId, onRetry, unshared = false, away, home, children } = props
  const t = useText()
  const content = unshared ? UNSHARED : away === undefined ? CONTENTS[status] : AWAY
  const { icon, title, text } = content ?? INTERNAL
  return (
    <div className={styles['screen']} role="alert">
      <span className={styles['disc']}>
        <Icon name={icon} size={28} />
      </span>
      <h1>{t(title, { name: away ?? '' })}</h1>
      <p>{t(text)}</p>
      <div className={styles['actions']}>
        {onRetry && (
          <Button variant="primary" icon="retry" onClick={onRetry}>
            {t(away === undefined ? 'errors.retry' : 'errors.lookAgain')}
          </Button>
        )}
        {home !== undefined && (
          <AppLink to={home} className={buttonClass({ variant: onRetry ? 'secondary' : 'primary' })}>
            <Icon name={rootIcon()} size={16} />
            {rootName(t)}
          </AppLink>
        )}
        {children}
      </div>
      {status > 0 && (
        <p className="tiny subtle num">
          {requestId === undefined
            ? t('errors.status', { status })
            : t('errors.statusAndRequest', { status, requestId })}
        </p>
      )}
    </div>
  )
}

/** Frame for error pages without a sign-in: the name of the site. */
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

/** Error pages with an address of their own. */
export function ErrorPage({ status }: { status: 403 | 404 | 500 }) {
  const t = useText()
  usePageTitle(t('errors.pageTitle'))
  return <ErrorScreen status={status} home="/files/" />
}
