import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { PortalTarget } from '../../kit/page/portal.tsx'
import { JobsHost } from '../../files/jobs/jobs-host.tsx'
import { SearchHost } from '../../files/search/search-host.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { TerminalHost } from '../terminal/terminal-tool.tsx'
import styles from './header.module.css'

interface HeaderProps {
  menuOpen: boolean
  onOpenMenu: () => void
}

/** Breadcrumbs, search and the actions of the screen. */
export function Header({ menuOpen, onOpenMenu }: HeaderProps) {
  const t = useText()
  return (
    <header className={styles['bar']}>
      <IconButton
        className="only-narrow"
        icon="menu"
        label={t('shell.openMenu')}
        aria-haspopup="dialog"
        aria-expanded={menuOpen}
        onClick={onOpenMenu}
      />
      <Breadcrumbs />
      <div className={styles['actions']}>
        <SearchHost />
        <TerminalHost />
      </div>
      <div className={styles['actions']}>
        <JobsHost />
        <PortalTarget name="header-actions" className={styles['actions']} />
      </div>
    </header>
  )
}
