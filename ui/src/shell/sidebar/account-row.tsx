import { useConfig } from '../../api/config.tsx'
import { useSession, useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink } from '../../kit/button/app-link.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { useLocation } from '../../lib/navigation.tsx'
import styles from './sidebar.module.css'

const PROFILE = '/settings/profile'

/** Who is signed in, with the way to the own settings, and the way out. */
export function AccountRow({ onLeave }: { onLeave: () => void }) {
  const t = useText()
  const user = useUser()
  const session = useSession()
  const { LoginPage, LogoutPage, NoAuth } = useConfig()
  const isHere = useLocation().pathname === PROFILE
  if (user === undefined) return null
  return (
    <div className={styles['account']}>
      <AppLink to={PROFILE} className={styles['item']} aria-current={isHere ? 'page' : undefined} onClick={onLeave}>
        <span className={styles['avatar']} aria-hidden="true">
          {initialOf(user.username)}
        </span>
        <bdi className="clip">{user.username}</bdi>
        <span className="visually-hidden">{t('shell.profile')}</span>
      </AppLink>
      {(LoginPage || LogoutPage !== '/login') && !NoAuth && (
        <IconButton icon="logout" flipIcon label={t('shell.logout')} onClick={() => void session.signOut()} />
      )}
    </div>
  )
}

function initialOf(name: string): string {
  return [...name][0]?.toUpperCase() ?? ''
}
