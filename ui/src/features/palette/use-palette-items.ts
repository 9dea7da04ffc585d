import { useConfig } from '../../api/config.tsx'
import { useSession } from '../../api/session-context.tsx'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { type Shortcut, useAllShortcuts } from '../../kit/shortcuts.tsx'
import { useTheme } from '../../kit/theme-context.tsx'
import { filesHref, lastSegment, parentFolder } from '../../lib/app-path.ts'
import type { IconName } from '../../kit/icon-names.ts'
import type { ThemeChoice } from '../../lib/theme.ts'
import type { PaletteItem } from './palette-item.ts'
import { usePaletteFolders } from './use-palette-folders.ts'

/** A screen that the app has besides the files, or a choice of the app. */
export interface PaletteExtra {
  readonly label: string
  readonly icon: IconName
  readonly detail?: string | undefined
  readonly run: () => void
}

const THEMES: readonly [ThemeChoice, MessageId, IconName][] = [
  ['light', 'palette.themeLight', 'sun'],
  ['dark', 'palette.themeDark', 'moon'],
  ['system', 'palette.themeSystem', 'laptop'],
]

/** Where the palette was opened. Prompts stand outside of the router. */
export interface PaletteSurroundings {
  /** Of the folder or file that is open. */
  readonly path: string
  readonly goTo: (place: string) => void
  readonly extras: readonly PaletteExtra[]
}

/** Everything that can be gone to or done now. */
export function usePaletteItems(text: string, around: PaletteSurroundings): PaletteItem[] {
  const t = useText()
  const shortcuts = useAllShortcuts()
  const theme = useTheme()
  const session = useSession()
  const { LoginPage, NoAuth } = useConfig()
  const folders = useFolderItems(text, around)
  const settings: PaletteItem[] = [
    ...around.extras.map((extra): PaletteItem => ({
      ...extra,
      id: `extra ${extra.label}`,
      kind: 'setting',
      section: t('palette.settings'),
    })),
    ...THEMES.map(([choice, label, icon]): PaletteItem => {
      return {
        id: `theme ${choice}`,
        label: t(label),
        icon,
        kind: 'setting',
        section: t('palette.settings'),
        run: () => theme.choose(choice),
      }
    }),
  ]
  if (LoginPage && !NoAuth) {
    const run = () => void session.signOut()
    settings.push({
      id: 'logout',
      label: t('shell.logout'),
      icon: 'logout',
      kind: 'setting',
      section: t('palette.settings'),
      run,
    })
  }
  const others = shortcuts.filter(({ label }) => label !== t('palette.title'))
  const actions = actionItems(others, (about) =>
    about === undefined ? t('palette.actions') : t('palette.selected', { name: about }),
  )
  return [...actions, ...folders, ...settings]
}

/** One item for each action, with the first of its shortcuts; those of the selection come first. */
function actionItems(shortcuts: readonly Shortcut[], sectionOf: (about: string | undefined) => string): PaletteItem[] {
  const items = new Map<string, PaletteItem>()
  for (const { label, keys, icon = 'command', about, act, run } of shortcuts) {
    const work = act ?? (run && (() => run(new KeyboardEvent('keydown'))))
    const id = `action ${about ?? ''} ${label}`
    if (work === undefined || items.has(id)) continue
    items.set(id, { id, label, icon, kind: 'action', section: sectionOf(about), keys: keys || undefined, run: work })
  }
  const plain = sectionOf(undefined)
  return [...items.values()].sort((a, b) => Number(a.section === plain) - Number(b.section === plain))
}

function useFolderItems(text: string, { path: open, goTo }: PaletteSurroundings): PaletteItem[] {
  const t = useText()
  const { favourites, recent, near, found } = usePaletteFolders(text, open)
  const known = new Set<string>()
  const itemOf = (path: string, icon: IconName, section: string): PaletteItem[] => {
    if (known.has(path)) return []
    known.add(path)
    const above = parentFolder(path)
    return [
      {
        ...{ id: `folder ${path}`, icon, kind: 'folder', section },
        label: path === '/' ? t('shell.myFiles') : lastSegment(path),
        detail: above === '/' ? undefined : above.slice(1, -1).replaceAll('/', ' / '),
        run: () => goTo(filesHref(path)),
      },
    ]
  }
  return [
    ...favourites.flatMap((path) => itemOf(path, 'star', t('palette.favourites'))),
    ...recent.flatMap((path) => itemOf(path, 'clock', t('palette.recent'))),
    ...['/', ...near, ...found].flatMap((path) => itemOf(path, path === '/' ? 'home' : 'folder', t('palette.folders'))),
  ]
}
