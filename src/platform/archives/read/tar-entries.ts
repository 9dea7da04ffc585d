import { Header, Pax } from 'tar'
import type { Encoding } from '../../../domain/text/encodings.ts'
import { type ArchiveBytes, damaged } from './archive-bytes.ts'
import {
  type ArchiveEntry,
  type EntryKind,
  type EntryPlace,
  decodedName,
  identityOf,
  type ReadName,
  utf8Name,
} from './archive-entry.ts'
import { namesIn, namesInPax, type TarNames, timeInHeader, timeInPax, upToNul } from './tar-headers.ts'

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
  readonly pax?: Pax
  readonly names: TarNames
  readonly modified?: bigint | undefined
  readonly isSparse: boolean
  readonly count: number
}

const NONE: Extension = { names: {}, isSparse: false, count: 0 }
const OWNER_MAY_RUN = 0o100
const SLASH = 0x2f

/** Reads all headers, and skips the content. @throws INVALID_INPUT if it is not a tar, damaged or cut off */
export async function* tarEntries(bytes: ArchiveBytes, encoding?: Encoding): AsyncGenerator<ArchiveEntry, void, void> {
  const extensions = new Extensions(bytes)
  for (let position = 0; ;) {
    const block = await bytes.read(position, RECORD)
    // Some programs write no empty blocks at the end.
    if (block.length === 0 && position > 0) return
    if (block.length < RECORD) throw damaged()
    if (block.every((byte) => byte === 0)) return
    const header = extensions.parseHeader(block)
    const { size = 0, type } = header
    if (!Number.isSafeInteger(size) || size < 0) throw damaged()
    const start = position + RECORD
    const at = type === 'SparseFile' ? await extensions.skipContinued(block, start) : start
    position = at + Math.ceil(size / RECORD) * RECORD
    if (!Number.isSafeInteger(position) || (bytes.size !== undefined && at + size > bytes.size)) throw damaged()
    if (EXTENSIONS.has(type)) await extensions.read(type, at, size)
    else yield { ...entryOf(block, header, extensions.ofEntry(), encoding), size, at }
  }
}

function entryOf(block: Buffer, header: Header, extension: Extension, encoding: Encoding | undefined) {
  // The package decodes names as UTF-8, so that different ones would become one.
  const { path, target } = { ...namesIn(block), ...extension.names }
  const kind = extension.isSparse ? 'sparse' : kindOf(header.type, path)
  const isExecutable = kind === 'file' && ((header.mode ?? 0) & OWNER_MAY_RUN) !== 0
  return {
    ...readName(path, encoding),
    kind,
    modified: extension.modified ?? timeInHeader(header),
    ...(kind === 'hardLink' && { target: identityOf(readName(target, encoding)) }),
    ...(isExecutable && { isExecutable }),
  }
}

/** The headers that describe the next entry, or all that follow. */
class Extensions {
  readonly #bytes: ArchiveBytes
  #next = NONE
  #global: Pax | undefined
  #globalTime: bigint | undefined
  #size = 0

  constructor(bytes: ArchiveBytes) {
    this.#bytes = bytes
  }

  /** Translates the errors that the package throws for malformed numbers. @throws INVALID_INPUT */
  parseHeader(block: Buffer): Header {
    try {
      const header = new Header(block, 0, this.#next.pax, this.#global)
      if (header.cksumValid) return header
    } catch (error) {
      throw damaged(error)
    }
    throw damaged()
  }

  /**
   * Old sparse files need further headers if their holes do not fit into one.
   *
   * @param start after the main header
   * @returns where the content starts
   */
  async skipContinued(block: Buffer, start: number): Promise<number> {
    let at = start
    let isContinued = block[CONTINUED_IN_HEADER] === 1
    for (; isContinued && this.#size <= MAX_EXTENSIONS_BYTES; at += RECORD, this.#size += RECORD)
      isContinued = (await this.#bytes.read(at, RECORD))[CONTINUED_IN_EXTENSION] === 1
    return at
  }

  async read(type: Header['type'], at: number, size: number): Promise<void> {
    this.#size += size
    const { count } = this.#next
    if (size > MAX_EXTENSION || count === MAX_EXTENSIONS || this.#size > MAX_EXTENSIONS_BYTES) throw damaged()
    const content = await this.#bytes.read(at, size)
    if (type === 'GlobalExtendedHeader') {
      const text = content.toString('utf8')
      this.#global = Pax.parse(text, this.#global, true)
      this.#globalTime = timeInPax(text) ?? this.#globalTime
    }
    this.#next = { ...withExtension(this.#next, type, content), count: count + 1 }
  }

  /** What they say about the entry that follows; the next entry starts anew. */
  ofEntry(): Extension {
    const { modified = this.#globalTime, ...next } = this.#next
    this.#next = NONE
    return { ...next, modified }
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

const KINDS = new Map<Header['type'], EntryKind>([
  ['File', 'file'],
  ['OldFile', 'file'],
  ['ContiguousFile', 'file'],
  ['Directory', 'folder'],
  ['GNUDumpDir', 'folder'],
  ['Link', 'hardLink'],
  ['SymbolicLink', 'link'],
  ['SparseFile', 'sparse'],
])

/** A tar does not say the encoding of a name that is not UTF-8. The name keeps its bytes unless a person chooses an encoding. */
function readName(bytes: Uint8Array, chosen: Encoding | undefined): ReadName {
  const read = utf8Name(bytes)
  if (read.name.isWellFormed()) return read
  return chosen === undefined ? { ...read, encoding: 'utf-8' } : decodedName(bytes, chosen)
}

function kindOf(type: Header['type'], path: Buffer): EntryKind {
  const kind = KINDS.get(type) ?? 'special'
  // As tar wrote folders before it had a type for them.
  return kind === 'file' && path.at(-1) === SLASH ? 'folder' : kind
}

const LONG_NAMES: ReadonlySet<Header['type']> = new Set(['NextFileHasLongPath', 'OldGnuLongPath'])
const LONG_TARGET: Header['type'] = 'NextFileHasLongLinkpath'
const PAX_HEADERS: ReadonlySet<Header['type']> = new Set(['ExtendedHeader', 'OldExtendedHeader'])
const EXTENSIONS: ReadonlySet<Header['type']> = new Set([
  ...LONG_NAMES,
  ...PAX_HEADERS,
  'GlobalExtendedHeader',
  LONG_TARGET,
])

function withExtension(next: Extension, type: Header['type'], content: Buffer): Extension {
  const { names } = next
  if (LONG_NAMES.has(type)) return { ...next, names: { ...names, path: upToNul(content) } }
  if (type === LONG_TARGET) return { ...next, names: { ...names, target: upToNul(content) } }
  if (!PAX_HEADERS.has(type)) return next
  const text = content.toString('utf8')
  return {
    ...next,
    pax: Pax.parse(text, next.pax),
    names: { ...names, ...namesInPax(content) },
    modified: timeInPax(text) ?? next.modified,
    // A GNU sparse file lacks its holes and has a map of them, so its content cannot be extracted as it is.
    isSparse: next.isSparse || text.includes(' GNU.sparse.'),
  }
}
