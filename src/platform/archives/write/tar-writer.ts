import { Header, Pax } from 'tar'
import { partsOfTime, secondsText } from '../../../domain/files/file-time.ts'
import { bytesOfText } from '../../../domain/files/name-text.ts'
import type { ArchiveWriter, Member, Source, Steps } from './members.ts'
import type { PartBuffer } from './part-buffer.ts'

/** Bytes of a block; the content of each member is padded to a multiple of it. */
export const RECORD = 512
/** Bytes of the field for a name. */
const MAX_NAME = 100
const CHECKSUM = { start: 148, end: 156 }

/** Writes a tar, with pax headers for long names, non-ASCII names and sizes over 8 GiB. */
export class TarWriter implements ArchiveWriter {
  readonly names = 'tar'
  readonly isDone = false
  readonly #parts: PartBuffer

  constructor(parts: PartBuffer) {
    this.#parts = parts
  }

  folder(member: Member): void {
    this.#parts.put(tarHead(member, 'Directory', 0))
  }

  *file(member: Member, source: Source): Steps<number> {
    const { size } = source.stats
    this.#parts.put(tarHead(member, 'File', size))
    let done = 0
    while (done < size) {
      const count = source.read(this.#parts.room.subarray(0, size - done), done)
      if (count === 0) break
      done += count
      this.#parts.advance(count)
      yield* this.#parts.take()
      yield
    }
    // The header already states the size, so a file that became shorter is padded with zeros, perhaps gigabytes of them.
    const padding = (RECORD - (size % RECORD)) % RECORD
    for (let missing = size - done + padding; missing > 0;) {
      const piece = Math.min(missing, this.#parts.room.length)
      this.#parts.putZeros(piece)
      missing -= piece
      yield* this.#parts.take()
      yield
    }
    return done
  }

  *end(): Steps {
    this.#parts.putZeros(2 * RECORD)
    yield* this.#parts.take()
  }
}

/** The blocks before the content of a member. */
export function tarHead({ name, mode, modified }: Member, type: 'File' | 'Directory', size: number): Buffer {
  const isText = name.isWellFormed()
  const { seconds, nanos } = partsOfTime(modified)
  const block = Buffer.alloc(RECORD)
  const fields = { ...(isText && { path: name }), size }
  const header = new Header({ path: '', ...fields, mtime: new Date(seconds * 1000), type, mode })
  const needsPax = header.encode(block, 0)
  const records = needsPax ? new Pax(fields).encodeBody() : ''
  const blocks = needsPax || nanos !== 0 ? [paxBlocks(records + timeRecord(modified)), block] : [block]
  return Buffer.concat(isText ? blocks : [...namedByBytes(block, bytesOfText(name)), ...blocks])
}

/** Describes the next member where its header cannot. */
function paxBlocks(records: string): Buffer {
  const body = Buffer.from(records)
  const blocks = Buffer.alloc(RECORD + Math.ceil(body.length / RECORD) * RECORD)
  new Header({ path: 'PaxHeader', size: body.length, mtime: new Date(0), type: 'ExtendedHeader', mode: 0o644 }).encode(
    blocks,
    0,
  )
  body.copy(blocks, RECORD)
  return blocks
}

/** The header has whole seconds only. A record begins with its own length. */
function timeRecord(modified: bigint): string {
  const rest = ` mtime=${secondsText(modified)}\n`
  // Two digits: no time is longer.
  return `${rest.length + 2}${rest}`
}

/**
 * Names a header by bytes that are not UTF-8, which pax headers cannot have.
 *
 * @returns the blocks before it: the older header for names that are longer than its field
 */
function namedByBytes(block: Buffer, name: Uint8Array): Buffer[] {
  block.set(name.subarray(0, MAX_NAME))
  sign(block)
  if (name.length <= MAX_NAME) return []
  const long = Buffer.alloc(RECORD)
  new Header({ path: '././@LongLink', type: 'NextFileHasLongPath', size: name.length + 1, mode: 0 }).encode(long, 0)
  const content = Buffer.alloc(Math.ceil((name.length + 1) / RECORD) * RECORD)
  content.set(name)
  return [long, content]
}

/** Writes the checksum of a header, which counts itself as spaces. */
function sign(block: Buffer): void {
  block.fill(' ', CHECKSUM.start, CHECKSUM.end)
  const sum = block.reduce((all, byte) => all + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, CHECKSUM.start, 'latin1')
}
