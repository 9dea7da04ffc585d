import { mayDo, type Permissions } from '../../../../../src/domain/access/permissions.ts'
import { readableFormat } from '../../../../../src/domain/files/archives/archive-format.ts'
import { nameOf, parentOf } from '../../../../../src/domain/files/virtual-path.ts'
import type { MayTransfer } from '../../../api/permissions.ts'
import type { Translate } from '../../../i18n/use-text.tsx'
import type { IconName } from '../../../kit/icon/icon.tsx'
import type { ShortcutGroup } from '../../../kit/keyboard/shortcuts.tsx'
import type { Clipboard, FileActions, FileItem, Target, TransferKind } from '../model.ts'

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

export interface ActionContext {
  readonly t: Translate
  readonly permissions: Permissions
  readonly clipboard: Clipboard | null
  /** To any folder, if none is given. */
  readonly mayTransfer: MayTransfer
}

/** The file actions used here. A screen can replace some of them to do something afterwards. */
export interface UsedActions extends Pick<
  FileActions,
  | 'compress'
  | 'copyTo'
  | 'details'
  | 'download'
  | 'extractInto'
  | 'toClipboard'
  | 'paste'
  | 'renameMany'
  | 'share'
  | 'transfer'
> {
  rename(item: FileItem): Promise<unknown>
  moveTo(items: readonly FileItem[]): Promise<unknown>
  remove(items: readonly FileItem[]): Promise<unknown>
  removeForever(items: readonly FileItem[]): Promise<unknown>
}

/** What is asked for, and short forms for the conditions of many actions. */
interface Asked {
  readonly t: Translate
  readonly files: UsedActions
  readonly target: Target
  /** The only entry, if it is one. */
  readonly only: FileItem | undefined
  readonly clipboard: Clipboard | null
  items(): readonly FileItem[]
  may(right: Parameters<typeof mayDo>[1]): boolean
  mayTransfer(kind: TransferKind, to?: string): boolean
  /** Applies to any number of entries, but not to none. */
  some(run: () => unknown): (() => void) | undefined
  /** Applies to a single entry. */
  one(run: (item: FileItem) => unknown): (() => void) | undefined
}

type MaybeAction = FileAction | false

/** What the user may do with a target, in the order of the menu. */
export function selectionActions(files: UsedActions, target: Target, context: ActionContext): FileAction[] {
  const { count } = target
  const items = (): ReturnType<Target['items']> => target.items()
  const only = count === 1 ? items()[0] : undefined
  const asked: Asked = {
    t: context.t,
    files,
    target,
    only,
    clipboard: context.clipboard,
    items,
    may: (right) => mayDo(context.permissions, right),
    mayTransfer: (kind, to) => context.mayTransfer(kind, only?.path ?? target.folder, to),
    some: (run) => (count > 0 ? () => void run() : undefined),
    one: (run) => (only === undefined ? undefined : () => void run(only)),
  }
  const groups = [opening, sharing, clipboardOf, moving, packing, details, deleting]
  return groups.flatMap((actionsOf) => actionsOf(asked)).filter((action) => action !== false)
}

function opening({ t, files, target, only, may }: Asked): MaybeAction[] {
  const { count, listed } = target
  return [
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
      id: 'look',
      label: t('files.quickLook'),
      icon: 'zoom-in',
      keys: 'Space',
      group: 'move',
      listedOnly: true,
      run: listed.look,
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
  ]
}

function sharing({ t, files, target, only, items, may, one }: Asked): MaybeAction[] {
  const { count, folder, listed } = target
  return [
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
  ]
}

function clipboardOf({ t, files, target, clipboard, items, may, mayTransfer, some }: Asked): MaybeAction[] {
  const paste = clipboard === null ? undefined : () => void files.paste(target.folder)
  return [
    mayTransfer('copy') && {
      id: 'copy',
      label: t('actions.copy'),
      icon: 'copy',
      keys: 'Ctrl+C',
      group: 'clipboard',
      listedOnly: true,
      run: some(() => files.toClipboard('copy', items())),
    },
    mayTransfer('move') && {
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
      run: target.count === 0 ? paste : undefined,
      byKeys: paste,
    },
  ]
}

function moving({ t, files, target, items, mayTransfer, some }: Asked): MaybeAction[] {
  const other = target.listed?.other
  const over = (kind: TransferKind): MaybeAction =>
    other !== undefined &&
    mayTransfer(kind, other) && {
      id: `${kind}Over`,
      label: t(kind === 'copy' ? 'actions.copyOver' : 'actions.moveOver'),
      icon: kind === 'copy' ? 'copy' : 'folder-move',
      keys: '',
      group: 'act',
      run: some(() => files.transfer(kind, items(), other)),
    }
  return [
    over('copy'),
    over('move'),
    mayTransfer('copy') && {
      id: 'copyTo',
      label: t('actions.copyTo'),
      icon: 'copy',
      keys: '',
      group: 'act',
      bar: true,
      run: some(() => files.copyTo(items())),
    },
    mayTransfer('move') && {
      id: 'moveTo',
      label: t('actions.moveTo'),
      icon: 'folder-move',
      keys: '',
      group: 'act',
      bar: true,
      run: some(() => files.moveTo(items())),
    },
  ]
}

function packing({ t, files, target, only, may, some }: Asked): MaybeAction[] {
  return [
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
      run: target.listed === undefined ? undefined : some(() => files.compress(target)),
    },
  ]
}

function details({ t, files, target }: Asked): MaybeAction[] {
  return [
    {
      id: 'details',
      label: t('details.title'),
      icon: 'info',
      keys: 'Alt+Enter',
      group: 'act',
      bar: target.count === 0,
      run: () => void files.details(target),
    },
  ]
}

function deleting({ t, files, target, items, may, some }: Asked): MaybeAction[] {
  const afterNotice = (run: () => unknown) =>
    some(() => {
      target.listed?.beforeDelete()
      run()
    })
  return [
    may('files.remove') && {
      id: 'delete',
      label: t('actions.delete'),
      icon: 'trash',
      keys: 'Del',
      group: 'act',
      bar: true,
      danger: true,
      run: afterNotice(() => files.remove(items())),
    },
    may('files.remove') && {
      id: 'deleteForever',
      label: t('actions.deleteForever'),
      icon: 'trash',
      keys: 'Shift+Del',
      group: 'act',
      danger: true,
      run: afterNotice(() => files.removeForever(items())),
    },
  ]
}
