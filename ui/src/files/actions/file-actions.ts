import type { QueryClient } from '@tanstack/react-query'
import { transferResource } from '../../../../src/api/files.ts'
import type { Resource } from '../../../../src/domain/resource.ts'
import type { TrashItem } from '../../../../src/domain/trash.ts'
import { childOf, parentOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { Client } from '../../api/client.ts'
import type { SessionUser } from '../../api/token.ts'
import type { Translate } from '../../i18n/use-text.tsx'
import type { AskPrompt } from '../../kit/dialog/prompt-stack.tsx'
import type { Toasts } from '../../kit/feedback/toast.tsx'
import { createStore, type Store } from '../../lib/create-store.ts'
import { startDownload } from '../../lib/start-download.ts'
import { SharePrompt } from '../share/prompts/share-prompt.tsx'
import type { Activity } from './batches/activity.ts'
import { fileUrl } from './download.ts'
import { DetailsPrompt } from './prompts/details-prompt.tsx'
import { DownloadPrompt } from './prompts/download-prompt.tsx'
import { NewEntryPrompt, RenamePrompt } from './prompts/name-prompts.tsx'
import { PickFolderPrompt } from './prompts/folder-prompts.tsx'
import { purgeTrash, removeForGood, removeToTrash, restoreTrash } from './remove.ts'
import { transferQuery } from './plan-transfers.ts'
import { beginTransfer, transferNow } from './transfer.ts'
import { undoChange, type UndoStack } from './undo.ts'

/** A file or folder that an action applies to. */
export type FileItem = Pick<Resource, 'isDir' | 'size' | 'modified' | 'type'> & { readonly path: VirtualPath }

export type TransferKind = 'copy' | 'move'

/** What was copied or cut, until it is pasted. */
export interface Clipboard {
  readonly kind: TransferKind
  readonly items: readonly FileItem[]
}

/** Entries that this page has just added to a folder: the list selects them and scrolls to the first. */
export interface AddedEntries {
  readonly folder: VirtualPath
  readonly names: readonly string[]
  /** The page moves on to this folder, so the next list that opens there shows them. */
  readonly followed?: boolean
}

/** What is selected in a folder, or the folder itself when nothing is. */
export interface Target {
  readonly folder: VirtualPath
  readonly count: number
  /** Builds the list of what is selected; costs as much as there is of it. */
  items(): readonly FileItem[]
  /** Everything in the folder is selected. */
  readonly all: boolean
  /** What the folder view adds for the entries that it lists. */
  readonly listed?: ListedTarget
}

export interface ListedTarget {
  /** Undefined unless one entry is selected that can be opened, or edited as text. */
  readonly open: (() => void) | undefined
  readonly edit: (() => void) | undefined
  /** Edits the name in its row. False when the row is not drawn: then a dialog asks. */
  rename(item: FileItem): boolean
  /** Remembers to select the neighbour of what is about to be deleted. */
  beforeDelete(): void
  /** The entry with the keyboard focus, while nothing is selected: keys apply to it. */
  readonly focused?: { readonly target: Target; select(): void } | undefined
}

export interface FileActionsDeps {
  readonly client: Client
  readonly queries: QueryClient
  readonly ask: AskPrompt
  readonly toasts: Toasts
  readonly activity: Activity
  readonly undoStack: UndoStack
  readonly addedEntries: Store<AddedEntries | null>
  readonly text: Translate
  user(): SessionUser | undefined
  announce(text: string): void
  goTo(folder: VirtualPath): void
}

export type FileActions = ReturnType<typeof createFileActions>

/** What users do with files, from any screen. Each action asks what it needs to know and reports how it ended. */
export function createFileActions(deps: FileActionsDeps) {
  const { client, queries, ask, undoStack, addedEntries, toasts, text, activity } = deps
  const clipboard = createStore<Clipboard | null>(null)

  /**
   * Gives an entry another name in its folder.
   *
   * @throws ApiError
   */
  async function renameTo({ path }: FileItem, name: string): Promise<VirtualPath> {
    const folder = parentOf(path)
    const to = childOf(folder, name)
    await client.call(transferResource, { params: { '*': path }, query: transferQuery('move', to, false) })
    const change = { kind: 'moved', moves: [{ from: path, to }] } as const
    undoStack.push(change)
    await queries.invalidateQueries({ queryKey: ['listing'] })
    addedEntries.set({ folder, names: [name] })
    const undo = (): void => {
      if (undoStack.take(change)) void undoChange(deps, change)
    }
    toasts.success(text('work.renamed', { name }), { action: { label: text('work.undo'), keys: 'Ctrl+Z', run: undo } })
    return to
  }

  /** Asks for a name and makes an empty folder or file. Undefined when nothing was made. */
  async function make(kind: 'folder' | 'file', folder: VirtualPath): Promise<VirtualPath | undefined> {
    const listing = queries.getQueryData<{ items?: readonly { name: string }[] }>(['listing', folder])
    const taken = (name: string): boolean => listing?.items?.some((entry) => entry.name === name) === true
    const name = await ask(NewEntryPrompt, { folder, kind, taken })
    if (name === undefined) return undefined
    const path = childOf(folder, name)
    undoStack.push({ kind: 'made', paths: [path] })
    await queries.invalidateQueries({ queryKey: ['listing', folder] })
    addedEntries.set({ folder, names: [name] })
    deps.announce(text('files.created', { name }))
    return path
  }

  async function pickAndTransfer(kind: TransferKind, items: readonly FileItem[]): Promise<void> {
    const follow = deps.user()?.redirectAfterCopyMove ?? false
    await ask(PickFolderPrompt, {
      kind,
      items,
      begin: (folder) => beginTransfer(deps, { kind, items, folder, follow }),
      makeIn: (folder) => make('folder', folder),
    })
  }

  return {
    activity,
    addedEntries,
    clipboard,
    /** What is dragged within the page. */
    dragged: { current: null as readonly FileItem[] | null },
    /** What the file list shows as selected, for the command palette; null on other screens. */
    target: createStore<Target | null>(null),
    renameTo,
    /** Asks for another name. Undefined when nothing was renamed. */
    rename: (item: FileItem) => ask(RenamePrompt, { item, rename: (name) => renameTo(item, name) }),
    /** Asks where to. */
    moveTo: (items: readonly FileItem[]) => pickAndTransfer('move', items),
    copyTo: (items: readonly FileItem[]) => pickAndTransfer('copy', items),
    /** Copies or moves into a folder, as a drop does. Asks about names that are taken there. */
    transfer: (kind: TransferKind, items: readonly FileItem[], folder: VirtualPath) =>
      transferNow(deps, { kind, items, folder }),
    /** Moves to the trash, which can be undone. True when anything was deleted. */
    remove: (items: readonly FileItem[]) => removeToTrash(deps, items),
    /** Asks, and deletes for good. True when anything was deleted. */
    removeForGood: (items: readonly FileItem[]) => removeForGood(deps, items),
    hold(kind: TransferKind, items: readonly FileItem[]): void {
      clipboard.set({ kind, items })
      deps.announce(text(kind === 'copy' ? 'work.held' : 'work.heldCut'))
    },
    async paste(folder: VirtualPath): Promise<void> {
      const content = clipboard.get()
      if (content === null) return
      // What was cut is no longer where a second paste would look for it.
      const onBegin = (): void => clipboard.set((now) => (now === content && now.kind === 'move' ? null : now))
      await transferNow(deps, { ...content, folder, onBegin })
    },
    /** One file at once; anything else asks for the archive format. Nothing selected means the folder. */
    async download(target: Target): Promise<void> {
      const only = target.count === 1 ? target.items()[0] : undefined
      if (only === undefined || only.isDir) await ask(DownloadPrompt, { target })
      else startDownload(fileUrl(client, only.path))
    },
    share: (item: FileItem) => ask(SharePrompt, { item }),
    details: (target: Target) => ask(DetailsPrompt, { target }),
    make,
    restore: (items: readonly TrashItem[]) => restoreTrash(deps, items),
    /** Asks, and deletes items of the trash for good. */
    purge: (items: readonly TrashItem[]) => purgeTrash(deps, items, false),
    emptyTrash: (items: readonly TrashItem[]) => purgeTrash(deps, items, true),
    async undo(): Promise<void> {
      const change = undoStack.pop()
      if (change === undefined) toasts.info(text('work.nothingToUndo'))
      else await undoChange(deps, change)
    },
  }
}
