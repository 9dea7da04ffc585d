import { parseVirtualPath, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { places } from '../../api/places.ts'
import { placeIcon } from '../../files/places/place-icon.ts'
import { useStore } from '../../lib/create-store.ts'
import { rootIcon, rootName } from '../../common/where.ts'
import { useConfig } from '../../api/page-config.tsx'
import { usePermissions } from '../../api/permissions.ts'
import { useSession, useUser } from '../../api/session.ts'
import { type MessageId, useText } from '../../i18n/use-text.tsx'
import { useAllShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { useTheme } from '../../kit/contexts.ts'
import { filesHref, parentFolder } from '../../lib/navigation/app-path.ts'
import type { IconName } from '../../kit/icon/icon.tsx'
import { type SettingsPath, settingsPaths } from '../../lib/navigation/settings-paths.ts'
import type { ThemeChoice } from '../../lib/theme.ts'
import type { FileActions } from '../../files/actions/model.ts'
import type { FileAction } from '../../files/actions/menus/selection-actions.ts'
import { cachedEntries } from '../../files/queries/listing-query.ts'
import type { PaletteItem } from './palette-item.ts'
import { type GoTo, pathItem } from './path-item.ts'
import { useExistingVisits } from './use-existing-visits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useSavedFolders, useSavePreferences } from '../../api/own-account.ts'
import { LANGUAGE_NAMES } from '../../i18n/languages.ts'
import { useToasts } from '../../kit/feedback/toast.tsx'

const THEMES: readonly [ThemeChoice, MessageId, IconName][] = [
  ['light', 'palette.themeLight', 'sun'],
  ['dark', 'palette.themeDark', 'moon'],
  ['system', 'palette.themeSystem', 'laptop'],
]

/** The context in which the palette was opened. Prompts are rendered outside the router. */
export interface PaletteContext {
  /** Path of the open folder or file; undefined on other screens. */
  readonly path: string | undefined
  readonly goTo: GoTo
  /** Opens the search of all files. */
  readonly search: (text: string) => void
  readonly files: Pick<FileActions, 'make'>
  /** Lets the user choose what to upload to a folder. */
  readonly pick: (kind: 'files' | 'folder', folder: VirtualPath) => void
  /** Actions for the selection, or for the folder. */
  readonly offered: readonly FileAction[]
}

/** All paths and actions available now. */
export function usePaletteItems(context: PaletteContext): PaletteItem[] {
  const t = useText()
  const shortcuts = useAllShortcuts()
  const paths = usePathItems(context)
  const known = new Set([t('palette.title')])
  const itemOf = (item: Omit<PaletteItem, 'id' | 'section'>): PaletteItem[] => {
    // Skip duplicates: commands with several shortcuts, or both offered and registered.
    if (known.has(item.label)) return []
    known.add(item.label)
    const section = item.kind === 'action' ? t('files.actions') : t('shell.settings')
    return [{ ...item, id: `${item.kind} ${item.label}`, section }]
  }
  return [
    ...context.offered.flatMap(({ label, icon, keys, run }) =>
      run ? itemOf({ kind: 'action', label, icon, keys, run }) : [],
    ),
    ...useFolderItems(context).flatMap((item) => itemOf(item)),
    ...shortcuts.flatMap(({ label, keys, icon, run }) =>
      run
        ? itemOf({ kind: 'action', label, ...(icon && { icon }), keys, run: () => run(new KeyboardEvent('keydown')) })
        : [],
    ),
    ...paths,
    ...[...useSettingsItems(context), ...usePreferenceItems()].flatMap((choice) => itemOf(choice)),
  ]
}

/** Commands that create something in the open folder, or show what takes the room in it. */
function useFolderItems({ path, files, pick, goTo }: PaletteContext): Omit<PaletteItem, 'id' | 'section'>[] {
  const t = useText()
  const may = usePermissions()
  const shown = path?.slice(0, path.lastIndexOf('/') + 1) ?? '/'
  const kind = 'action'
  const look = {
    kind,
    label: t('storage.title'),
    icon: 'drive',
    run: () => goTo(`${filesHref(shown)}?storage`),
  } as const
  if (path === undefined || !may.create) return [look]
  const folder = parseVirtualPath(shown)
  const making: Omit<PaletteItem, 'id' | 'section'>[] = [
    { kind, label: t('files.newFolder'), icon: 'folder-plus', run: () => void files.make('folder', folder) },
    { kind, label: t('files.newFile'), icon: 'file-plus', run: () => void files.make('file', folder) },
  ]
  return [
    ...(may.make ? making : []),
    { kind, label: t('files.uploadFiles'), icon: 'upload', run: () => pick('files', folder) },
    { kind, label: t('files.uploadFolder'), icon: 'upload', run: () => pick('folder', folder) },
    look,
  ]
}

const SETTINGS: Readonly<Record<SettingsPath, readonly [MessageId, IconName]>> = {
  '/settings/profile': ['shell.profile', 'user'],
  '/settings/security': ['palette.security', 'shield'],
  '/settings/shares': ['shell.shares', 'share'],
  '/settings/global': ['palette.global', 'sliders'],
  '/settings/sign-in': ['palette.signIn', 'key'],
  '/settings/roots': ['palette.roots', 'drive'],
  '/settings/users': ['palette.users', 'users'],
  '/settings/groups': ['shell.groups', 'users'],
  '/settings/activity': ['palette.activity', 'clock'],
}

/** The pages of settings that this user may open. */
function useSettingsItems({ goTo }: PaletteContext): Omit<PaletteItem, 'id' | 'section'>[] {
  const t = useText()
  return settingsPaths(useUser()?.perm).map((path) => {
    const [label, icon] = SETTINGS[path]
    return { kind: 'setting', label: t(label), icon, run: () => goTo(path) }
  })
}

function usePreferenceItems(): Omit<PaletteItem, 'id' | 'section'>[] {
  const t = useText()
  const theme = useTheme()
  const session = useSession()
  const { LoginPage, NoAuth } = useConfig()
  const choices = THEMES.map(([choice, label, icon]) => {
    return { kind: 'setting', label: t(label), icon, run: () => theme.choose(choice) } as const
  })
  const all = [...choices, ...useLanguageItems()]
  if (!LoginPage || NoAuth) return all
  return [...all, { kind: 'setting', label: t('shell.logout'), icon: 'logout', run: () => void session.signOut() }]
}

/** Files and folders to open at once. The server finds others. */
function usePathItems({ path: open = '/', goTo }: PaletteContext): PaletteItem[] {
  const t = useText()
  const { favourites, recent } = useSavedFolders()
  const visits = useExistingVisits()
  const near = useNearbyFolders(open)
  const several = useStore(places) ?? []
  const known = new Set<string>()
  const itemsOf = (paths: readonly string[], section: string): PaletteItem[] =>
    paths.flatMap((path) => {
      if (known.has(path)) return []
      known.add(path)
      return path === '/'
        ? { id: path, kind: 'folder', icon: rootIcon(), label: rootName(t), section, run: () => goTo('/files/') }
        : { ...pathItem(t, path, goTo), section }
    })
  return [
    ...itemsOf(favourites.map(folderPath), t('shell.favourites')),
    // The folders of other devices are last: the account does not know when they were visited.
    ...itemsOf(
      [...visits, ...recent.map(folderPath)].filter((path) => path !== open),
      t('shell.recent'),
    ),
    ...several.flatMap((place) =>
      itemsOf([folderPath(place.path)], t('places.title')).map((item) => ({
        ...item,
        glyph: undefined,
        icon: placeIcon(place),
      })),
    ),
    ...itemsOf(['/', ...near], t('files.folders')),
  ]
}

/** Folders inside the open one, and those above it. */
function useNearbyFolders(path: string): string[] {
  const queries = useQueryClient()
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const inside = (cachedEntries(queries, folder.slice(0, -1) || '/') ?? [])
    .filter(({ isDir }) => isDir)
    .map(({ name }) => `${folder}${name}/`)
  const parents: string[] = []
  for (let above = folder; above !== '/';) {
    above = parentFolder(above)
    if (above !== '/') parents.push(above)
  }
  return [...inside, ...parents]
}

function folderPath(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}

/** Each language by its own name. */
function useLanguageItems(): Omit<PaletteItem, 'id' | 'section'>[] {
  const t = useText()
  const savePreferences = useSavePreferences()
  const toasts = useToasts()
  return Object.entries(LANGUAGE_NAMES).map(([locale, name]) => ({
    kind: 'setting',
    label: t('palette.language', { name }),
    icon: 'globe',
    run: () => void savePreferences({ locale }).catch(() => toasts.error(t('palette.notSaved'))),
  }))
}
