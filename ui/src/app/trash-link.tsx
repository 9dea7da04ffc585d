import { useRouterState } from '@tanstack/react-router'
import { useUser } from '../api/session-context.tsx'
import styles from '../features/shell/sidebar.module.css'
import { useText } from '../i18n/use-text.tsx'
import { AppLink } from '../kit/app-link.tsx'
import { Icon } from '../kit/icon.tsx'
import { Fill } from '../kit/slot.tsx'

/** The way to the trash, for those who may delete. */
export function TrashLink() {
  const t = useText()
  const isHere = useRouterState({ select: ({ location }) => location.pathname.endsWith('/trash') })
  if (useUser()?.perm.delete !== true) return null
  return (
    <Fill slot="sidebar-links">
      <ul className={styles['list']}>
        <li>
          <AppLink to="/trash" className={styles['item']} aria-current={isHere ? 'page' : undefined}>
            <Icon name="trash" />
            <span className="clip">{t('trash.title')}</span>
          </AppLink>
        </li>
      </ul>
    </Fill>
  )
}
