import { useConfig } from '../../api/config.tsx'
import { useSession, useUser } from '../../api/session-context.tsx'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/icon-button.tsx'
import type { IconName } from '../../kit/icon-names.ts'
import { type MenuEntry, useMenus } from '../../kit/menu.tsx'
import { useTheme } from '../../kit/theme-context.tsx'
import { useStore } from '../../lib/create-store.ts'
import type { ThemeChoice } from '../../lib/theme.ts'
import styles from './sidebar.module.css'

const THEMES: readonly [ThemeChoice, MessageId, IconName][] = [
  ['system', 'shell.themeSystem', 'laptop'],
  ['light', 'shell.themeLight', 'sun'],
  ['dark', 'shell.themeDark', 'moon'],
]

/** Who is signed in, with the menu of the account, and the way out. */
export function AccountRow() {
  const t = useText()
  const user = useUser()
  const session = useSession()
  const menus = useMenus()
  const { LoginPage, NoAuth } = useConfig()
  const themeEntries = useThemeEntries()
  const label = t('shell.accountMenu')
  const open = useStore(menus.current, (menu) => menu?.label === label)
  if (user === undefined) return null
  return (
    <div className={styles['account']}>
      <button
        type="button"
        className={styles['item']}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={(event) => menus.open({ label, anchor: { element: event.currentTarget }, entries: themeEntries })}
      >
        <span className={styles['avatar']} aria-hidden="true">
          {initialOf(user.username)}
        </span>
        <bdi className="clip">{user.username}</bdi>
        <span className="visually-hidden">{label}</span>
      </button>
      {LoginPage && !NoAuth && (
        <IconButton icon="logout" flipIcon label={t('shell.logout')} onClick={() => void session.signOut()} />
      )}
    </div>
  )
}

function useThemeEntries(): MenuEntry[] {
  const t = useText()
  const theme = useTheme()
  const current = useStore(theme.choice)
  const choices = THEMES.map(([choice, label, icon]): MenuEntry => {
    return { kind: 'choice', label: t(label), icon, checked: choice === current, run: () => theme.choose(choice) }
  })
  return [{ kind: 'heading', label: t('shell.theme') }, ...choices]
}

function initialOf(name: string): string {
  return [...name][0]?.toUpperCase() ?? ''
}
