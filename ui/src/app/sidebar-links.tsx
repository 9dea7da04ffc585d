import { useUser } from '../api/session.ts'
import styles from '../shell/sidebar/sidebar.module.css'
import { type MessageId, useText } from '../i18n/use-text.tsx'
import { AppLink } from '../kit/button/button.tsx'
import { Icon, type IconName } from '../kit/icon/icon.tsx'
import { useLocation } from '../lib/navigation/navigation.tsx'
import { Fill } from '../kit/page/slot.tsx'

/** Sidebar links to the screens that the user may open. */
export function SidebarLinks() {
  const path = useLocation().pathname
  const { admin, share, download, delete: mayDelete } = useUser()?.perm ?? {}
  return (
    <>
      <Fill slot="sidebar-links">
        <ul className={styles['list']}>
          {share && download && (
            <SidebarLink
              to="/settings/shares"
              icon="share"
              words="shell.shares"
              current={path === '/settings/shares'}
            />
          )}
          {mayDelete && <SidebarLink to="/trash" icon="trash" words="trash.title" current={path === '/trash'} />}
        </ul>
      </Fill>
      {admin && (
        <Fill slot="sidebar-settings">
          <ul className={styles['list']}>
            <SidebarLink
              to="/settings/global"
              icon="sliders"
              words="shell.settings"
              current={/^\/settings\/(global|users|activity)/.test(path)}
            />
          </ul>
        </Fill>
      )}
    </>
  )
}

interface SidebarLinkProps {
  readonly to: string
  readonly icon: IconName
  readonly words: MessageId
  readonly current: boolean
}

function SidebarLink({ to, icon, words, current }: SidebarLinkProps) {
  const t = useText()
  return (
    <li>
      <AppLink to={to} className={styles['item']} aria-current={current ? 'page' : undefined}>
        <Icon name={icon} />
        <span className="clip">{t(words)}</span>
      </AppLink>
    </li>
  )
}
