import { fail, isFilemgrError, throwIfCancelled } from '../../../domain/errors.ts'
import { isSeekable } from '../../../domain/files/archives/archive-format.ts'
import { isTimeHeld } from '../../../domain/files/file-time.ts'
import { below, childOf, relativeTo, ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { type LeftOutEntry, type LeftOutReason, LEFT_OUT_TEXTS } from '../../../domain/files/left-out.ts'
import type { Settings } from '../../../domain/settings/settings.ts'
import { type ArchiveReader, readArchive } from '../../../platform/archives/read/archive-reader.ts'
import type { JobControl } from '../../../platform/limits/job-queue.ts'
import type { StagedFolder, Work } from '../../../storage/storage.ts'
import type { OpenArchive } from './archive-contents.ts'
import type { ArchiveNode } from './archive-index.ts'
import { MadeBody } from './made-body.ts'

/** What is extracted, and under which name it appears in the destination. */
export interface ExtractedItem {
  readonly node: ArchiveNode
  readonly name: string
}

interface Unpacking {
  readonly archive: OpenArchive
  readonly items: readonly ExtractedItem[]
  readonly staged: StagedFolder
  readonly modes: Pick<Settings, 'fileMode' | 'dirMode'>
  readonly control: JobControl & Pick<Work, 'admit' | 'admitFolder'>
}

interface UnpackedFile {
  readonly at: number
  readonly to: VirtualPath
}

/** An entry that is being made. */
interface Underway {
  readonly node: ArchiveNode
  readonly to: VirtualPath
  /** Why it is left out; undefined if it is complete. */
  readonly making: Promise<LeftOutReason | undefined>
}

/**
 * Small files mostly wait for the disk, which brings several to safety in one go. More would need more memory than an archive
 * has.
 */
const LANES = 4

/**
 * Unpacks items into a staged folder: folders first, then files in the order of the archive, and one by one if it can only be read
 * forwards. Entries that cannot be unpacked are left out; the others are complete.
 *
 * @param before what the archive has that cannot become files at all
 * @returns the items that are there
 * @throws INVALID_INPUT or UNSUPPORTED if nothing can be unpacked
 */
export async function unpack(unpacking: Unpacking, before: readonly LeftOutEntry[]): Promise<ExtractedItem[]> {
  const { archive, items, control } = unpacking
  const entries = items
    .flatMap((item) => [...archive.index.within(item.node)].map((node) => ({ node, to: pathOf(item, node) })))
    .toSorted((a, b) => positionOf(a.node) - positionOf(b.node))
  const missing = new Set<VirtualPath>()
  const lost = before.filter(({ as }) => as === undefined)
  const need = await archive.prepareReading(control.signal)
  await using reader = await readArchive(archive.file, archive.format, need, control.signal)
  let files = 0
  let last: UnpackedFile | undefined
  const folders: { readonly to: VirtualPath; readonly modified: bigint }[] = []
  const lanes = isSeekable(archive.format) ? LANES : 1
  const underway: Underway[] = []
  const leaving = new AbortController()
  const own = { ...unpacking, control: { ...control, signal: AbortSignal.any([control.signal, leaving.signal]) } }
  const awaitFirst = async () => {
    const first = underway.shift()
    if (first === undefined) return
    const { node, to, making } = first
    const reason = await making
    if (reason !== undefined) {
      missing.add(to)
      lost.push({ name: node.path.slice(1), reason })
      control.leftOut(node.path.slice(1), reason)
    } else if (!node.isDir) {
      files += 1
      last = { at: positionOf(node), to }
    } else if (node.entry !== undefined) folders.push({ to, modified: node.modified })
  }
  try {
    for (const { node, to } of entries) {
      throwIfCancelled(control.signal)
      const making = node.isDir ? makeFolder(own, to) : writeFile(own, reader, node, to, last)
      // Awaited in order; an earlier rejection must not count as unhandled.
      making.catch(() => undefined)
      underway.push({ node, to, making })
      // Files need their folders.
      while (underway.length >= (node.isDir ? 1 : lanes)) await awaitFirst()
    }
    while (underway.length > 0) await awaitFirst()
  } finally {
    leaving.abort()
    await Promise.allSettled(underway.map(({ making }) => making))
  }
  for (const { to, modified } of folders) await unpacking.staged.setFolderTime(to, modified)
  const kept = items.filter((item) => !missing.has(pathOf(item, item.node)))
  const isNothing =
    kept.length === 0 || (files === 0 && (entries.some(({ node }) => !node.isDir) || entries.length === 1))
  if (isNothing && lost[0] !== undefined) failAll(lost[0], lost.length)
  return kept
}

/** Where a node of an item is in the staged folder. */
function pathOf({ node: top, name }: ExtractedItem, { path }: ArchiveNode): VirtualPath {
  return below(childOf(ROOT, name), relativeTo(top.path, path))
}

function positionOf({ isDir, entry }: ArchiveNode): number {
  return isDir ? -1 : (entry?.at ?? 0)
}

async function makeFolder({ staged, modes, control }: Unpacking, to: VirtualPath): Promise<LeftOutReason | undefined> {
  try {
    await staged.makeFolder(to, modes.dirMode)
    control.admitFolder?.(1)
    return undefined
  } catch (error) {
    return refusalBy(error)
  }
}

/** @param last the file before: a hard link to it has the same content, which cannot be read twice from a compressed tar */
async function writeFile(
  { archive, staged, modes, control }: Unpacking,
  reader: ArchiveReader,
  node: ArchiveNode,
  to: VirtualPath,
  last: UnpackedFile | undefined,
): Promise<LeftOutReason | undefined> {
  const { size: length, modified, entry } = node
  const fileMode = entry?.isExecutable === true ? executable(modes.fileMode) : modes.fileMode
  const mode = { replace: false, fileMode, folderMode: modes.dirMode, length, signal: control.signal, modified }
  const isLinked = last !== undefined && last.at === entry?.at
  const body = new MadeBody(counted(isLinked ? contentOf(staged, last.to) : contentIn(reader, node), control))
  try {
    const written = await staged.write(to, body.stream, mode)
    // Some disks cannot hold every time.
    if (!isTimeHeld(modified, written.modified))
      control.leftOut(`${node.path.slice(1)} (modification time)`, 'attributes')
    control.advance(0, 1)
    control.admit?.(length)
    return undefined
  } catch (error) {
    if (body.failure === undefined) return refusalBy(error)
    const reason = archive.format === 'zip' ? faultOf(body.failure, node) : undefined
    if (reason === undefined) throw body.failure
    return reason
  }
}

/** Who may read it may run it. Other permissions in an archive are not used. */
function executable(mode: number): number {
  return mode | ((mode & 0o444) >> 2)
}

/** The storage reserves this name, cannot have it, or does not distinguish it from another one. @throws any other error */
function refusalBy(error: unknown): LeftOutReason {
  if (isFilemgrError(error, 'CONFLICT')) return 'taken'
  if (isFilemgrError(error, 'FORBIDDEN', 'INVALID_INPUT')) return 'name'
  throw error
}

/** What is wrong with one file of a zip, whose others can still be read. */
function faultOf(error: Error, { entry }: ArchiveNode): LeftOutReason | undefined {
  if (isFilemgrError(error, 'INVALID_INPUT')) return 'damaged'
  if (!isFilemgrError(error, 'UNSUPPORTED')) return undefined
  return entry?.zip?.isEncrypted === true ? 'encrypted' : 'unsupported'
}

/** Reasons of the same errors for a single file. */
const REASONS: Readonly<Partial<Record<LeftOutReason, string>>> = {
  damaged: 'damaged',
  encrypted: 'encrypted',
  unsupported: 'compression',
}

function failAll({ name, reason }: LeftOutEntry, count: number): never {
  const more = count === 1 ? '' : ` and ${count - 1} more`
  const code = reason === 'damaged' ? 'INVALID_INPUT' : 'UNSUPPORTED'
  const first = `"${name}" (${LEFT_OUT_TEXTS[reason]})`
  const text = `nothing can be extracted from this archive: not ${first}${more}`
  return fail(code, text, { explained: true, reason: REASONS[reason] ?? 'archiveEmpty' })
}

async function* counted(parts: AsyncIterable<Uint8Array>, control: JobControl): AsyncGenerator<Uint8Array, void, void> {
  for await (const part of parts) {
    control.advance(part.length, 0)
    yield part
  }
}

async function* contentIn(reader: ArchiveReader, { entry }: ArchiveNode): AsyncGenerator<Uint8Array, void, void> {
  if (entry !== undefined) yield* reader.content(entry)
}

async function* contentOf(staged: StagedFolder, path: VirtualPath): AsyncGenerator<Uint8Array, void, void> {
  await using file = await staged.open(path)
  if (file.size > 0) for await (const part of file.stream(0, file.size - 1)) yield part as Uint8Array
}
