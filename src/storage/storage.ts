import type { Readable, Writable } from 'node:stream'
import type { ArchiveFormat } from '../domain/files/archive-format.ts'
import type { HiddenEntry } from '../domain/files/hidden-entry.ts'
import type { Checksum, FlatResource, Resource, Usage } from '../domain/files/resource.ts'
import type { RuleCheck, Visibility } from '../domain/access/rule-check.ts'
import type { SearchHit, SearchQuery } from '../domain/files/search-query.ts'
import type { Sorting } from '../domain/files/sorting.ts'
import type { PartChecksum } from '../domain/files/upload.ts'
import type { VirtualPath } from '../domain/files/virtual-path.ts'

/** A folder as the storage names it: "/"-rooted at the served folder. Only `storagePathOf` makes one. */
export type StoragePath = string & { readonly __brand: 'StoragePath' }

/** The folder that a user's scope names in the storage. */
export function storagePathOf(scope: VirtualPath): StoragePath {
  return scope as string as StoragePath
}

/** What a link may lead to: anything beneath the scope, or anything at all (server option followExternalSymlinks). */
export type LinkPolicy = 'inside' | 'follow'

/** Seam 2: the users' files. The local disk today; every driver passes tests/contract/storage/suites unchanged. */
export interface Storage extends AsyncDisposable {
  /** Whether anything can be served. @throws UNAVAILABLE with what to do */
  ready(): Promise<void>
  /** Holds one folder; nothing done through it touches anything outside, or what rules deny where links lead. @throws NOT_FOUND */
  openScope(folder: StoragePath, links: LinkPolicy, permits?: RuleCheck): Promise<Scope>
  /** Makes the folder with its missing parents; fine when it exists. `links` is "inside" unless said. */
  makeScope(folder: StoragePath, links?: LinkPolicy): Promise<void>
  /**
   * Comes to all that the storage keeps under names of its own, in everything that is served: one after the other, without
   * following links. What `visit` says true to is removed.
   *
   * @returns false when something could not be looked at or removed
   */
  visitHidden(visit: (entry: HiddenEntry) => Promise<boolean> | boolean, signal?: AbortSignal): Promise<boolean>
  /**
   * Removes what an earlier run left under hidden names, where one ended without cleaning up; else it does nothing.
   *
   * @param kept names of files that go on to be used
   * @returns how many were removed
   */
  sweep(kept: ReadonlySet<string>, signal?: AbortSignal): Promise<number>
}

export interface ListingView extends Visibility {
  readonly sorting: Sorting
  /** `path` of the folder as asked for: a trailing slash of the request is kept. */
  readonly shownPath: string
  /** Open files of unknown extension to tell their type. */
  readonly sniff: boolean
  /** The name of a folder in its listing, instead of its own. */
  readonly shownName?: string
  /** Included in a public reply about a share with a password. */
  readonly token?: string | undefined
  /** Included in a public reply about a share that expires. Unix seconds. */
  readonly expire?: number | undefined
  /** Include the dimensions of a single picture. Never in listings: each picture would have to be opened. */
  readonly measure?: boolean
  /** Without the permission to modify, a single text file is `textImmutable`. Listings always say `text`. */
  readonly canModify: boolean
}

export interface SearchView extends Visibility {
  readonly query: SearchQuery
  /** Include size, time and type of each hit, which costs a call per hit. */
  readonly details?: boolean
}

/** What an archive is made of. */
export interface ArchiveSelection {
  readonly format: ArchiveFormat
  /** Names in the archive are told from here. */
  readonly base: VirtualPath
  /** Beneath the base and none beneath another one; the base itself stands for what is in it. */
  readonly items: readonly VirtualPath[]
}

/** Positions in bytes; the end is not included. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** An archive, made in workers as fast as it is read. */
export interface ArchiveContent {
  /** Of a zip, whose members are stored as they are: its length, and a text that changes with its bytes. */
  readonly known?: { readonly size: number; readonly fingerprint: string }
  /**
   * All of it, or a span of one whose length is known. A part may be looked at until the next one is asked for.
   *
   * @throws CONFLICT when files have changed so much meanwhile that it cannot become what it was promised to be
   */
  parts(span?: Span): AsyncIterable<Uint8Array>
}

export interface WriteMode {
  /** Replace a file that is there. A folder is never replaced, nor does a folder replace anything. */
  readonly replace: boolean
  /** Modes of what is made anew; an overwritten file keeps its own. */
  readonly fileMode: number
  readonly folderMode: number
  /** Known length of the body: too little free space is refused before the first byte. */
  readonly length?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Time of the file instead of now, in milliseconds since 1970. */
  readonly modified?: number | undefined
  /** Judges what is to be replaced, before the body is taken and again at the moment of the rename. What it throws keeps the old file. */
  readonly accept?: ((current: Written | undefined) => void) | undefined
}

/** Long work: how it is stopped, and who hears how far it is. */
export interface Work {
  readonly signal?: AbortSignal | undefined
  /** Told what was done since it was last told. */
  readonly advance?: ((bytes: number, files: number) => void) | undefined
  /** Told what is left where it was, by its path: a special file, a link that leads out, what changed while it was moved. */
  readonly leftOut?: ((name: string) => void) | undefined
}

export type EntryKind = 'file' | 'folder' | 'link' | 'special'

export interface TransferMode {
  /** Replace files that are there and merge folders. Neither ever takes the place of the other kind. */
  readonly replace: boolean
  /** Of missing parents. */
  readonly folderMode: number
  /** Bytes to be copied, as far as known: too little free space is refused before the first one. */
  readonly length?: number | undefined
}

/** Something that was moved to the trash. */
export interface TrashedEntry {
  readonly id: string
  /** Where it was, in the scope. */
  readonly path: VirtualPath
  readonly isDir: boolean
  /** Bytes of a file; 0 for a folder. */
  readonly size: number
  /** When it was moved there, in milliseconds since 1970. */
  readonly deleted: number
}

/** The trash of a scope, invisible among its files. Each owner sees only their own part. */
export interface Trash {
  /** By one rename. @returns undefined when that cannot do it: another disk. Nothing was moved then, and `put` will do it. */
  putAtOnce(owner: string, path: VirtualPath, deleted: number): Promise<TrashedEntry | undefined>
  /** Copies and removes where a rename cannot do it, as `move` does. @throws NOT_FOUND, FORBIDDEN as for `remove` */
  put(owner: string, path: VirtualPath, deleted: number, work?: Work): Promise<TrashedEntry>
  /** The latest first. */
  list(owner: string): Promise<TrashedEntry[]>
  /** @throws NOT_FOUND for an id that names nothing; CONFLICT when the target exists */
  restore(owner: string, id: string, to: VirtualPath, folderMode: number, work?: Work): Promise<void>
  /** @throws NOT_FOUND; CONFLICT when a disk is mounted in it, which keeps what it holds */
  remove(owner: string, id: string, work?: Work): Promise<void>
  /** Removes what was trashed in any part before a time, in milliseconds since 1970. @returns how many */
  sweep(before: number, signal?: AbortSignal): Promise<number>
}

/** How far a file that comes in parts is. */
export interface StagedState {
  /** Bytes that are there. */
  readonly size: number
  /** When the last of them came, in milliseconds since 1970. */
  readonly touched: number
}

/** One more part of a file. */
export interface StagedPart {
  /** Where it begins: the end of what is there. */
  readonly offset: number
  /** Of the whole file in bytes: more is refused and cut off again. */
  readonly length: number
  readonly signal?: AbortSignal | undefined
  /** Asked when the part breaks off: whether what came of it is not to count. */
  readonly forget?: (() => boolean) | undefined
  /** What the part must be, or it does not count. */
  readonly checksum?: PartChecksum | undefined
}

/**
 * Files that come in parts, over hours and restarts, each hidden in the folder of its target. One caller at a time for each.
 *
 * @throws NOT_FOUND when the file or its folder is gone, and as the operations of a scope
 */
export interface Staging {
  /** A name for a new file. Nothing is made yet, so that it can be noted before. */
  newName(): string
  /** An empty file, after the checks that `write` makes. Makes missing parents. @throws NO_SPACE, CONFLICT */
  create(target: VirtualPath, name: string, mode: WriteMode): Promise<void>
  state(target: VirtualPath, name: string): Promise<StagedState>
  /**
   * Resolves with the new size when all of it is on the disk. What came of a part that breaks off stays.
   *
   * @throws CONFLICT when the file does not end at the offset, TOO_LARGE, CANCELLED, NO_SPACE, CHECKSUM_MISMATCH
   */
  append(target: VirtualPath, name: string, source: Readable, part: StagedPart): Promise<number>
  /** Cuts off what is beyond a size. */
  cut(target: VirtualPath, name: string, size: number): Promise<void>
  /** The file takes the place of its target. `mode.length` is what it must have. @throws CONFLICT */
  commit(target: VirtualPath, name: string, mode: WriteMode): Promise<Written>
  /** Fine when it is gone. */
  discard(target: VirtualPath, name: string): Promise<void>
}

/** Hears of a folder until it stops listening. */
export interface FolderListener {
  /** A name in the folder came, went or changed; undefined: something did, or the folder itself was moved or removed. */
  changed(name: string | undefined): void
  /** Nothing more will be told: others needed the watch. */
  lost(): void
}

/** What was written: enough for an ETag. */
export interface Written {
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  readonly inode: bigint
  /** The file that was replaced has other names (hard links), which go on to lead to its old content. */
  readonly linksParted?: true
}

/** Which thing is at a path: enough to notice that another one took its place. Numbers as text, since they pass 2^53. */
export interface EntryIdentity {
  readonly device: string
  readonly inode: string
  /** Nanoseconds since 1970; "" where the disk keeps none. */
  readonly birth: string
}

/** A regular file, held open: renaming or replacing its name afterwards changes nothing for us. */
export interface OpenFile extends AsyncDisposable, Pick<Written, 'size' | 'modified' | 'inode'> {
  readonly name: string
  /** That a program may inherit while this is open; undefined where the bytes are no file of this machine. */
  readonly descriptor?: number | undefined
  /**
   * Bytes `start` to `end`, both included, in buffers of its own. Back-pressure is respected; ends with an error when the file
   * shrinks meanwhile. The file stays open until the stream has ended or was destroyed, also when it is disposed of before.
   */
  stream(start: number, end: number): Readable
  /**
   * The same, sent from pooled buffers, which is several times faster. Only for a destination that is done with a chunk when it
   * calls back, as sockets and HTTP answers are; never for transforms. Does not end the destination.
   *
   * @throws CANCELLED when the destination closes, CONFLICT when the file shrinks
   */
  send(destination: Writable, start: number, end: number): Promise<void>
  /** Up to `length` bytes from the start. */
  head(length: number): Promise<Uint8Array>
  /** The bytes whole when the file is small: at most 64 KiB. */
  small(): Promise<Uint8Array | undefined>
}

/**
 * The operations beneath one held folder. Each takes the path as the user says it.
 * @throws NOT_FOUND, FORBIDDEN (leaves the scope, not permitted by the disk, special file), CONFLICT (exists, wrong kind),
 *         INVALID_INPUT (name too long, path below a file), NO_SPACE, BUSY (out of descriptors)
 */
export interface Scope extends AsyncDisposable {
  /** Is there something, without following a last link? */
  exists(path: VirtualPath): Promise<boolean>
  /** One entry as the wire shows a direct GET of it: of a folder its own data without items. */
  stat(path: VirtualPath, view: ListingView): Promise<Resource>
  /**
   * The wire JSON of a folder in UTF-8 parts, read, sorted and written off the event loop. What is wrong with the folder shows
   * before this resolves. Take all parts, or leave the loop, or abort: until then the folder is held. A part is the taker's
   * until it asks for the next one.
   */
  listing(path: VirtualPath, view: ListingView, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** How many entries a listing has; only names are read. */
  count(path: VirtualPath, visibility: Visibility): Promise<number>
  /** Everything beneath, depth first in byte order; links are listed and never followed. */
  walk(path: VirtualPath, visibility: Visibility, signal?: AbortSignal): AsyncIterable<FlatResource>
  /**
   * What fits beneath, in the order of `walk`, those together that were found together. Nothing where no folder is, through a
   * link, and more than 256 levels down.
   */
  search(path: VirtualPath, view: SearchView, signal?: AbortSignal): AsyncIterable<readonly SearchHit[]>
  open(path: VirtualPath): Promise<OpenFile>
  /** Of what the path leads to. */
  identify(path: VirtualPath): Promise<EntryIdentity>
  /** The path behind the links on the way, whether or not something is there. Undefined outside of the scope. */
  whereIs(path: VirtualPath): Promise<VirtualPath | undefined>
  /**
   * A scope of its own whose root is what the path leads to: a folder, or a single file, of which only the root is there. It is
   * held, so swapping the name afterwards changes nothing; nothing done through it leaves it, whatever links may do here.
   */
  within(path: VirtualPath): Promise<Scope>
  /** For programs: `held` leads to the root while this is held, whatever happens to its name; `path` is where it is now. */
  localRoot(): { readonly held: string; readonly path: string }
  /**
   * Files and folders as one archive. Links stand for what they lead to inside. Items that are missing or not shown, special
   * files and broken links are passed over; what cannot be read is named in a file at the end.
   */
  archive(selection: ArchiveSelection, visibility: Visibility, signal?: AbortSignal): Promise<ArchiveContent>
  /** Hex digest; read in a worker, so that neither the event loop nor the thread pool is held. */
  checksum(path: VirtualPath, algorithm: Checksum, work?: Work): Promise<string>
  /** All or nothing: temporary file in the same folder, fsync, rename, fsync of the folder. Makes missing parents. */
  write(path: VirtualPath, source: Readable, mode: WriteMode): Promise<Written>
  /** With all missing parents; fine when it exists. */
  makeFolder(path: VirtualPath, mode: number): Promise<void>
  usage(path: VirtualPath): Promise<Usage>
  /**
   * Tells what changes in a folder, from any source, though never of the storage's own files. Each change may be told several
   * times. Dispose of the result to hear no more; it outlives the scope.
   */
  watch(path: VirtualPath, listener: FolderListener): Promise<Disposable>
  /** What a name is itself, without following a link; undefined where nothing is. */
  kindOf(path: VirtualPath): Promise<EntryKind | undefined>
  /** Whether two names are one that the disk does not tell apart. Hard links are two. No link is followed. */
  isSame(one: VirtualPath, other: VirtualPath): Promise<boolean>
  /**
   * What the path leads to, with modes and times; links in a folder are made again if they lead inside. The copy appears when it
   * is whole; where folders are merged, each file does.
   */
  copy(from: VirtualPath, to: VirtualPath, mode: TransferMode, work?: Work): Promise<void>
  /**
   * One rename, of a link itself where the name is one.
   * @returns false when that cannot do it: another disk, or folders to merge. Nothing was moved then, and `move` will do it.
   */
  rename(from: VirtualPath, to: VirtualPath, mode: TransferMode): Promise<boolean>
  /** Copies where a rename cannot do it, then removes what has not changed since. Each file is always whole at one end. */
  move(from: VirtualPath, to: VirtualPath, mode: TransferMode, work?: Work): Promise<void>
  /** A file, a link itself, or a folder with all in it, of any depth. What it does not come to stays where it is. */
  remove(path: VirtualPath, work?: Work): Promise<void>
  readonly trash: Trash
  readonly staging: Staging
}
