import { Header, Pax } from 'tar'
import { type ArchiveBytes, damaged } from './archive-bytes.ts'
import type { ArchiveEntry, EntryPlace } from './archive-entry.ts'
import { timeInHeader, timeInPax } from './entry-time.ts'

const RECORD = 512
/** Offsets of the flag that another header of an old GNU sparse file follows: in the main header, and in each further one. */
const CONTINUED_IN_HEADER = 482
const CONTINUED_IN_EXTENSION = 504
/** Bytes of a header that describes the next entry; long, because it may have extended attributes. */
const MAX_EXTENSION = 1024 * 1024
/** Headers before one entry: an endless series of them would evade all limits on entries. */
const MAX_EXTENSIONS = 16
/** Bytes of all such headers. The attack is a small archive with terabytes of headers, which no limit on entries counts. */
const MAX_EXTENSIONS_BYTES = 64 * 1024 * 1024

/** What headers say about the next entry. */
interface Extension {
  pax: Pax | undefined
  modified: bigint | undefined
  isSparse: boolean
  count: number
}

const NO_EXTENSION: Extension = { pax: undefined, modified: undefined, isSparse: false, count: 0 }

/** Reads all headers, and skips the content. @throws INVALID_INPUT if it is not a tar, damaged or cut off */
export async function* tarEntries(bytes: ArchiveBytes): AsyncGenerator<ArchiveEntry, void, void> {
  let global: Pax | undefined
  let globalTime: bigint | undefined
  let next: Extension = { ...NO_EXTENSION }
  let extensionBytes = 0
  for (let position = 0; ;) {
    const block = await bytes.read(position, RECORD)
    // Some programs write no empty blocks at the end.
    if (block.length === 0 && position > 0) return
    if (block.length < RECORD) throw damaged()
    if (block.every((byte) => byte === 0)) return
    const header = parseHeader(block, next.pax, global)
    const { size = 0, type } = header
    if (!Number.isSafeInteger(size) || size < 0) throw damaged()
    let at = position + RECORD
    // Old sparse files need further headers if their holes do not fit into one.
    let isContinued = type === 'SparseFile' && block[CONTINUED_IN_HEADER] === 1
    for (; isContinued && extensionBytes <= MAX_EXTENSIONS_BYTES; at += RECORD, extensionBytes += RECORD)
      isContinued = (await bytes.read(at, RECORD))[CONTINUED_IN_EXTENSION] === 1
    position = at + Math.ceil(size / RECORD) * RECORD
    if (!Number.isSafeInteger(position) || (bytes.size !== undefined && at + size > bytes.size)) throw damaged()
    if (EXTENSIONS.has(type)) {
      extensionBytes += size
      if (size > MAX_EXTENSION || next.count === MAX_EXTENSIONS || extensionBytes > MAX_EXTENSIONS_BYTES)
        throw damaged()
      const text = (await bytes.read(at, size)).toString('utf8')
      if (type === 'GlobalExtendedHeader') {
        global = Pax.parse(text, global, true)
        globalTime = timeInPax(text) ?? globalTime
      }
      next = { ...withExtension(next, type, text), count: next.count + 1 }
      continue
    }
    // `header.path` would put the ustar prefix even before a pax path, which is already complete.
    const name = next.pax?.path ?? header.path ?? ''
    const kind = next.isSparse ? 'other' : (KINDS.get(type) ?? 'other')
    const modified = next.modified ?? globalTime ?? timeInHeader(header)
    next = { ...NO_EXTENSION }
    yield { name, kind, size, modified, at }
  }
}

/** The end is not included. @throws INVALID_INPUT if the archive ends before */
export async function* tarContent(
  bytes: ArchiveBytes,
  { at }: EntryPlace,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, void> {
  let missing = end - start
  for await (const part of bytes.parts(at + start, at + end)) {
    missing -= part.length
    yield part
  }
  if (missing > 0) throw damaged()
}

/** Translates the errors that the package throws for malformed numbers. @throws INVALID_INPUT */
function parseHeader(block: Buffer, pax: Pax | undefined, global: Pax | undefined): Header {
  try {
    const header = new Header(block, 0, pax, global)
    if (header.cksumValid) return header
  } catch (error) {
    throw damaged(error)
  }
  throw damaged()
}

const KINDS = new Map<Header['type'], ArchiveEntry['kind']>([
  ['File', 'file'],
  ['OldFile', 'file'],
  ['ContiguousFile', 'file'],
  ['Directory', 'folder'],
  ['GNUDumpDir', 'folder'],
])

const LONG_NAMES: ReadonlySet<Header['type']> = new Set(['NextFileHasLongPath', 'OldGnuLongPath'])
const PAX_HEADERS: ReadonlySet<Header['type']> = new Set(['ExtendedHeader', 'OldExtendedHeader'])
const EXTENSIONS: ReadonlySet<Header['type']> = new Set([
  ...LONG_NAMES,
  ...PAX_HEADERS,
  'GlobalExtendedHeader',
  'NextFileHasLongLinkpath',
])

function withExtension(next: Extension, type: Header['type'], text: string): Extension {
  if (LONG_NAMES.has(type)) {
    const pax = new Pax(next.pax ?? {})
    pax.path = text.replace(/\0.*/s, '')
    return { ...next, pax }
  }
  if (!PAX_HEADERS.has(type)) return next
  // A GNU sparse file lacks its holes and has a map of them, so its content cannot be extracted as it is.
  const modified = timeInPax(text) ?? next.modified
  return { ...next, pax: Pax.parse(text, next.pax), modified, isSparse: next.isSparse || text.includes(' GNU.sparse.') }
}
