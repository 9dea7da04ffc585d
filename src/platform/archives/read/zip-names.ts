import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { Entry } from 'yauzl'
import { ARCHIVE_LIMITS } from '../../../domain/files/archives/archives.ts'
import type { Encoding } from '../../../domain/text/encodings.ts'
import { ENCODING_SAMPLE } from '../../../domain/text/proven-encoding.ts'
import { firstValid } from '../../../domain/text/text-codec.ts'
import { likelyEncodings } from '../../text/detect-encoding.ts'
import { decodedName, type ReadName, utf8Name } from './archive-entry.ts'

const UNICODE_PATH = 0x7075
const UNICODE_PATH_HEAD = 5
const IS_UTF8 = 0x800
const LINE_FEED = Buffer.from('\n')
/** Bytes of names that must all be valid in an encoding for it to be detected. */
const MAX_NAMES = 128 * 1024

/** Reads the names of a zip, most of which do not say their encoding. */
export class ZipNames {
  readonly #again: () => AsyncIterable<Entry>
  #encoding: Encoding | undefined
  #isMostlyUtf8 = false

  /**
   * @param again all entries once more: only all names together tell their encoding
   * @param chosen by a person, who sees whether the names make sense
   */
  constructor(again: () => AsyncIterable<Entry>, chosen: Encoding | undefined) {
    this.#again = again
    this.#encoding = chosen
  }

  async read(entry: Entry): Promise<ReadName> {
    const { name, ...rest } = await this.#decoded(entry)
    // Looked for in the text, since the second byte of many characters in GBK, Big5 and Shift JIS is that of a backslash.
    return { ...rest, name: name.replaceAll('\\', '/') }
  }

  async #decoded(entry: Entry): Promise<ReadName> {
    const { fileNameRaw: bytes } = entry
    const declared = declaredName(entry)
    if (declared !== undefined) return utf8Name(declared)
    this.#encoding ??= await this.#detect()
    if (this.#encoding === 'utf-8' || (this.#isMostlyUtf8 && isUtf8(bytes)))
      return { ...utf8Name(bytes), encoding: 'utf-8' }
    return decodedName(bytes, this.#encoding)
  }

  /** UTF-8, as macOS writes it, is proven by the bytes, unless that is an accident of a few short names among others. */
  async #detect(): Promise<Encoding> {
    const [utf8, others] = [new NameSample(), new NameSample()]
    let seen = 0
    for await (const entry of this.#again()) {
      if ((seen += 1) > ARCHIVE_LIMITS.entries) break
      if (declaredName(entry) !== undefined) continue
      const { fileNameRaw: bytes } = entry
      const sample = isUtf8(bytes) ? utf8 : others
      sample.add(bytes)
    }
    this.#isMostlyUtf8 = utf8.count >= others.count
    if (others.count === 0) return 'utf-8'
    const names = this.#isMostlyUtf8 ? others.bytes() : Buffer.concat([others.bytes(), utf8.bytes()])
    return firstValid(await likelyEncodings(names.subarray(0, ENCODING_SAMPLE), 'names'), names)
  }
}

class NameSample {
  readonly #parts: Buffer[] = []
  #length = 0
  count = 0

  add(bytes: Buffer): void {
    this.count += 1
    if (this.#length >= MAX_NAMES) return
    // Copied, since the memory of a name is part of a block of the directory.
    this.#parts.push(Buffer.from(bytes), LINE_FEED)
    this.#length += bytes.length + 1
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

/** The name as UTF-8 if the headers say so, or it is ASCII; a false statement counts as none. */
function declaredName({ generalPurposeBitFlag: flags, fileNameRaw: bytes, extraFields }: Entry): Buffer | undefined {
  for (const { id, data } of extraFields) {
    if (id !== UNICODE_PATH || data.length <= UNICODE_PATH_HEAD || data[0] !== 1) continue
    // Programs that rename an entry may leave the field behind.
    if (data.readUInt32LE(1) === crc32(bytes)) return data.subarray(UNICODE_PATH_HEAD)
  }
  const isDeclared = (flags & IS_UTF8) !== 0 && isUtf8(bytes)
  return isDeclared || bytes.every((byte) => byte < 0x80) ? bytes : undefined
}
