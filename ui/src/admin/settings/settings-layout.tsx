import { type ReactNode, useEffect, useRef } from 'react'
import { useUser } from '../../api/session.ts'
import { type MessageId, useText, useTextPart } from '../../i18n/use-text.tsx'
import { AppLink } from '../../kit/button/button.tsx'
import { Portal } from '../../kit/page/portal.tsx'
import { settingsPaths, type SettingsPath } from '../../lib/navigation/settings-paths.ts'
import { useLocation } from '../../lib/navigation/navigation.tsx'
import styles from './settings-layout.module.css'

const LABELS: Readonly<Record<SettingsPath, MessageId>> = {
  '/settings/profile': 'profile.title',
  '/settings/security': 'settings.security',
  '/settings/shares': 'shell.shares',
  '/settings/global': 'settings.global',
  '/settings/sign-in': 'settings.signIn',
  '/settings/roots': 'settings.roots',
  '/settings/users': 'settings.users',
  '/settings/groups': 'shell.groups',
  '/settings/activity': 'settings.activity',
}

/** Frame of all settings pages: title, tabs and content. */
export function SettingsLayout({ children }: { readonly children: ReactNode }) {
  useTextPart('settings')
  const t = useText()
  const user = useUser()
  const path = useLocation().pathname
  const scroller = useRef<HTMLDivElement>(null)
  const menu = useRef<HTMLElement>(null)
  useEffect(() => {
    scroller.current?.scrollTo(0, 0)
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [path])
  return (
    <>
      <Portal to="title">
        <p className={styles['title']}>{t('shell.settings')}</p>
      </Portal>
      <nav ref={menu} aria-label={t('shell.settings')}>
        <ul className={styles['menu']}>
          {settingsPaths(user?.perm).map((link) => (
            <li key={link}>
              <AppLink to={link} className={styles['item']} aria-current={currentness(path, link)}>
                {t(LABELS[link])}
              </AppLink>
            </li>
          ))}
        </ul>
      </nav>
      <div ref={scroller} className={styles['scroll']}>
        {children}
      </div>
    </>
  )
}

function currentness(path: string, link: SettingsPath): 'page' | 'location' | undefined {
  if (path === link) return 'page'
  return path.startsWith(`${link}/`) ? 'location' : undefined
}
