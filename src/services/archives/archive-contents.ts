import type { Actor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import { type ReadableFormat, readableFormat } from '../../domain/files/archive-format.ts'
import { compareBytes, sortListing } from '../../domain/files/listing-order.ts'
import { extensionOf, typeByName } from '../../domain/files/media/media-type.ts'
import type { Resource } from '../../domain/files/resource.ts'
import type { Sorting } from '../../domain/files/sorting.ts'
import { nameOf, parseVirtualPath, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { readArchive } from '../../platform/archives/archive-reader.ts'
import { listingParts } from '../../platform/files/listing-parts.ts'
import { createLimiter, Slots } from '../../platform/limits/limiter.ts'
import type { OpenFile } from '../../storage/storage.ts'
import type { AccessService, FileAccess } from '../access/access.ts'
import { openFile } from '../files/open-file.ts'
import { ArchiveIndex, type ArchiveNode } from './archive-index.ts'
import { ArchivedFile } from './archived-file.ts'

/** The types of Go's `FileMode`, and the permissions that new entries usually get: those in archives are not used. */
const FOLDER_MODE = 2 ** 31 + 0o755
const FILE_MODE = 0o644

/** Bytes of all indexes that are kept, roughly, so that walking through the folders of an archive reads it once. */
const MAX_KEPT = 128 * 1024 * 1024
/** Limits for archives that are indexed at the same time. Those compressed as a whole keep a processor busy for long. */
const QUICK = { concurrent: 4, waiting: 64 }
const SLOW = { concurrent: 2, waiting: 16 }
/** Files of archives that are sent to one user at the same time. */
const MAX_SENT = 8

/** An archive that is open, and what is in it. */
export interface OpenArchive extends AsyncDisposable {
  readonly file: OpenFile
  readonly format: ReadableFormat
  readonly index: ArchiveIndex
}

/** Lists and reads archives of the user. Nothing is unpacked to the disk. */
export function createArchiveContents({ access }: { readonly access: Pick<AccessService, 'for'> }) {
  const [quick, slow] = [createLimiter(QUICK), createLimiter(SLOW)]
  const slots = new Slots<string>(MAX_SENT)
  /** The least recently used first. */
  const kept = new Map<string, ArchiveIndex>()

  const keep = (key: string, index: ArchiveIndex): void => {
    kept.delete(key)
    kept.set(key, index)
    let weight = [...kept.values()].reduce((sum, each) => sum + each.weight, 0)
    for (const [oldest, { weight: removed }] of kept) {
      if (weight <= MAX_KEPT) return
      kept.delete(oldest)
      weight -= removed
    }
  }

  /**
   * Opens a file as an archive. The caller has checked that the user may read it.
   *
   * @throws UNSUPPORTED if its name is not that of an archive, INVALID_INPUT if it is damaged, TOO_LARGE for a bomb, BUSY
   */
  async function openIn(files: FileAccess, path: VirtualPath, signal?: AbortSignal): Promise<OpenArchive> {
    const file = (await openFile(files, path)) ?? fail('CONFLICT', 'this is a folder')
    await using opened = new AsyncDisposableStack()
    opened.use(file)
    const format = requireFormat(path)
    // Inode numbers are reused, and two disks may have the same ones.
    const key = [files.countsAs, path, file.inode, file.size, file.modified].join('\0')
    const read = async () => {
      await using reader = await readArchive(file, format, signal)
      return await ArchiveIndex.of(reader.entries(), file.size)
    }
    const limiter = format === 'zip' || format === 'tar' ? quick : slow
    const index = kept.get(key) ?? (await limiter.run(read, signal, files.countsAs))
    keep(key, index)
    const moved = opened.move()
    return { file, format, index, [Symbol.asyncDispose]: async () => await moved.disposeAsync() }
  }

  /**
   * A folder of an archive, as the JSON of an `ArchiveListing` in parts.
   *
   * @throws NOT_PERMITTED_HERE, FORBIDDEN, NOT_FOUND, as `openIn`
   */
  async function list(
    actor: Actor,
    text: string,
    inside: string,
    signal?: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    const folder = parseVirtualPath(inside)
    using files = await access.for(actor)
    const path = requireReadable(files, text)
    await using archive = await openIn(files, path, signal)
    const { index } = archive
    const [own, children] = [index.find(folder), index.children(folder)]
    if (own === undefined || children === undefined) fail('NOT_FOUND', 'the archive has no such folder')
    const { hideDotfiles, sorting } = files.view('/')
    const shown = hideDotfiles ? children.filter((node) => !nameOf(node.path).startsWith('.')) : children
    const top = folder === ROOT ? { name: nameOf(path), modified: timeOf(archive.file) } : {}
    return listingParts(sorted(shown, sorting), describe, { sorting, ...describe(own), ...top, leftOut: index.leftOut })
  }

  /** A file of an archive, to send. Dispose of it afterwards. @throws as `list`; CONFLICT for a folder, BUSY */
  async function open(actor: Actor, text: string, inside: string, signal?: AbortSignal): Promise<OpenFile> {
    const target = parseVirtualPath(inside)
    using files = await access.for(actor)
    const path = requireReadable(files, text)
    await using opened = new AsyncDisposableStack()
    const { file, format, index } = opened.use(await openIn(files, path, signal))
    const node = index.find(target) ?? fail('NOT_FOUND', 'the archive has no such file')
    if (node.isDir || node.entry === undefined) fail('CONFLICT', 'this is a folder')
    opened.use(
      slots.take(files.countsAs) ??
        fail('BUSY', `${MAX_SENT} files of archives are being read already; wait for one of them`, { retryAfter: 10 }),
    )
    return new ArchivedFile({ archive: file, format, entry: node.entry, signal, close: opened.move() }, nameOf(target))
  }

  return { list, open, openIn }
}

export type ArchiveContents = ReturnType<typeof createArchiveContents>

/** @throws UNSUPPORTED */
export function requireFormat(path: VirtualPath): ReadableFormat {
  return readableFormat(nameOf(path)) ?? fail('UNSUPPORTED', 'only zip and tar archives can be looked into')
}

/** @throws NOT_PERMITTED_HERE before anything else, so that it reveals nothing about the path; FORBIDDEN */
function requireReadable(files: FileAccess, text: string): VirtualPath {
  files.require('archives.read')
  const path = files.pathOf(text)
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
    modified: new Date(modified).toISOString(),
    mode: isDir ? FOLDER_MODE : FILE_MODE,
    isDir,
    isSymlink: false,
    type: isDir ? '' : typeByName(name, size),
  }
}

function timeOf({ modified }: OpenFile): string {
  return new Date(Number(modified / 1_000_000n)).toISOString()
}

function sorted(nodes: readonly ArchiveNode[], sorting: Sorting): ArchiveNode[] {
  const names = nodes.map(({ path }) => nameOf(path))
  const nameAt = (index: number) => names[index] ?? ''
  const timeAt = (index: number) => nodes[index]?.modified ?? 0
  const order = sortListing(
    [...nodes.keys()],
    {
      name: nameAt,
      isDir: (index) => nodes[index]?.isDir === true,
      size: (index) => nodes[index]?.size ?? 0,
      compareTimes: (a, b) => timeAt(a) - timeAt(b),
      compareNames: (a, b) => compareBytes(nameAt(a), nameAt(b)),
    },
    sorting,
  )
  return order.flatMap((index) => nodes[index] ?? [])
}
