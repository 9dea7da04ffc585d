import { Header, Pax } from 'tar'
import { fail } from '../../domain/errors.ts'

const RECORD = 512
const MAX_PAX_SIZE = 8192
/** Programs fill up their last block; what has no end, such as /dev/zero, is no tar file. */
const MAX_PADDING = 1024 * 1024

export interface TarEntry {
  readonly name: string
  readonly bytes: Buffer
}

export interface TarLimits {
  /** Most bytes for a file of this name; throws if the name is not expected. */
  readonly limitOf: (name: string) => number
  readonly files: number
  /** Total size of all files. */
  readonly bytes: number
}

/**
 * Reads the files of a tar one by one, to the end of the stream. Accepts only regular files, each of which fits into memory, such
 * as those of a backup: links and devices are refused, where `tarEntries` of any archive reports them.
 *
 * @throws INVALID_INPUT if it is not a tar, damaged or cut off; TOO_LARGE; what `limitOf` throws
 */
export async function* readTar(stream: AsyncIterable<Uint8Array>, limits: TarLimits): AsyncGenerator<TarEntry> {
  await using reader = new ByteReader(stream)
  let total = 0
  let count = 0
  let extended: Pax | undefined
  for (;;) {
    const block = await reader.read(RECORD)
    if (block.length < RECORD)
      fail('INVALID_INPUT', count === 0 ? 'this is not a tar file' : 'the end of the file is missing')
    if (block.every((byte) => byte === 0)) {
      if (!(await reader.drain(MAX_PADDING))) fail('INVALID_INPUT', 'what follows the end of the tar file is too long')
      return
    }
    const header = headerOf(block, extended)
    if (header?.cksumValid !== true)
      fail('INVALID_INPUT', count === 0 ? 'this is not a tar file' : 'the file is damaged')
    const { path: name = '', size = 0, type } = header
    if (type === 'ExtendedHeader') {
      // At most one for each file: an endless stream of them would evade the limits on files and bytes.
      if (extended !== undefined) fail('INVALID_INPUT', 'the file is damaged')
      if (size > MAX_PAX_SIZE) fail('INVALID_INPUT', 'a header in the tar file is too long')
      extended = Pax.parse((await content(reader, size)).toString('utf8'))
      continue
    }
    extended = undefined
    if (type !== 'File') fail('INVALID_INPUT', 'the tar file contains something other than regular files')
    count += 1
    total += size
    if (!(size >= 0 && size <= limits.limitOf(name)) || total > limits.bytes || count > limits.files) {
      fail('TOO_LARGE', 'the tar file is larger than any backup')
    }
    yield { name, bytes: await content(reader, size) }
  }
}

/** Undefined for bytes with a number that is none. */
function headerOf(block: Buffer, extended: Pax | undefined): Header | undefined {
  try {
    return new Header(block, 0, extended)
  } catch {
    return undefined
  }
}

async function content(reader: ByteReader, size: number): Promise<Buffer> {
  const padded = Math.ceil(size / RECORD) * RECORD
  const bytes = await reader.read(padded)
  if (bytes.length < padded) fail('INVALID_INPUT', 'the end of the file is missing')
  return bytes.subarray(0, size)
}

/** Reads a stream in pieces of given sizes. */
class ByteReader implements AsyncDisposable {
  readonly #parts: AsyncIterator<Uint8Array>
  #buffered: Buffer = Buffer.alloc(0)
  #isOver = false

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#parts = stream[Symbol.asyncIterator]()
  }

  /** The next `size` bytes, or fewer at the end of the stream. */
  async read(size: number): Promise<Buffer> {
    const parts = [this.#buffered]
    let length = this.#buffered.length
    while (length < size && !this.#isOver) {
      const next = await this.#parts.next()
      this.#isOver = next.done === true
      if (next.done === true) break
      parts.push(Buffer.from(next.value))
      length += next.value.length
    }
    const all = parts.length === 1 ? this.#buffered : Buffer.concat(parts)
    this.#buffered = all.subarray(size)
    return all.subarray(0, size)
  }

  /** Reads and discards the rest of the stream. @returns false if it is longer than `most` bytes */
  async drain(most: number): Promise<boolean> {
    let length = this.#buffered.length
    this.#buffered = Buffer.alloc(0)
    while (!this.#isOver && length <= most) {
      const next = await this.#parts.next()
      this.#isOver = next.done === true
      length += next.done === true ? 0 : next.value.length
    }
    return length <= most
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOver) await this.#parts.return?.()
  }
}

export interface TarFile {
  /** A relative path, with slashes. */
  readonly name: string
  readonly bytes: Uint8Array
  readonly modified: Date
}

/** Writes a tar of small files, each with mode 0600. */
export async function* writeTar(files: AsyncIterable<TarFile>): AsyncGenerator<Buffer> {
  for await (const { name, bytes, modified } of files) {
    const fields = { path: name, size: bytes.length, mtime: modified }
    const block = Buffer.alloc(RECORD)
    const header = new Header({ ...fields, type: 'File', mode: 0o600 })
    if (header.encode(block, 0)) yield new Pax(fields).encode()
    yield block
    yield Buffer.from(bytes)
    yield Buffer.alloc((RECORD - (bytes.length % RECORD)) % RECORD)
  }
  yield Buffer.alloc(2 * RECORD)
}
