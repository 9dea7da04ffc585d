import { useText } from '../i18n/use-text.tsx'
import { IconButton } from '../kit/button/button.tsx'
import { Slot } from '../kit/page/slot.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import styles from './header.module.css'

interface HeaderProps {
  menuOpen: boolean
  onOpenMenu: () => void
}

/** Where we are, and what the screen puts beside it. */
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
      <Slot name="find" className={styles['actions']} />
      <Slot name="header-actions" className={styles['actions']} />
    </header>
  )
}
