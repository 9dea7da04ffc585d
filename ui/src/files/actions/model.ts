import type { QueryClient } from '@tanstack/react-query'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { TrashItem } from '../../../../src/domain/files/trash.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
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

/** What users do with files, from any screen. Each action asks what it needs to know and reports how it ended. */
export interface FileActions {
  readonly activity: Activity
  readonly addedEntries: Store<AddedEntries | null>
  readonly clipboard: Store<Clipboard | null>
  /** What is dragged within the page. */
  readonly dragged: { current: readonly FileItem[] | null }
  /** What the file list shows as selected, for the command palette; null on other screens. */
  readonly target: Store<Target | null>
  /**
   * Gives an entry another name in its folder.
   *
   * @throws ApiError
   */
  renameTo(item: FileItem, name: string): Promise<VirtualPath>
  /** Asks for another name. Undefined when nothing was renamed. */
  rename(item: FileItem): Promise<VirtualPath | undefined>
  /** Asks where to. */
  moveTo(items: readonly FileItem[]): Promise<void>
  copyTo(items: readonly FileItem[]): Promise<void>
  /** Copies or moves into a folder, as a drop does. Asks about names that are taken there. */
  transfer(kind: TransferKind, items: readonly FileItem[], folder: VirtualPath): Promise<void>
  /** Moves to the trash, which can be undone. True when anything was deleted. */
  remove(items: readonly FileItem[]): Promise<boolean>
  /** Asks, and deletes for good. True when anything was deleted. */
  removeForGood(items: readonly FileItem[]): Promise<boolean>
  toClipboard(kind: TransferKind, items: readonly FileItem[]): void
  paste(folder: VirtualPath): Promise<void>
  /** One file at once; anything else asks for the archive format. Nothing selected means the folder. */
  download(target: Target): Promise<void>
  share(item: FileItem): Promise<unknown>
  details(target: Target): Promise<unknown>
  /** Asks for a name and makes an empty folder or file. Undefined when nothing was made. */
  make(kind: 'folder' | 'file', folder: VirtualPath): Promise<VirtualPath | undefined>
  restore(items: readonly TrashItem[]): Promise<void>
  /** Asks, and deletes items of the trash for good. */
  purge(items: readonly TrashItem[]): Promise<void>
  emptyTrash(items: readonly TrashItem[]): Promise<void>
  undo(): Promise<void>
}
