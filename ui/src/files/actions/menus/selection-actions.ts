import { mayDo, type Permissions } from '../../../../../src/domain/access/permissions.ts'
import { readableFormat } from '../../../../../src/domain/files/archives/archive-format.ts'
import { nameOf, parentOf } from '../../../../../src/domain/files/virtual-path.ts'
import { useUser } from '../../../api/session.ts'
import { type Translate, useText } from '../../../i18n/use-text.tsx'
import type { IconName } from '../../../kit/icon/icon.tsx'
import type { ShortcutGroup } from '../../../kit/keyboard/shortcuts.tsx'
import { useStore } from '../../../lib/create-store.ts'
import { useFileActions } from '../file-actions-context.tsx'
import type { Clipboard, FileActions, FileItem, Target } from '../model.ts'

/** An action in menus, toolbar and shortcuts. Without `run` it does not apply, but the help lists its keys. */
export interface FileAction {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  /** As written on keyboards: "Ctrl+C". Empty without keys. */
  readonly keys: string
  readonly group: ShortcutGroup
  /** Shown as a button in the toolbar too, not only in menus. */
  readonly bar?: boolean | undefined
  readonly danger?: boolean | undefined
  /** The grid or the clipboard events handle the keys; the help only lists them. */
  readonly listedOnly?: boolean | undefined
  readonly run?: (() => void) | undefined
  /** What the keys do when the menu does not offer the action. */
  readonly byKeys?: (() => void) | undefined
}

/** An action that applies now: menus and toolbars show no others. */
export type OfferedAction = FileAction & { readonly run: () => void }

export function isOffered(action: FileAction): action is OfferedAction {
  return action.run !== undefined
}

interface ActionContext {
  readonly t: Translate
  readonly permissions: Permissions
  readonly clipboard: Clipboard | null
}

/** The file actions used here. A screen can replace some of them to do something afterwards. */
interface UsedActions extends Pick<
  FileActions,
  'compress' | 'copyTo' | 'details' | 'download' | 'extractInto' | 'toClipboard' | 'paste' | 'renameMany' | 'share'
> {
  rename(item: FileItem): Promise<unknown>
  moveTo(items: readonly FileItem[]): Promise<unknown>
  remove(items: readonly FileItem[]): Promise<unknown>
  removeForever(items: readonly FileItem[]): Promise<unknown>
}

/** What the user may do with a target, in the order of the menu. */
function selectionActions(
  files: UsedActions,
  target: Target,
  { t, permissions, clipboard }: ActionContext,
): FileAction[] {
  const { count, folder, listed } = target
  const items = (): ReturnType<Target['items']> => target.items()
  const some = (run: () => unknown) => (count > 0 ? () => void run() : undefined)
  const only = count === 1 ? items()[0] : undefined
  const one = (run: (item: FileItem) => unknown) => (only === undefined ? undefined : () => void run(only))
  const deleting = (run: () => unknown) =>
    some(() => {
      listed?.beforeDelete()
      run()
    })
  const paste = clipboard === null ? undefined : () => void files.paste(folder)
  const may = (right: Parameters<typeof mayDo>[1]): boolean => mayDo(permissions, right)
  const actions: (FileAction | false)[] = [
    listed !== undefined && {
      id: 'open',
      label: t('files.open'),
      icon: 'eye',
      keys: 'Enter',
      group: 'move',
      bar: true,
      listedOnly: true,
      run: listed.open,
    },
    listed !== undefined && {
      id: 'edit',
      label: t('files.edit'),
      icon: 'edit',
      keys: 'F4',
      group: 'act',
      run: listed.edit,
    },
    may('downloads.raw') &&
      only?.type !== 'invalid_link' && {
        id: 'download',
        label: t(count === 0 ? 'actions.downloadFolder' : 'files.download'),
        icon: 'download',
        keys: 'Ctrl+S',
        group: 'act',
        bar: true,
        run: () => void files.download(target),
      },
    may('shares.manage') && {
      id: 'share',
      label: t('actions.share'),
      icon: 'share',
      keys: '',
      group: 'act',
      bar: true,
      run: only?.type === 'invalid_link' ? undefined : one((item) => files.share(item)),
    },
    may('files.rename') && {
      id: 'rename',
      label: t('actions.rename'),
      icon: 'rename',
      keys: 'F2',
      group: 'act',
      // Hits of a search may be from several folders.
      run:
        count > 1 && listed !== undefined
          ? () => void files.renameMany(folder, items())
          : one((item) => listed?.rename(item) === true || files.rename(item)),
    },
    may('files.copy') && {
      id: 'copy',
      label: t('actions.copy'),
      icon: 'copy',
      keys: 'Ctrl+C',
      group: 'clipboard',
      listedOnly: true,
      run: some(() => files.toClipboard('copy', items())),
    },
    may('files.rename') && {
      id: 'cut',
      label: t('actions.cut'),
      icon: 'cut',
      keys: 'Ctrl+X',
      group: 'clipboard',
      listedOnly: true,
      run: some(() => files.toClipboard('move', items())),
    },
    (may('files.copy') || may('files.rename')) && {
      id: 'paste',
      label: t('actions.paste'),
      icon: 'paste',
      keys: 'Ctrl+V',
      group: 'clipboard',
      listedOnly: true,
      // In the menu of a selected folder, it would seem to paste into that folder.
      run: count === 0 ? paste : undefined,
      byKeys: paste,
    },
    may('files.copy') && {
      id: 'copyTo',
      label: t('actions.copyTo'),
      icon: 'copy',
      keys: '',
      group: 'act',
      bar: true,
      run: some(() => files.copyTo(items())),
    },
    may('files.rename') && {
      id: 'moveTo',
      label: t('actions.moveTo'),
      icon: 'folder-move',
      keys: '',
      group: 'act',
      bar: true,
      run: some(() => files.moveTo(items())),
    },
    may('archives.extract') && {
      id: 'extract',
      label: t('actions.extractHere'),
      icon: 'archive',
      keys: '',
      group: 'act',
      run:
        only === undefined || only.isDir || readableFormat(nameOf(only.path)) === undefined
          ? undefined
          : () => void files.extractInto({ archive: only.path }, parentOf(only.path)),
    },
    may('archives.compress') && {
      id: 'compress',
      label: t('actions.compress'),
      icon: 'archive',
      keys: '',
      group: 'act',
      // Hits of a search may be from several folders.
      run: listed === undefined ? undefined : some(() => files.compress(target)),
    },
    {
      id: 'details',
      label: t('details.title'),
      icon: 'info',
      keys: 'Alt+Enter',
      group: 'act',
      bar: count === 0,
      run: () => void files.details(target),
    },
    may('files.remove') && {
      id: 'delete',
      label: t('actions.delete'),
      icon: 'trash',
      keys: 'Del',
      group: 'act',
      bar: true,
      danger: true,
      run: deleting(() => files.remove(items())),
    },
    may('files.remove') && {
      id: 'deleteForever',
      label: t('actions.deleteForever'),
      icon: 'trash',
      keys: 'Shift+Del',
      group: 'act',
      danger: true,
      run: deleting(() => files.removeForever(items())),
    },
  ]
  return actions.filter((action) => action !== false)
}

/** `selectionActions` with the current user, language and clipboard. */
export function useSelectionActions(): (target: Target, files?: UsedActions) => FileAction[] {
  const t = useText()
  const files = useFileActions()
  const permissions = useUser()?.perm
  const clipboard = useStore(files.clipboard)
  return (target, used = files) =>
    permissions === undefined ? [] : selectionActions(used, target, { t, permissions, clipboard })
}

/**
 * The same for keys and the command palette: while nothing is selected, actions that need a selection apply to the
 * focused entry, which is selected first so that the user sees the target.
 */
export function useKeyActions(): (target: Target) => FileAction[] {
  const actionsOf = useSelectionActions()
  return (target) => {
    const focused = target.listed?.focused
    const actions = actionsOf(target)
    if (focused === undefined) return actions
    const own = new Map(actionsOf(focused.target).map(({ id, run }) => [id, run]))
    return actions.map((action) => {
      const run = own.get(action.id)
      if (action.run !== undefined || run === undefined) return action
      const selectAndRun = (): void => {
        focused.select()
        run()
      }
      return { ...action, run: selectAndRun }
    })
  }
}
