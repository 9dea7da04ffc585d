import { crc32, deflateRawSync } from 'node:zlib'
import { looksBinary, SNIFFED_BYTES } from '../../../../domain/files/media/media-type.ts'
import type { ArchiveWriter, Member, Reader, Steps } from './members.ts'
import { DEFLATE_END, deflateBlock, DICTIONARY, dictionaryOf } from './codecs/deflate-block.ts'
import type { PartBuffer } from './part-buffer.ts'
import { centralHeader, descriptor, endOfZip, LARGEST_32, localHeader, type ZipEntry } from './zip-records.ts'
/** Bytes per read. Files up to this size have their size in the header, so that the archive can be unpacked as a stream. */
const AT_ONCE = 128 * 1024
/** Deflating less than this saves nothing. */
const WORTH_DEFLATING = 512
/** Deflating can make a file longer, so the room for long sizes begins early. */
const MAYBE_WIDE = LARGEST_32 - 0x1000000
const PAGE = 64 * 1024
/** Memory that comes and goes with each byte that is deflated, roughly: output in chunks, as a whole, of a sample. */
const DEFLATING_TAKES = 3

/** A zip in which text is deflated and everything else stored: what has been packed before takes long and gains nothing. */
export class ZipWriter implements ArchiveWriter {
  readonly #parts: PartBuffer
  readonly #minorGcAfter: (bytes: number) => void
  readonly #scratch = Buffer.allocUnsafeSlow(AT_ONCE)
  readonly #dictionary = Buffer.allocUnsafeSlow(DICTIONARY)
  readonly #directory: Buffer[] = []
  #page: Buffer[] = []
  #pageLength = 0
  #length = 0
  #count = 0

  constructor(parts: PartBuffer, minorGcAfter: (bytes: number) => void) {
    this.#parts = parts
    this.#minorGcAfter = minorGcAfter
  }

  folder(member: Member): void {
    const content = { isDeflated: false, hasDescriptor: false, crc: 0, size: 0, packed: 0 }
    const entry = { ...member, ...content, isFolder: true, offset: this.#parts.written }
    this.#parts.put(localHeader(entry, false))
    this.#remember(entry)
  }

  *file(member: Member, size: number, read: Reader): Steps<number> {
    const first = this.#read(read, size)
    const isText = first.length >= WORTH_DEFLATING && !looksBinary(first.subarray(0, SNIFFED_BYTES))
    const begun = { ...member, isFolder: false, offset: this.#parts.written }
    if (first.length === size || first.length < AT_ONCE) {
      this.#putWhole(begun, first, isText)
      return first.length
    }
    return yield* this.#putLong(begun, first, size, isText, read)
  }

  *end(): Steps {
    this.#endPage()
    const offset = this.#parts.written
    for (const page of this.#directory.splice(0)) {
      this.#parts.put(page)
      yield* this.#parts.take()
    }
    this.#parts.put(endOfZip({ count: this.#count, offset, length: this.#length }))
  }

  #putWhole(begun: Member & { isFolder: boolean; offset: number }, content: Buffer, isText: boolean): void {
    const deflated = isText ? deflateRawSync(content, { level: 1 }) : content
    if (isText) this.#minorGcAfter(DEFLATING_TAKES * content.length)
    const isDeflated = deflated.length < content.length
    const packed = isDeflated ? deflated : content
    const sizes = { crc: crc32(content), size: content.length, packed: packed.length }
    const entry = { ...begun, ...sizes, isDeflated, hasDescriptor: false }
    this.#parts.put(localHeader(entry, false))
    this.#parts.put(packed)
    this.#remember(entry)
  }

  *#putLong(
    begun: Member & { isFolder: boolean; offset: number },
    first: Buffer,
    expected: number,
    isDeflated: boolean,
    read: Reader,
  ): Steps<number> {
    const isWide = expected >= MAYBE_WIDE
    const head = { ...begun, isDeflated, hasDescriptor: true, crc: 0, size: 0, packed: 0 }
    this.#parts.put(localHeader(head, isWide))
    const start = this.#parts.written
    let [crc, size] = [0, 0]
    let dictionary: Uint8Array | undefined
    for (let content = first; content.length > 0; content = this.#read(read, expected - size)) {
      crc = crc32(content, crc)
      size += content.length
      this.#parts.put(isDeflated ? deflateBlock(content, dictionary) : content)
      if (isDeflated) {
        dictionary = dictionaryOf(content, this.#dictionary)
        this.#minorGcAfter(DEFLATING_TAKES * content.length)
      }
      yield* this.#parts.take()
      yield
    }
    if (isDeflated) this.#parts.put(DEFLATE_END)
    const entry = { ...head, crc, size, packed: this.#parts.written - start }
    this.#parts.put(descriptor(entry, isWide))
    this.#remember(entry)
    return size
  }

  /** As many bytes as there are, up to what is read at once. */
  #read(read: Reader, most: number): Buffer {
    const wanted = Math.min(most, AT_ONCE)
    let done = 0
    while (done < wanted) {
      const count = read(this.#scratch.subarray(done, wanted))
      if (count === 0) break
      done += count
    }
    return this.#scratch.subarray(0, done)
  }

  #remember(entry: ZipEntry): void {
    const header = centralHeader(entry)
    this.#page.push(header)
    this.#pageLength += header.length
    this.#length += header.length
    this.#count += 1
    if (this.#pageLength >= PAGE) this.#endPage()
  }

  /** Many small buffers would take several times the memory. */
  #endPage(): void {
    this.#directory.push(Buffer.concat(this.#page))
    this.#page = []
    this.#pageLength = 0
  }
}
