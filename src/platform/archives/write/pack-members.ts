import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type ArchiveFormat, safeMemberName } from '../../../domain/files/archives/archive-format.ts'
import { numberedName } from '../../../domain/files/virtual-path.ts'
import type { ArchiveSum } from './compress.ts'
import { ARCHIVE_MEMORY, ARCHIVE_PART, type ArchiveCompressors, compressTar, type TarParts } from './compress-tar.ts'
import type { Member } from './members.ts'
import { inTurn, PartBuffer } from './part-buffer.ts'
import { RECORD, tarHead } from './tar-writer.ts'
import { centralHeader, descriptor, endOfZip, localHeader, type ZipEntry } from './zip-records.ts'

export interface OpenMember {
  readonly member: Member
  /** Undefined for a folder. */
  readonly file: MemberFile | undefined
}

export interface MemberFile extends AsyncDisposable {
  readonly size: number
  /** As many bytes as the size says. Fails if there are fewer. */
  bytes(signal?: AbortSignal): AsyncIterable<Uint8Array>
}

/** An archive of files that come one after the other, wherever they are. A part is valid until the next one is requested. */
export async function* packMembers(
  compressors: ArchiveCompressors,
  format: ArchiveFormat,
  members: AsyncIterable<OpenMember>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const allocate = (bytes: number) => Buffer.allocUnsafeSlow(bytes)
  if (format === 'zip') {
    using _memory = await compressors.memory.acquire(ARCHIVE_MEMORY, signal)
    yield* zipOf(members, new PartBuffer(ARCHIVE_PART, allocate), signal)
  } else {
    const make = ({ partSize, memory, isSummed }: TarParts) =>
      tarOf(members, new PartBuffer(partSize, memory ? inTurn(memory) : allocate, isSummed), signal)
    yield* compressTar(compressors, format, make, signal)
  }
}

/** Files that are opened ahead, because opening a small file may take longer than sending it. */
const AHEAD = 8

/** Each member is closed once the next one is requested. @param open undefined for what is not there any more */
export async function* openAhead<T>(
  planned: AsyncIterable<T>,
  open: (plan: T) => Promise<OpenMember | undefined>,
): AsyncGenerator<OpenMember, void, void> {
  const underway: Promise<OpenMember | undefined>[] = []
  try {
    for await (const plan of planned) {
      const opening = open(plan)
      // Awaited later; an earlier rejection must not count as unhandled.
      opening.catch(() => undefined)
      underway.push(opening)
      if (underway.length >= AHEAD) yield* whileOpen(await underway.shift())
    }
    while (underway.length > 0) yield* whileOpen(await underway.shift())
  } finally {
    for (const opening of underway) {
      const opened = await opening.catch(() => undefined)
      await opened?.file?.[Symbol.asyncDispose]()
    }
  }
}

async function* whileOpen(opened: OpenMember | undefined): AsyncGenerator<OpenMember, void, void> {
  if (opened === undefined) return
  await using _file = opened.file
  yield opened
}

/** A path of names for use in an archive. A changed name gets a number, so that it differs from all others. */
export function safeMemberPath(format: ArchiveFormat, path: string): string {
  const names = path.split('/').map((name) => {
    const safe = safeMemberName(name, format === 'zip' ? 'zip' : 'tar')
    return safe === name ? name : numberedName(safe, createHash('sha256').update(name).digest().readUInt32BE())
  })
  return names.join('/')
}

async function* tarOf(
  members: AsyncIterable<OpenMember>,
  parts: PartBuffer,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, ArchiveSum, void> {
  for await (const { member, file } of members) {
    const size = file?.size ?? 0
    parts.put(tarHead(member, file === undefined ? 'Directory' : 'File', size))
    for await (const bytes of file?.bytes(signal) ?? []) {
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
    for await (const bytes of file?.bytes(signal) ?? []) {
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
