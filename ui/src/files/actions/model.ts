import type { QueryClient } from '@tanstack/react-query'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { TrashItem } from '../../../../src/domain/files/trash.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import type { Client } from '../../api/client.ts'
import type { SessionUser } from '../../api/token.ts'
import type { Translate } from '../../i18n/use-text.tsx'
import type { AskPrompt } from '../../kit/dialog/prompt-stack.tsx'
import type { Toasts } from '../../kit/feedback/toast.tsx'
import type { Store } from '../../lib/create-store.ts'
import type { Activity } from './batches/activity.ts'
import type { UndoStack } from './undo/undo-stack.ts'

/** A file or folder that an action applies to. */
export type FileItem = Pick<Resource, 'isDir' | 'size' | 'modified' | 'type'> & { readonly path: VirtualPath }

export type TransferKind = 'copy' | 'move'

/** The copied or cut items, until they are pasted. */
export interface Clipboard {
  readonly kind: TransferKind
  readonly items: readonly FileItem[]
}

/** Entries that this page has just added to a folder: the list selects them and scrolls to the first. */
export interface AddedEntries {
  readonly folder: VirtualPath
  readonly names: readonly string[]
  /** Selected with them: entries that were there before. */
  readonly kept?: readonly string[]
  /** The page is about to open this folder; the list that opens there shows them. */
  readonly followed?: boolean
}

/** What to extract: all of the archive without `items`, which are paths in it. */
export interface Extract {
  readonly archive: VirtualPath
  readonly items?: readonly VirtualPath[] | undefined
  /** Chosen for names that do not say theirs. */
  readonly encoding?: Encoding | undefined
  /** What was detected; undefined if there are no such names, or nobody has looked. */
  readonly detected?: Encoding | undefined
}

/** What is selected in a folder, or the folder itself when nothing is. */
export interface Target {
  readonly folder: VirtualPath
  readonly count: number
  /** Builds the list of selected items. Takes time in proportion to the selection. */
  items(): readonly FileItem[]
  /** Everything in the folder is selected. */
  readonly all: boolean
  /** Set by the folder view, for actions that depend on its list. */
  readonly listed?: ListedTarget
}

export interface ListedTarget {
  /** Undefined unless a single entry is selected and can be opened (or edited as text). */
  readonly open: (() => void) | undefined
  readonly look: (() => void) | undefined
  readonly edit: (() => void) | undefined
  /** Edits the name in place. Returns false when the row is not rendered; then a dialog asks. */
  rename(item: FileItem): boolean
  /** Makes the list select a neighbour once the selected entries are deleted. */
  beforeDelete(): void
  /** The entry that the user came to last, by pointer or keys, whether or not it is selected. */
  readonly at?: FileItem | undefined
  /** The folder in the pane beside, if it is another one. */
  readonly other?: VirtualPath | undefined
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

/** The file actions of all screens. Each asks for what it needs and reports its outcome. */
export interface FileActions {
  readonly activity: Activity
  readonly addedEntries: Store<AddedEntries | null>
  readonly clipboard: Store<Clipboard | null>
  /** The items being dragged within the page. */
  readonly dragged: { current: readonly FileItem[] | null }
  /** What the file list shows as selected, for the command palette; null on other screens. */
  readonly target: Store<Target | null>
  /** Renames an entry within its folder. @throws ApiError */
  renameTo(item: FileItem, name: string): Promise<VirtualPath>
  /** Asks for the new name. Undefined when nothing was renamed. */
  rename(item: FileItem): Promise<VirtualPath | undefined>
  /** Asks for a pattern for the new names of several entries of a folder. */
  renameMany(folder: VirtualPath, items: readonly FileItem[]): Promise<void>
  /** Asks for the target folder. */
  moveTo(items: readonly FileItem[]): Promise<void>
  copyTo(items: readonly FileItem[]): Promise<void>
  /** Copies or moves into a folder, as a drop does. Asks about names that are taken there. */
  transfer(kind: TransferKind, items: readonly FileItem[], folder: VirtualPath): Promise<void>
  /** Moves to the trash, which can be undone. True when anything was deleted. */
  remove(items: readonly FileItem[]): Promise<boolean>
  /** Asks, then deletes forever. True when anything was deleted. */
  removeForever(items: readonly FileItem[]): Promise<boolean>
  toClipboard(kind: TransferKind, items: readonly FileItem[]): void
  paste(folder: VirtualPath): Promise<void>
  /** Downloads a single file at once; else asks for an archive format. Without a selection, downloads the folder. */
  download(target: Target): Promise<void>
  /** Extracts into a folder. Names that are taken get a number. */
  extractInto(extract: Extract, folder: VirtualPath): Promise<void>
  /** Asks for the folder. */
  extractTo(extract: Extract): Promise<void>
  /** Asks for a name and puts the items into a new archive in their folder. */
  compress(target: Target): Promise<void>
  share(item: FileItem): Promise<unknown>
  details(target: Target): Promise<unknown>
  /** Asks for a name and creates an empty folder or file. Undefined when nothing was created. */
  make(kind: 'folder' | 'file', folder: VirtualPath): Promise<VirtualPath | undefined>
  restore(items: readonly TrashItem[]): Promise<void>
  /** Asks, then deletes items of the trash forever. */
  purge(items: readonly TrashItem[]): Promise<void>
  emptyTrash(items: readonly TrashItem[]): Promise<void>
  undo(): Promise<void>
}
