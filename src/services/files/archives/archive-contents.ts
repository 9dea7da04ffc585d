import type { Actor } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import {
  type ReadableFormat,
  readableFormat,
  TAR_HEAD,
  tarFormatOf,
} from '../../../domain/files/archives/archive-format.ts'
import { createTimeFormat } from '../../../domain/files/file-time.ts'
import { sortListing } from '../../../domain/files/listing-order.ts'
import { extensionOf, typeByName } from '../../../domain/files/media/media-type.ts'
import type { Resource } from '../../../domain/files/resource.ts'
import type { Sorting } from '../../../domain/files/sorting.ts'
import { nameOf, parseVirtualPath, ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { Encoding } from '../../../domain/text/encodings.ts'
import { ArchiveMemory } from '../../../platform/archives/read/archive-memory.ts'
import { needOf, type ReaderNeed } from '../../../platform/archives/read/reader-need.ts'
import { listingParts } from '../../../platform/files/listing-parts.ts'
import type { HeavyMemory } from '../../../platform/limits/heavy-memory.ts'
import { Slots } from '../../../platform/limits/limiter.ts'
import type { OpenFile } from '../../../storage/open-file.ts'
import type { AccessService } from '../../access/access.ts'
import type { FileAccess } from '../../access/file-access.ts'
import { openFile } from '../open-file.ts'
import { type ArchiveIndex, type ArchiveNode, NODE_BYTES } from './archive-index.ts'
import { ArchiveIndexes } from './archive-indexes.ts'
import { ArchivedFile } from './archived-file.ts'

/** The types of Go's `FileMode`, and the permissions that new entries usually get: those in archives are not used. */
const FOLDER_MODE = 2 ** 31 + 0o755
const FILE_MODE = 0o644

/** Files of archives that are sent to one user at the same time. */
const MAX_SENT = 8

/** An archive that is open, and what is in it. */
export interface OpenArchive extends AsyncDisposable {
  readonly file: OpenFile
  readonly format: ReadableFormat
  readonly index: ArchiveIndex
  /** Gives the memory of the index back. */
  forgetIndex(): void
  /** Takes the memory for one reader at a time, until the archive is closed. @throws BUSY */
  prepareReading(signal?: AbortSignal): Promise<ReaderNeed>
  /** Takes the memory for nodes of the index, until the archive is closed. @throws BUSY */
  takeNodes(count: number, signal?: AbortSignal): Promise<void>
}

export interface Opening {
  /** Of names that do not say theirs; left out, it is detected. */
  readonly encoding?: Encoding | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ArchiveContentsDeps {
  readonly access: AccessService
  readonly memory: HeavyMemory
}

/** Lists and reads archives of the user. Nothing is unpacked to the disk. */
export function createArchiveContents({ access, memory: heavy }: ArchiveContentsDeps) {
  const memory = new ArchiveMemory(heavy)
  const indexes = new ArchiveIndexes(memory, heavy)
  const slots = new Slots<string>(MAX_SENT)

  /**
   * Opens a file as an archive. The caller has checked that the user may read it.
   *
   * @throws UNSUPPORTED if its name is not that of an archive, INVALID_INPUT if it is damaged, TOO_LARGE for a bomb, BUSY
   */
  async function openIn(
    files: FileAccess,
    path: VirtualPath,
    { encoding, signal }: Opening = {},
  ): Promise<OpenArchive> {
    const file = (await openFile(files, path)) ?? fail('CONFLICT', 'this is a folder', { reason: 'isFolder' })
    await using opened = new AsyncDisposableStack()
    opened.use(file)
    const named = requireFormat(path)
    const format = named === 'zip' ? named : tarFormatOf(await file.head(TAR_HEAD), named)
    const owner = files.countsAs
    const used = opened.use(await indexes.read({ file, format, path, owner, encoding }, signal))
    const open = opened.move()
    return {
      file,
      format,
      index: used.index,
      forgetIndex: () => used[Symbol.dispose](),
      async prepareReading(stopped) {
        const need = await needOf(file, format)
        open.use(await memory.acquire(need.bytes, owner, stopped))
        return need
      },
      async takeNodes(count, stopped) {
        open.use(await memory.acquire(count * NODE_BYTES, owner, stopped))
      },
      [Symbol.asyncDispose]: async () => await open.disposeAsync(),
    }
  }

  /**
   * A folder of an archive, as the JSON of an `ArchiveListing` in parts. The index stays in memory until the caller has read
   * all parts, leaves the loop or aborts.
   *
   * @throws NOT_PERMITTED_HERE, FORBIDDEN, NOT_FOUND, as `openIn`
   */
  async function list(
    actor: Actor,
    text: string,
    inside: string,
    opening: Opening = {},
  ): Promise<AsyncIterable<Uint8Array>> {
    const folder = parseVirtualPath(inside)
    using files = await access.at(actor, text)
    const path = requireReadable(files)
    await using opened = new AsyncDisposableStack()
    const { file, index } = opened.use(await openIn(files, path, opening))
    const [own, rows] = [index.find(folder), index.rowsIn(folder)]
    if (own === undefined || rows === undefined) fail('NOT_FOUND', 'the archive has no such folder')
    const { hideDotfiles, sorting } = files.view('/')
    const shown = hideDotfiles ? rows.filter((row) => !index.nameAt(row).startsWith('.')) : rows
    const top = folder === ROOT ? { name: nameOf(path), modified: createTimeFormat()(file.modified) } : {}
    const { leftOut, encoding } = index
    const rest = { sorting, ...describe(own), ...top, leftOut, ...(encoding && { encoding }) }
    const describeRow = (row: number) => describe(index.nodeIn(folder, row))
    const parts = listingParts(sortedRows(index, shown, sorting), describeRow, rest)
    return thenClosing(parts, opened.move(), opening.signal)
  }

  /** A file of an archive, to send. Dispose of it afterwards. @throws as `list`; CONFLICT for a folder, BUSY */
  async function open(actor: Actor, text: string, inside: string, opening: Opening = {}): Promise<OpenFile> {
    const { signal } = opening
    const target = parseVirtualPath(inside)
    using files = await access.at(actor, text)
    const path = requireReadable(files)
    await using opened = new AsyncDisposableStack()
    const archive = opened.use(await openIn(files, path, opening))
    const { file, format, index } = archive
    const node = index.find(target) ?? fail('NOT_FOUND', 'the archive has no such file')
    if (node.isDir || node.entry === undefined) fail('CONFLICT', 'this is a folder', { reason: 'isFolder' })
    opened.use(
      slots.tryAcquire(files.countsAs) ??
        fail('BUSY', `${MAX_SENT} files of archives are being read already; wait for one of them`, { retryAfter: 10 }),
    )
    archive.forgetIndex()
    // Before the reply begins, so that it can still be a refusal.
    const need = await archive.prepareReading(signal)
    const facts = { archive: file, format, need, entry: node.entry, signal, close: opened.move() }
    return new ArchivedFile(facts, nameOf(target))
  }

  return { list, open, openIn, [Symbol.asyncDispose]: async () => await indexes[Symbol.asyncDispose]() }
}

export type ArchiveContents = ReturnType<typeof createArchiveContents>

/** @throws UNSUPPORTED */
export function requireFormat(path: VirtualPath): ReadableFormat {
  return (
    readableFormat(nameOf(path)) ??
    fail('UNSUPPORTED', 'only zip and tar archives can be looked into', { reason: 'archiveFormat' })
  )
}

/** @throws NOT_PERMITTED_HERE before anything else, so that it reveals nothing about the path; FORBIDDEN */
function requireReadable(files: FileAccess): VirtualPath {
  const { path } = files
  files.require('archives.read', path)
  if (files.given === 'view') fail('FORBIDDEN', 'this is shared with you only for viewing')
  files.requireAllowed(path)
  return path
}

function describe({ path, isDir, size, modified }: ArchiveNode): Resource {
  const name = nameOf(path)
  return {
    path,
    name,
    size,
    extension: isDir ? '' : extensionOf(name),
    modified: createTimeFormat()(modified),
    mode: isDir ? FOLDER_MODE : FILE_MODE,
    isDir,
    isSymlink: false,
    type: isDir ? '' : typeByName(name, size),
  }
}

function sortedRows(index: ArchiveIndex, rows: readonly number[], sorting: Sorting): number[] {
  const columns = {
    name: (row: number) => index.nameAt(row),
    isDir: (row: number) => index.isFolderAt(row),
    size: (row: number) => index.sizeAt(row),
    compareTimes: (a: number, b: number) => index.compareTimes(a, b),
    // Rows are in the byte order of their names.
    compareNames: (a: number, b: number) => a - b,
  }
  return sortListing([...rows], columns, sorting)
}

/** Also closes if the first part is never requested. */
function thenClosing<Part>(
  parts: AsyncIterable<Part>,
  opened: AsyncDisposable,
  signal: AbortSignal | undefined,
): AsyncIterable<Part> {
  signal?.addEventListener('abort', () => void opened[Symbol.asyncDispose](), { once: true })
  return partsThenClosing(parts, opened)
}

async function* partsThenClosing<Part>(
  parts: AsyncIterable<Part>,
  opened: AsyncDisposable,
): AsyncGenerator<Part, void, void> {
  try {
    yield* parts
  } finally {
    await opened[Symbol.asyncDispose]()
  }
}
