import { useConfig, useLogo, useProductName } from '../../api/page-config.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink, IconButton } from '../../kit/button/button.tsx'
import { Icon, Logo } from '../../kit/icon/icon.tsx'
import { Keys } from '../../kit/keyboard/shortcuts.tsx'
import { Slot } from '../../kit/page/slot.tsx'
import { classNames } from '../../lib/class-names.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useFilesPath, useLocation } from '../../lib/navigation/navigation.tsx'
import styles from './sidebar.module.css'
import { type Drawer, useDrawerFocus } from '../use-drawer.ts'
import { useOpenHelp } from '../use-help.ts'
import { useSession, useUser } from '../../api/session.ts'

/** Where to go, what to make, who is here. A drawer on narrow screens. */
export function Sidebar({ drawer }: { drawer: Drawer }) {
  const t = useText()
  const config = useConfig()
  const product = useProductName()
  const path = useFilesPath()
  const openHelp = useOpenHelp()
  const box = useDrawerFocus(drawer)
  return (
    <div
      ref={box}
      className={classNames(styles['sidebar'], drawer.open && styles['open'])}
      role={drawer.open ? 'dialog' : 'complementary'}
      aria-modal={drawer.open || undefined}
      aria-label={t('shell.sidebar')}
      tabIndex={-1}
    >
      <div className={styles['head']}>
        <AppLink to={filesHref('/')} className={styles['brand']} onClick={drawer.close}>
          <Logo picture={useLogo()} size={24} />
          <span className="clip">{product}</span>
        </AppLink>
        <IconButton className="only-narrow" icon="x" label={t('shell.closeMenu')} onClick={drawer.close} />
      </div>
      <Slot name="sidebar-actions" className={styles['make']} />
      <nav aria-label={t('shell.main')}>
        <ul className={styles['list']}>
          <li>
            <AppLink
              to={filesHref('/')}
              className={styles['item']}
              aria-current={path === undefined ? undefined : path === '/' ? 'page' : 'location'}
              data-folder="/"
              onClick={drawer.close}
            >
              <Icon name="home" />
              <span className="clip">{t('shell.myFiles')}</span>
            </AppLink>
          </li>
        </ul>
        <Slot name="sidebar-links" />
      </nav>
      <Slot name="sidebar-places" className={styles['places']} />
      <div className={styles['spacer']} />
      <Slot name="sidebar-usage" />
      <div className={styles['list']}>
        <Slot name="sidebar-settings" />
        <button type="button" className={styles['item']} aria-keyshortcuts="F1 ?" onClick={openHelp}>
          <Icon name="help" />
          <span className="clip">{t('shell.help')}</span>
          <span className={styles['end']}>
            <Keys keys="?" />
          </span>
        </button>
        <AccountRow onLeave={drawer.close} />
      </div>
      <div className={styles['version']}>{[product, config.Version].filter(Boolean).join(' ')}</div>
    </div>
  )
}

const PROFILE = '/settings/profile'

/** Who is signed in, with the way to the own settings, and the way out. */
function AccountRow({ onLeave }: { onLeave: () => void }) {
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
