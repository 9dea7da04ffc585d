import type { ReactNode } from 'react'
import { useUser } from '../api/session.ts'
import { useText } from '../i18n/use-text.tsx'
import { buttonClass, IconButton } from '../kit/button/button.tsx'
import { lazyPrompt, usePrompt } from '../kit/dialog/prompt-stack.tsx'
import { useShortcuts } from '../kit/keyboard/shortcuts.tsx'
import { LazyBoundary, lazyComponent } from '../kit/lazy-component.tsx'
import { Later } from '../kit/later.tsx'
import { PortalTarget } from '../kit/page/portal.tsx'
import { classNames } from '../lib/class-names.ts'
import styles from './main-layout.module.css'
import { MaintenanceBanner, OfflineBanner } from './banners.tsx'
import { Sidebar } from './sidebar/sidebar.tsx'
import { useDrawer } from './use-drawer.ts'
import { HeaderUpload } from '../files/list/commands/folder-buttons.tsx'
import { JobsHost } from '../files/jobs/jobs-host.tsx'
import { SearchHost } from '../files/search/search-host.tsx'
import { Breadcrumbs } from './header/breadcrumbs.tsx'
import { Bell } from './notices/bell.tsx'
import { TerminalHost } from './terminal/terminal-tool.tsx'

const FactorBanner = lazyComponent(async () => (await import('./factor-banner.tsx')).FactorBanner)
const HelpPrompt = lazyPrompt(async () => (await import('./help/help-prompt.tsx')).HelpPrompt)

/** Sidebar, header and the sheet that holds the screen. */
export function MainLayout({ children }: { readonly children: ReactNode }) {
  const t = useText()
  const drawer = useDrawer()
  const factorDue = useUser()?.factorDue
  useHelpShortcuts()
  return (
    <>
      <a className={classNames(styles['skip'], buttonClass({ variant: 'primary' }))} href="#main">
        {t('shell.skip')}
      </a>
      <div className={styles['app']}>
        <Sidebar drawer={drawer} />
        {drawer.open && <div className={styles['scrim']} onClick={drawer.close} aria-hidden="true" />}
        <main className={styles['main']} id="main" tabIndex={-1} inert={drawer.open}>
          <PortalTarget name="progress" className={styles['progress']} />
          <OfflineBanner />
          <MaintenanceBanner />
          {factorDue !== undefined && (
            <LazyBoundary>
              <FactorBanner due={factorDue} />
            </LazyBoundary>
          )}
          <Header onOpenMenu={drawer.show} menuOpen={drawer.open} />
          {children}
          <PortalTarget name="dock" className={styles['dock']} />
        </main>
      </div>
      <PortalTarget name="panels" className={styles['panels']} />
    </>
  )
}

function useHelpShortcuts(): void {
  const t = useText()
  const ask = usePrompt()
  const openHelp = () => void ask(HelpPrompt, {})
  useShortcuts([
    { keys: 'F1', label: t('help.title'), group: 'act', icon: 'help', run: openHelp, inFields: true },
    { keys: '?', label: t('help.title'), group: 'act', run: openHelp },
  ])
}

interface HeaderProps {
  menuOpen: boolean
  onOpenMenu: () => void
}

/** Breadcrumbs, search and the actions of the screen. */
function Header({ menuOpen, onOpenMenu }: HeaderProps) {
  const t = useText()
  return (
    <header className={styles['header']}>
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
        <Later>
          <JobsHost />
        </Later>
        <Bell />
        <HeaderUpload />
      </div>
    </header>
  )
}
