import { SharedCount } from '../../files/share/granted/shared-count.tsx'
import type { ReactNode } from 'react'
import { isSharedPath } from '../../../../src/domain/shares/shared-folder.ts'
import { useConfig, useLogo, useProductName } from '../../api/page-config.tsx'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { AppLink, IconButton } from '../../kit/button/button.tsx'
import { Icon, type IconName, Logo } from '../../kit/icon/icon.tsx'
import { Later } from '../../kit/later.tsx'
import { classNames } from '../../lib/class-names.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useFilesPath, useLocation } from '../../lib/navigation/navigation.tsx'
import { hasPlaces, places } from '../../api/places.ts'
import { usePermissionsAnywhere } from '../../api/permissions.ts'
import { rootIcon, rootName } from '../../common/where.ts'
import { LazyBoundary, lazyComponent } from '../../kit/lazy-component.tsx'
import { useStore } from '../../lib/create-store.ts'
import { FolderSections } from './folder-sections.tsx'
import styles from './sidebar.module.css'
import { type Drawer, useDrawerFocus } from '../use-drawer.ts'
import { useSession, useUser } from '../../api/session.ts'
import { useQuery } from '@tanstack/react-query'
import { getUsage } from '../../../../src/api/files/usage.ts'
import { useClient } from '../../api/client.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { NewButtons } from '../../files/list/commands/folder-buttons.tsx'
import { Meter, QuotaMeter } from '../../files/storage/meter.tsx'

const PlaceLinks = lazyComponent(async () => (await import('./place-links.tsx')).PlaceLinks)

/** Links, folders, disk usage and the signed-in user. A drawer on narrow screens. */
export function Sidebar({ drawer }: { drawer: Drawer }) {
  const t = useText()
  const config = useConfig()
  const product = useProductName()
  const path = useFilesPath()
  const { pathname } = useLocation()
  const perm = usePermissionsAnywhere()
  const lists = useStore(places) !== undefined
  const isShared = path !== undefined && isSharedPath(path)
  const isIn = path !== undefined && !isShared && (path === '/' || !lists)
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
      <div className={styles['middle']}>
        <NewButtons className={styles['make']} />
        <nav aria-label={t('shell.main')}>
          <ul className={styles['list']}>
            <li>
              <AppLink
                to={filesHref('/')}
                className={styles['item']}
                aria-current={isIn ? (path === '/' ? 'page' : 'location') : undefined}
                data-folder="/"
                onClick={drawer.close}
              >
                <Icon name={rootIcon()} />
                <span className="clip">{rootName(t)}</span>
              </AppLink>
            </li>
            <li>
              <ScreenLink
                to="/shared"
                icon="users"
                text="shell.sharedWithMe"
                current={isShared || pathname === '/shared'}
                end={<SharedCount />}
              />
            </li>
            {perm.share && perm.download && (
              <li>
                <ScreenLink
                  to="/settings/shares"
                  icon="share"
                  text="shell.shares"
                  current={pathname === '/settings/shares'}
                />
              </li>
            )}
            {perm.delete && (
              <li>
                <ScreenLink to="/trash" icon="trash" text="trash.title" current={pathname === '/trash'} data-trash="" />
              </li>
            )}
          </ul>
        </nav>
        <div className={styles['folders']}>
          <Later>
            {lists && (
              <LazyBoundary>
                <PlaceLinks />
              </LazyBoundary>
            )}
            <FolderSections />
          </Later>
        </div>
        <div className={styles['spacer']} />
        {!config.DisableUsedPercentage && path !== undefined && (
          <Later>
            <UsageBar path={path} onLeave={drawer.close} />
          </Later>
        )}
      </div>
      <div className={styles['list']}>
        {perm.admin && (
          <ScreenLink to="/settings/global" icon="sliders" text="shell.settings" current={isAdminPage(pathname)} />
        )}
        <ScreenLink to="/help" icon="help" text="shell.help" current={/^\/help(\/|$)/.test(pathname)} />
        <AccountRow onLeave={drawer.close} />
      </div>
      <div className={styles['version']}>{[product, config.Version].filter(Boolean).join(' ')}</div>
    </div>
  )
}

interface ScreenLinkProps {
  readonly to: string
  readonly icon: IconName
  readonly text: MessageId
  readonly current: boolean
  readonly end?: ReactNode
  /** Takes dragged entries. */
  readonly 'data-trash'?: string
}

function ScreenLink({ to, icon, text, current, end, ...rest }: ScreenLinkProps) {
  const t = useText()
  return (
    <AppLink {...rest} to={to} className={styles['item']} aria-current={current ? 'page' : undefined}>
      <Icon name={icon} />
      <span className="clip">{t(text)}</span>
      {end !== undefined && (
        <span className={styles['end']}>
          <Later>{end}</Later>
        </span>
      )}
    </AppLink>
  )
}

function isAdminPage(pathname: string): boolean {
  return /^\/settings\/(global|users|activity)/.test(pathname)
}

const PROFILE = '/settings/profile'

/** The signed-in user, with a link to their settings and a sign-out button. */
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

/** How full the quota of the user is, or else the disk of the open folder, once that is known. Leads to what takes the room. */
function UsageBar({ path, onLeave }: { path: string; onLeave: () => void }) {
  const t = useText()
  const format = useFormat()
  const client = useClient()
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const { data: usage } = useQuery({
    queryKey: ['usage', folder],
    queryFn: ({ signal }) => client.call(getUsage, { params: { '*': folder }, signal }),
    placeholderData: (previous) => previous,
    throwOnError: false,
  })
  // Disks of several places have no sum.
  if (folder === '/' && hasPlaces() && usage?.quota === undefined) return null
  if (usage === undefined || (usage.quota === undefined && usage.total === 0)) return null
  const { used, total, quota } = usage
  const text = t('shell.usage', { used: format.bytes(used), total: format.bytes(total) })
  return (
    <AppLink to={`${filesHref(folder)}?storage`} className={styles['usage']} onClick={onLeave}>
      {quota === undefined ? (
        <Meter label={t('shell.storage')} share={used / total} text={text} />
      ) : (
        <QuotaMeter quota={quota} />
      )}
    </AppLink>
  )
}
