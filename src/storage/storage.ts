import type { Readable } from 'node:stream'
import type { ArchiveContent, ArchiveFormat, ArchiveSelection } from '../domain/files/archives/archive-format.ts'
import type { Conditions } from '../domain/files/bucket-conditions.ts'
import type { DirectPart, StagedPart, StagedState } from '../domain/uploads/upload.ts'
import type { EarlierRun, EntryIdentity } from '../domain/files/entry-identity.ts'
import type { HiddenEntry } from '../domain/files/hidden-entry.ts'
import type { Amount } from '../domain/access/quota.ts'
import type { Checksum, FlatResource, Resource, Usage } from '../domain/files/resource.ts'
import type { LeftOutReason } from '../domain/files/left-out.ts'
import type { PathPermissions } from '../domain/access/rule.ts'
import type { RuleCheck, Visibility } from '../domain/access/rule-check.ts'
import type { SearchHit, SearchQuery } from '../domain/files/search-query.ts'
import type { Sorting } from '../domain/files/sorting.ts'
import type { TrashedEntry } from '../domain/files/trash.ts'
import type { VirtualPath } from '../domain/files/virtual-path.ts'
import type { OpenMember } from '../platform/archives/write/pack-members.ts'
import type { OpenFile, RemovableFile, Written } from './open-file.ts'
import type { SweepOptions, Swept, Unseen } from './reserved-names.ts'

/** Absolute path of a folder, where "/" is the served folder. Only `storagePathOf` makes one. */
export type StoragePath = string & { readonly __brand: 'StoragePath' }

/** Converts a user's scope to a path in the storage. */
export function storagePathOf(scope: VirtualPath): StoragePath {
  return scope as string as StoragePath
}

/** Where links may lead: only inside the scope, or anywhere (server option followExternalSymlinks). */
export type LinkPolicy = 'inside' | 'follow'

/**
 * Seam 2: the users' files. Every driver passes tests/contract/storage/suites unchanged, except the suites for what it cannot do:
 * an S3 bucket reports no changes (`watch`) and has no folder for programs (`localRoot`).
 */
export interface Storage extends AsyncDisposable {
  /** Resolves if the served folder can be opened. @throws UNAVAILABLE, saying what to do */
  ready(): Promise<void>
  /** Which conditions a bucket honours, found out by trying; undefined for a disk. @throws UNAVAILABLE */
  conditions(): Promise<Conditions | undefined>
  /** Opens a folder as a scope. Its operations touch nothing outside it, and links cannot bypass `permits`. @throws NOT_FOUND */
  openScope(folder: StoragePath, links: LinkPolicy, permits?: RuleCheck): Promise<Scope>
  /** Creates the folder and its missing parents, if it does not exist. `links` defaults to "inside". */
  makeScope(folder: StoragePath, links?: LinkPolicy, work?: Pick<Work, 'admitFolder'>): Promise<void>
  /**
   * Visits every entry with a reserved name in the served folder, one at a time and without following links. Removes each entry
   * for which `visit` returns true.
   *
   * @returns false if an entry could not be read or removed
   */
  visitHidden(visit: VisitHidden, signal?: AbortSignal): Promise<boolean>
  /** The same for what is staged, which may be all that it visits. Resolves to what it may not have seen. */
  visitStaged(visit: VisitHidden, signal?: AbortSignal): Promise<Unseen>
  /**
   * Removes staged files that an earlier run left behind, except those of unfinished uploads. Does nothing if that run ended cleanly.
   *
   * Looks again as long as folders are moved meanwhile, a few times at most.
   */
  sweep(options?: SweepOptions): Promise<Swept>
}

export type VisitHidden = (entry: HiddenEntry) => Promise<boolean> | boolean

export interface ListingView extends Visibility {
  readonly sorting: Sorting
  /** The requested path, including a trailing slash. */
  readonly shownPath: string
  /** Read the first bytes of files with an unknown extension to find out their type. */
  readonly sniff: boolean
  /** Replaces the folder's own name in the reply. */
  readonly shownName?: string
  /** Included in a public reply about a share with a password. */
  readonly token?: string | undefined
  /** Included in a public reply about a share that expires. Unix seconds. */
  readonly expire?: number | undefined
  /** Include the dimensions of a single picture. Never in listings: each picture would have to be opened. */
  readonly measure?: boolean
  /** What the user may do here, if that is not what the account may do elsewhere. */
  readonly permissions?: PathPermissions | undefined
  /** Without the permission to modify, a single text file is `textImmutable`. Listings always say `text`. */
  readonly canModify: boolean
}

export interface SearchView extends Visibility {
  readonly query: SearchQuery
  /** Include size, time and type of each hit, which costs one system call per hit. */
  readonly details?: boolean
}

export interface WriteMode extends Pick<Work, 'placing' | 'admitFolder'> {
  /** Replace an existing file. A folder is never replaced and never replaces anything. */
  readonly replace: boolean
  /** Permission bits of new files and folders; an overwritten file keeps its own. */
  readonly fileMode: number
  readonly folderMode: number
  /** Size of the body in bytes, if known: too little free space is then refused before the first byte. */
  readonly length?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes so far, before each batch is written. If it throws, the file is not written. */
  readonly admit?: ((bytes: number) => Promise<void>) | undefined
  /** Modification time of the file instead of now, in nanoseconds since 1970. */
  readonly modified?: bigint | undefined
  /** Called with the file to replace, before the body is read and right before the rename. If it throws, the old file stays. */
  readonly accept?: ((current: Written | undefined) => void) | undefined
}

/** Cancellation and progress of a long operation, and its permission. */
export interface Work {
  readonly signal?: AbortSignal | undefined
  /** Called with the progress since its last call. */
  readonly advance?: ((bytes: number, files: number) => void) | undefined
  /**
   * Called with the size of each file before it is copied, and with that of the file that it replaces, which is replaced only if
   * it is still at least as large. If it throws, the file is not copied.
   */
  readonly admit?: ((bytes: number, replaced?: number) => void) | undefined
  /**
   * Called with 1 right before each new folder is made, also a missing parent of the target; if it throws, that is not made. Called
   * with -1 if somebody else was faster. Not called for what is moved.
   */
  readonly admitFolder?: ((count: 1 | -1) => void) | undefined
  /** Called right before each change, with nothing to wait for in between. If it throws, nothing more is changed. */
  readonly accept?: (() => void) | undefined
  /**
   * Called before the complete result gets its name, to be recorded for `EarlierRun`; with undefined before folders are merged.
   */
  readonly placing?: ((result: EntryIdentity | undefined) => Promise<void>) | undefined
  /** Called with the name of a staged folder before anything of it is placed, to be recorded for `EarlierRun`. */
  readonly staging?: ((name: string) => Promise<void>) | undefined
  /**
   * Called with the path of each skipped entry in what is copied or moved, or with its own name: special files, links that lead out, files that changed while being moved; with
   * "attributes" if the entry itself is there, but the disk does not take the named extended attributes.
   */
  readonly leftOut?: ((name: string, reason: SkipReason) => void) | undefined
}

/** Why copying, moving or removing skips an entry. */
export type SkipReason = Extract<LeftOutReason, 'changed' | 'inUse' | 'copyGone' | 'attributes'>

/** Of an operation that is too short to be cancelled. */
export type Acceptance = Pick<Work, 'accept' | 'admitFolder'>

export type EntryKind = 'file' | 'folder' | 'link' | 'special'

export interface TransferMode {
  /** Replace existing files and merge folders. A file never replaces a folder, nor a folder a file. */
  readonly replace: boolean
  /** Permission bits of new folders, also of missing parents. */
  readonly folderMode: number
  /** Bytes to copy, if known: too little free space is then refused before the first byte. */
  readonly length?: number | undefined
  /** Continues an operation. What it has done is not done again, and what has appeared at the target since is not replaced. */
  readonly earlier?: EarlierRun | undefined
  /**
   * The scope of the target, if another one, also of another storage. Links that do not lead inside from both stay behind; to or
   * from a bucket, and from one to another, all links do, and what is new has only content and times.
   */
  readonly into?: Scope | undefined
}

export type TrashRun = Pick<TransferMode, 'earlier'> & { readonly id: string }

/** The trash of a scope, which is hidden among its files. Each owner sees only their own part. */
export interface Trash {
  /** Moves by one rename. @returns undefined if that is impossible (another disk); nothing has moved, and `put` will work. */
  putAtOnce(owner: string, path: VirtualPath, deleted: number, work?: Acceptance): Promise<TrashedEntry | undefined>
  /**
   * Copies and removes if a rename is impossible, like `move`.
   *
   * @param run the id of the new entry, and what an earlier run has done
   * @throws NOT_FOUND, FORBIDDEN as for `remove`
   */
  put(owner: string, path: VirtualPath, deleted: number, work?: Work, run?: TrashRun): Promise<TrashedEntry>
  /** Most recently deleted first. @param ids only these, as far as they are there */
  list(owner: string, ids?: readonly string[]): Promise<TrashedEntry[]>
  /** As `putAtOnce`. @returns false if that is impossible. @throws as `restore` */
  restoreAtOnce(owner: string, id: string, to: VirtualPath, folderMode: number, work?: Acceptance): Promise<boolean>
  /** @throws NOT_FOUND for an unknown id; CONFLICT if the target exists */
  restore(owner: string, id: string, to: VirtualPath, mode: Omit<TransferMode, 'replace'>, work?: Work): Promise<void>
  /** @throws NOT_FOUND; CONFLICT if a disk is mounted inside, whose content stays */
  remove(owner: string, id: string, work?: Work): Promise<void>
  /** Removes what any owner deleted before a time in milliseconds since 1970. @returns how many entries */
  sweep(before: number, signal?: AbortSignal): Promise<number>
}

/**
 * Files that arrive in parts, over hours and restarts, each under a hidden name in the folder of its target. Callers must not
 * work on the same file at the same time.
 *
 * @throws NOT_FOUND if the file or its folder no longer exists, and the errors of the operations of a scope
 */
export interface Staging {
  /** A name for a new file. Creates nothing yet, so that the caller can record the name first. */
  newName(): string
  /** Creates an empty file and missing parents, after the same checks as `write`. @throws NO_SPACE, CONFLICT */
  create(target: VirtualPath, name: string, mode: WriteMode): Promise<void>
  state(target: VirtualPath, name: string): Promise<StagedState>
  /**
   * Resolves with the new size once the part is on the disk. If the part breaks off, the bytes that have arrived stay.
   *
   * @throws CONFLICT if the file does not end at the offset, TOO_LARGE, CANCELLED, NO_SPACE, CHECKSUM_MISMATCH
   */
  append(target: VirtualPath, name: string, source: Readable, part: StagedPart): Promise<number>
  /**
   * Addresses for the next parts of a file of this length: anyone who has them can send the bytes without us, for a minute. Each
   * takes exactly its part, which counts once it and all before it are complete. Undefined if only `append` can go on.
   */
  direct?(target: VirtualPath, name: string, length: number): Promise<DirectPart[] | undefined>
  /** Truncates to a size in bytes. */
  cut(target: VirtualPath, name: string, size: number): Promise<void>
  /** Renames the file to its target. It must be `mode.length` bytes long. @throws CONFLICT */
  commit(target: VirtualPath, name: string, mode: WriteMode): Promise<Written>
  /** Does nothing if the file does not exist. */
  discard(target: VirtualPath, name: string): Promise<void>
}

/** An entry of a staged folder, and the name that it gets in the folder around it. */
export interface PlacedItem {
  readonly from: string
  readonly to: string
}

export interface PlacingWork extends Pick<Work, 'signal' | 'accept' | 'leftOut'> {
  /** Called with the entries at the top before the first of them is placed; in a bucket, whose objects have no identity, with none. */
  readonly placing?: ((entries: readonly EntryIdentity[]) => Promise<void>) | undefined
}

/**
 * A new hidden folder, to be filled by the operations of a scope and then put in place. Paths in it begin at its root, and no
 * rules apply. Disposing removes it with its remaining content.
 */
export interface StagedFolder extends AsyncDisposable, Pick<Scope, 'write' | 'makeFolder' | 'open'> {
  /** Finds it again after a crash, for `Scope.unstage`. */
  readonly name: string
  /** Call it once the folder has its content, which changes the time. Does nothing in a bucket. @param modified as in `WriteMode` */
  setFolderTime(path: VirtualPath, modified: bigint): Promise<void>
  /**
   * Moves entries into the folder around it: all of them or none. A folder that is not merged appears at once, and so does each
   * file. If one cannot be placed, or the work is cancelled, those before it are taken back and what they have replaced is put
   * back; what others have changed since stays, and is reported to `leftOut`.
   *
   * @throws CONFLICT before anything is changed if something is in the way
   */
  place(items: readonly PlacedItem[], mode: Pick<TransferMode, 'replace'>, work?: PlacingWork): Promise<void>
}

export interface FolderListener {
  /** An entry was added, removed or changed. Undefined if its name is unknown, or the folder itself was moved or removed. */
  changed(name: string | undefined): void
  /** The watch has ended to make room for others; no more changes follow. */
  lost(): void
}

/**
 * The operations in one open folder. Each takes the path as the user sees it.
 * @throws NOT_FOUND, FORBIDDEN (leaves the scope, not permitted by the disk, special file), CONFLICT (exists, wrong kind),
 *         INVALID_INPUT (name too long, path below a file), NO_SPACE, BUSY (out of descriptors)
 */
export interface Scope extends Disposable {
  /** Only where changes may be refused: throws while they are. A transfer from another scope calls it right before each change. */
  readonly requireWritable?: () => void
  /** Does not follow a link at the end of the path. */
  exists(path: VirtualPath): Promise<boolean>
  /** One entry, as returned by a direct GET; a folder without its items. */
  stat(path: VirtualPath, view: ListingView): Promise<Resource>
  /**
   * The wire JSON of a folder in UTF-8 parts, made off the event loop. Errors about the folder are thrown before it resolves. The
   * folder stays open until the caller has read all parts, leaves the loop or aborts. A part is valid until the next one is
   * requested.
   */
  listing(path: VirtualPath, view: ListingView, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** How many entries a listing has. Reads only names. */
  count(path: VirtualPath, visibility: Visibility): Promise<number>
  /** Everything in a folder, depth first in byte order, in batches that are never empty. Links are listed and never followed. */
  walk(path: VirtualPath, visibility: Visibility, signal?: AbortSignal): AsyncIterable<readonly FlatResource[]>
  /**
   * Only what is directly in the folder, otherwise like a walk. `modified` is "" for folders of a bucket, which keep no times.
   */
  entries(path: VirtualPath, visibility: Visibility, signal?: AbortSignal): AsyncIterable<readonly FlatResource[]>
  /**
   * The matches in a folder, in the order of `walk` and in batches as they are found. Finds nothing behind links, deeper than 256
   * levels, or if the path is not a folder. The first batch is empty: from then on, the search needs no turn and no memory any
   * more, for which it could be refused.
   */
  search(path: VirtualPath, view: SearchView, signal?: AbortSignal): AsyncIterable<readonly SearchHit[]>
  open(path: VirtualPath): Promise<OpenFile>
  /** Follows links. */
  identify(path: VirtualPath): Promise<EntryIdentity>
  /** Follows no link at the end. Undefined if nothing exists at the path; in a bucket, whose objects have no identity, always. */
  entryAt(path: VirtualPath): Promise<EntryIdentity | undefined>
  /** The path with all links resolved, whether or not it exists. Undefined if it is outside the scope. */
  whereIs(path: VirtualPath): Promise<VirtualPath | undefined>
  /**
   * A scope whose root is the target of the path: a folder, or a single file, which then is the only entry. The root is an open
   * descriptor, so swapping its name later has no effect. Links in it never lead out, even if those of this scope may.
   */
  within(path: VirtualPath): Promise<Scope>
  /**
   * For programs that we start: `held` leads to the root while this scope is open, `path` is its current path. Undefined if the
   * files are not on a disk of this machine.
   */
  localRoot(): { readonly held: string; readonly path: string } | undefined
  /**
   * Files and folders as one archive, with the targets of links that stay inside. Skips missing and invisible items, special
   * files and broken links. A text file at the end lists what could not be read, for the person who unpacks it.
   */
  archive(selection: ArchiveSelection, visibility: Visibility, signal?: AbortSignal): Promise<ArchiveContent>
  /** An archive of open files, of this and other scopes. A part is valid until the next one is requested. */
  pack(format: ArchiveFormat, members: AsyncIterable<OpenMember>, signal?: AbortSignal): AsyncIterable<Uint8Array>
  /** Hex digest, computed in a worker so that neither the event loop nor the thread pool is blocked. */
  checksum(path: VirtualPath, algorithm: Checksum, work?: Work): Promise<string>
  /** Atomic: temporary file in the same folder, fsync, rename, fsync of the folder. Creates missing parents. */
  write(path: VirtualPath, source: Readable, mode: WriteMode): Promise<Written>
  /** Creates missing parents too, and accepts an existing folder. */
  makeFolder(path: VirtualPath, mode: number, work?: Acceptance): Promise<void>
  usage(path: VirtualPath): Promise<Usage>
  /**
   * Size and number of all files and folders beneath a path, at any depth and including what is in the trash, or of the one file.
   * Ignores rules, counts links without following them, and leaves out staged files and the folders that the trash consists of.
   */
  measure(path: VirtualPath, signal?: AbortSignal): Promise<Amount>
  /**
   * Reports changes in a folder from any source, except those of the storage's own files. A change may be reported several
   * times. The watch outlives the scope: dispose the result to end it. A storage that cannot watch reports nothing.
   */
  watch(path: VirtualPath, listener: FolderListener): Promise<Disposable>
  /** Does not follow a link. Undefined if nothing exists at the path. */
  kindOf(path: VirtualPath): Promise<EntryKind | undefined>
  /** True if both paths name one entry, as "A" and "a" do if the disk ignores case; false for hard links. Follows no link. */
  isSame(one: VirtualPath, other: VirtualPath): Promise<boolean>
  /**
   * Copies the target of a path. The copy is a new entry, as if its content were uploaded. Links in a folder are copied as links if they lead inside. The copy appears
   * once it is complete; when folders are merged, each file does.
   */
  copy(from: VirtualPath, to: VirtualPath, mode: TransferMode, work?: Work): Promise<void>
  /**
   * Moves by one rename. Does not follow a link.
   * @returns false if that is impossible (another disk or storage, folders to merge, links to another scope); nothing has moved, `move` works
   */
  rename(from: VirtualPath, to: VirtualPath, mode: TransferMode, work?: Acceptance): Promise<boolean>
  /** Copies if a rename is impossible, then removes what has not changed since. Each file is complete at one end at any time. */
  move(from: VirtualPath, to: VirtualPath, mode: TransferMode, work?: Work): Promise<void>
  /** Removes a file, a link itself or a folder with its content. If it is cancelled, the remaining entries stay. */
  remove(path: VirtualPath, work?: Work): Promise<void>
  /**
   * Removes one file, never a folder or a link.
   *
   * @param accept called with the file right before, with nothing to wait for in between; if it throws, the file stays
   * @throws NOT_FOUND, also for a folder or a link
   */
  removeFile(path: VirtualPath, accept: (current: RemovableFile) => void): Promise<void>
  /**
   * Removes a folder in which nothing is.
   *
   * @param accept as in `Work`
   * @returns false if something is in it, also something hidden
   */
  removeEmpty(path: VirtualPath, accept: () => void): Promise<boolean>
  /**
   * Creates a hidden folder in an existing one.
   *
   * @param work if its signal aborts because the process stops, the next start removes the folder
   */
  stageFolder(
    folder: VirtualPath,
    mode: Pick<TransferMode, 'length'>,
    work?: Pick<Work, 'signal'>,
  ): Promise<StagedFolder>
  /** Removes a staged folder that an earlier run has left, if there is one, and takes back what it was placing. */
  unstage(folder: VirtualPath, name: string, work?: Pick<Work, 'leftOut'>): Promise<void>
  readonly trash: Trash
  readonly staging: Staging
}
