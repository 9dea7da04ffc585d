import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isFilemgrError } from '../../domain/errors.ts'
import type { Visibility } from '../../domain/access/rule-check.ts'
import {
  type ArchiveFormat,
  safeMemberName,
  type ArchiveSelection,
} from '../../domain/files/archives/archive-format.ts'
import type { LeftOutList } from '../../domain/files/left-out.ts'
import { isInside, nameOf, numberedName, parentOf, ROOT } from '../../domain/files/virtual-path.ts'
import type { ArchiveSum } from '../../platform/archives/write/compress.ts'
import {
  ARCHIVE_MEMORY,
  ARCHIVE_PART,
  type ArchiveCompressors,
  compressTar,
  type TarParts,
} from '../../platform/archives/write/compress-tar.ts'
import { inTurn, PartBuffer } from '../../platform/archives/write/part-buffer.ts'
import { RECORD, tarHead } from '../../platform/archives/write/tar-writer.ts'
import {
  centralHeader,
  descriptor,
  endOfZip,
  localHeader,
  type ZipEntry,
} from '../../platform/archives/write/zip-records.ts'
import { type BucketFile, openObject } from './bucket-file.ts'
import { type BucketRoot, isShownIn, keyOf, lookUp } from './bucket-root.ts'
import { MODE_OF_FILE, MODE_OF_FOLDER } from './describe.ts'
import { shownEntries } from './tree.ts'

/** Files that are opened ahead, because requesting a small file takes longer than sending it. */
const AHEAD = 8

/** The archive as a stream. Its size is not announced, because files may be removed before their turn. */
export async function* archiveParts(
  root: BucketRoot,
  compressors: ArchiveCompressors,
  selection: ArchiveSelection,
  seen: SeenBy,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const { format } = selection
  const members = () => openAhead(root, membersOf(root, selection, seen, signal))
  const allocate = (bytes: number) => Buffer.allocUnsafeSlow(bytes)
  if (format === 'zip') {
    using _memory = await compressors.memory.acquire(ARCHIVE_MEMORY, signal)
    yield* zipOf(members(), new PartBuffer(ARCHIVE_PART, allocate), signal)
  } else {
    const make = ({ partSize, memory, isSummed }: TarParts) =>
      tarOf(members(), new PartBuffer(partSize, memory ? inTurn(memory) : allocate, isSummed), signal)
    yield* compressTar(compressors, format, make, signal)
  }
}

interface SeenBy {
  readonly visibility: Visibility
  /** Gets the names that the archive cannot have. */
  readonly leftOut: LeftOutList
}

interface PlannedMember {
  readonly name: string
  /** Undefined for a folder. */
  readonly key: string | undefined
  /** Time of a folder, in nanoseconds since 1970. */
  readonly stored: bigint
}

interface OpenMember {
  readonly member: { readonly name: string; readonly mode: number; readonly modified: bigint }
  /** Undefined for a folder. */
  readonly file: BucketFile | undefined
}

/** Skips items that are missing or invisible. */
async function* membersOf(
  root: BucketRoot,
  { base, items, format }: ArchiveSelection,
  { visibility, leftOut }: SeenBy,
  signal?: AbortSignal,
): AsyncGenerator<PlannedMember, void, void> {
  const safePath = (path: string): string => {
    const safe = safePathIn(format, path)
    if (safe !== path) leftOut.add(path, 'renamed', safe)
    return safe
  }
  const isShown = isShownIn(visibility)
  for (const item of items) {
    if (item !== ROOT && !isShown(parentOf(item), nameOf(item))) continue
    const found = await orNothing(async () => await lookUp(root, keyOf(root, item)))
    if (found === undefined || !isInside(base, item)) continue
    const name = safePath(item.slice(base === ROOT ? 1 : base.length + 1))
    if (found.kind === 'file') {
      yield { name: name || safePath(nameOf(item) || root.rootName), key: found.key, stored: 0n }
      continue
    }
    if (name !== '') yield { name, key: undefined, stored: 0n }
    for await (const entries of shownEntries(root, item, visibility, signal))
      for (const { path, object, stored } of entries)
        yield { name: [name, safePath(path)].filter((part) => part !== '').join('/'), key: object?.key, stored }
  }
}

async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (isFilemgrError(error, 'NOT_FOUND', 'FORBIDDEN')) return undefined
    throw error
  }
}

/** A path of names for use in an archive. A changed name gets a number, so that it differs from all others. */
function safePathIn(format: ArchiveFormat, path: string): string {
  const names = path.split('/').map((name) => {
    const safe = safeMemberName(name, format === 'zip' ? 'zip' : 'tar')
    return safe === name ? name : numberedName(safe, createHash('sha256').update(name).digest().readUInt32BE())
  })
  return names.join('/')
}

async function* openAhead(
  root: BucketRoot,
  members: AsyncIterable<PlannedMember>,
): AsyncGenerator<OpenMember, void, void> {
  const underway: Promise<OpenMember | undefined>[] = []
  const open = async ({ name, key, stored }: PlannedMember): Promise<OpenMember | undefined> => {
    if (key === undefined) return { member: { name, mode: MODE_OF_FOLDER & 0o777, modified: stored }, file: undefined }
    const file = await openObject(root.bucket, key, name)
    return file && { member: { name, mode: MODE_OF_FILE, modified: file.modified }, file }
  }
  for await (const member of members) {
    const opening = open(member)
    // Awaited later; an earlier rejection must not count as unhandled.
    opening.catch(() => undefined)
    underway.push(opening)
    const first = underway.length >= AHEAD ? await underway.shift() : undefined
    if (first !== undefined) yield first
  }
  for (const opening of underway) {
    const opened = await opening
    if (opened !== undefined) yield opened
  }
}

async function* tarOf(
  members: AsyncIterable<OpenMember>,
  parts: PartBuffer,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, ArchiveSum, void> {
  for await (const { member, file } of members) {
    const size = file?.size ?? 0
    parts.put(tarHead(member, file === undefined ? 'Directory' : 'File', size))
    for await (const bytes of file?.bytes({ start: 0, end: size }, signal) ?? []) {
      parts.put(bytes)
      yield* parts.take()
    }
    parts.putZeros((RECORD - (size % RECORD)) % RECORD)
    yield* parts.take()
  }
  parts.putZeros(2 * RECORD)
  yield* parts.take(true)
  return { crc: parts.crc, size: parts.written, leftOut: [] }
}

async function* zipOf(
  members: AsyncIterable<OpenMember>,
  parts: PartBuffer,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  const directory: Buffer[] = []
  for await (const { member, file } of members) {
    const size = file?.size ?? 0
    const isFolder = file === undefined
    const entry: ZipEntry = { ...member, isFolder, hasDescriptor: !isFolder, crc: 0, size, offset: parts.written }
    parts.put(localHeader(entry))
    let crc = 0
    for await (const bytes of file?.bytes({ start: 0, end: size }, signal) ?? []) {
      crc = crc32(bytes, crc)
      parts.put(bytes)
      yield* parts.take()
    }
    if (!isFolder) parts.put(descriptor({ ...entry, crc }))
    directory.push(centralHeader({ ...entry, crc }))
  }
  const offset = parts.written
  for (const header of directory) {
    parts.put(header)
    yield* parts.take()
  }
  parts.put(endOfZip({ count: directory.length, offset, length: parts.written - offset }))
  yield* parts.take(true)
}
