import type { Readable, Writable } from 'node:stream'
import type { Checksum, FlatResource, Resource, Usage } from '../domain/resource.ts'
import type { Rule } from '../domain/rule.ts'
import type { Sorting } from '../domain/sorting.ts'
import type { VirtualPath } from '../domain/virtual-path.ts'

/** A folder as the storage names it: "/"-rooted at the served folder. Only `storagePathOf` makes one. */
export type StoragePath = string & { readonly __brand: 'StoragePath' }

/** The folder that a user's scope names in the storage. */
export function storagePathOf(scope: VirtualPath): StoragePath {
  return scope as string as StoragePath
}

/** What a link may lead to: anything beneath the scope, or anything at all (server option followExternalSymlinks). */
export type LinkPolicy = 'inside' | 'follow'

/** Seam 2: the users' files. The local disk today; every driver passes tests/contract/storage-contract.ts unchanged. */
export interface Storage extends AsyncDisposable {
  /** Holds one folder; nothing done through it can touch anything outside. @throws NOT_FOUND */
  openScope(folder: StoragePath, links: LinkPolicy): Promise<Scope>
  /** Makes the folder with its missing parents; fine when it exists. `links` is "inside" unless said. */
  makeScope(folder: StoragePath, links?: LinkPolicy): Promise<void>
}

/** How a path in this scope is called by rules, which always see the owner's own path (GHSA-j9jx-hp4c-ghhh), and what they say. */
export interface Visibility {
  /** Global rules, then the user's. */
  readonly rules: readonly Rule[]
  /** The scope's root as the owner calls it: "/" except inside a share. */
  readonly rulePrefix: VirtualPath
  readonly hideDotfiles: boolean
}

export interface ListingView extends Visibility {
  readonly sorting: Sorting
  /** `path` of the folder as asked for: a trailing slash of the request is kept. */
  readonly shownPath: string
  /** Open files of unknown extension to tell their type. */
  readonly sniff: boolean
  /** Without the permission to modify, a single text file is `textImmutable`. Listings always say `text`. */
  readonly canModify: boolean
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
}

/** What was written: enough for an ETag. */
export interface Written {
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  readonly inode: bigint
}

/** A regular file, held open: whoever renames or replaces its name afterwards changes nothing for us. */
export interface OpenFile extends AsyncDisposable {
  readonly name: string
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  readonly inode: bigint
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
  /** The bytes whole when the file is small (at most 64 KiB), read at once. */
  small(): Uint8Array | undefined
}

/**
 * The operations beneath one held folder. Each takes the path as the user says it.
 *
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
   * before this resolves. Take all parts, or leave the loop, or abort: until then the folder is held.
   */
  listing(path: VirtualPath, view: ListingView, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** Everything beneath, depth first in byte order; links are listed and never followed. */
  walk(path: VirtualPath, visibility: Visibility, signal?: AbortSignal): AsyncIterable<FlatResource>
  open(path: VirtualPath): Promise<OpenFile>
  /** Hex digest; read in a worker, so that neither the event loop nor the thread pool is held. */
  checksum(path: VirtualPath, algorithm: Checksum, signal?: AbortSignal): Promise<string>
  /** All or nothing: temporary file in the same folder, fsync, rename, fsync of the folder. Makes missing parents. */
  write(path: VirtualPath, source: Readable, mode: WriteMode): Promise<Written>
  /** With all missing parents; fine when it exists. */
  makeFolder(path: VirtualPath, mode: number): Promise<void>
  usage(path: VirtualPath): Promise<Usage>
}
