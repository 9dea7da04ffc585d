import type { Resource } from '../../../../src/domain/resource.ts'
import type { TrashItem } from '../../../../src/domain/trash.ts'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { IconName } from '../../kit/icon/icon.tsx'
import type { ShortcutGroup } from '../../kit/keyboard/shortcuts.tsx'

/** A file or folder that something is done with. */
export type WorkItem = Pick<Resource, 'isDir' | 'size' | 'modified' | 'type'> & { readonly path: VirtualPath }

export type TransferKind = 'copy' | 'move'

/** What was copied or cut, until it is pasted. */
export interface Held {
  readonly kind: TransferKind
  readonly items: readonly WorkItem[]
}

/** Entries that have just come into a folder: the listing shows and selects them. */
export interface Arrival {
  readonly folder: VirtualPath
  readonly names: readonly string[]
  /** The page goes to this folder, so whoever opens it next shows them. */
  readonly followed?: boolean
}

/** What is selected in a folder, or the folder itself when nothing is. */
export interface Target {
  readonly folder: VirtualPath
  readonly count: number
  /** Lists what is selected; costs as much as there is of it. */
  items(): readonly WorkItem[]
  /** Everything in the folder is selected. */
  readonly all: boolean
}

/** One thing that can be done. Those that make no sense for what is selected now have no `run`, but keep their keys. */
export interface WorkAction {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  /** As people read it: "Ctrl+C". Empty without keys. */
  readonly keys: string
  readonly group: ShortcutGroup
  /** Has a button in the toolbar, else only an entry in menus. */
  readonly bar?: boolean | undefined
  readonly danger?: boolean | undefined
  /** The keys are heard elsewhere, as with those of the clipboard. */
  readonly listedOnly?: boolean | undefined
  readonly run?: (() => void) | undefined
  /** What the keys do also where nothing else offers it. */
  readonly byKeys?: (() => void) | undefined
}

/** What people do with files, from whatever screen. Each asks what it has to ask and says what has become of it. */
export interface Work {
  /** Asks for another name. Resolves with the new path; undefined when nothing was renamed. */
  rename(item: WorkItem): Promise<VirtualPath | undefined>
  /** Gives another name, for a field in place. @throws ApiError */
  renameTo(item: WorkItem, name: string): Promise<VirtualPath>
  /** Asks where to. */
  moveTo(items: readonly WorkItem[]): Promise<void>
  copyTo(items: readonly WorkItem[]): Promise<void>
  /** Copies or moves into a folder, as a drop does. Asks about names that are taken there. */
  transfer(kind: TransferKind, items: readonly WorkItem[], folder: VirtualPath): Promise<void>
  /** Into the trash, with a way back. True when anything went. */
  remove(items: readonly WorkItem[]): Promise<boolean>
  /** Asks, and deletes without a way back. True when anything went. */
  removeForGood(items: readonly WorkItem[]): Promise<boolean>
  paste(folder: VirtualPath): Promise<void>
  /** One file at once; else asks for the format of the archive. Nothing selected means the folder. */
  download(target: Target): Promise<void>
  /** Shows the links to one thing that others can open, and makes further ones. */
  share(item: WorkItem): Promise<void>
  /** Shows path, size, checksums. */
  details(target: Target): Promise<void>
  /** Asks for a name, and makes an empty folder or file. Resolves with its path; undefined when nothing was made. */
  make(kind: 'folder' | 'file', folder: VirtualPath): Promise<VirtualPath | undefined>
  /** Puts things of the trash back to where they were. */
  restore(items: readonly TrashItem[]): Promise<void>
  /** Asks, and deletes them out of the trash. */
  purge(items: readonly TrashItem[]): Promise<void>
  /** Asks, and empties the trash of all of them. */
  emptyTrash(items: readonly TrashItem[]): Promise<void>
  /** Takes the last change back. */
  undo(): Promise<void>
}
