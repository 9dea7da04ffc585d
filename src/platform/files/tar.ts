import { Header, Pax } from 'tar'
import { fail } from '../../domain/errors.ts'

const RECORD = 512
const LARGEST_PAX = 8192

export interface TarEntry {
  readonly name: string
  readonly bytes: Buffer
}

export interface TarLimits {
  /** Bytes that a file of this name may have; throws for a name that has no business here. */
  readonly limitOf: (name: string) => number
  readonly files: number
  /** Of all files together. */
  readonly bytes: number
}

/**
 * The files of a tar, one after the other; the whole stream is read. Nothing but plain files is accepted, so that no
 * untrusted link, device or folder is ever looked at.
 *
 * @throws INVALID_INPUT when it is no tar, damaged or cut off; TOO_LARGE; what `limitOf` throws
 */
export async function* readTar(stream: AsyncIterable<Uint8Array>, limits: TarLimits): AsyncGenerator<TarEntry> {
  await using reader = new ByteReader(stream)
  let total = 0
  let count = 0
  let extended: Pax | undefined
  for (;;) {
    const block = await reader.take(RECORD)
    if (block.length < RECORD) fail('INVALID_INPUT', count === 0 ? 'this is no tar' : 'the end of the file is missing')
    if (block.every((byte) => byte === 0)) {
      await reader.drain()
      return
    }
    const header = new Header(block, 0, extended)
    if (!header.cksumValid) fail('INVALID_INPUT', count === 0 ? 'this is no tar' : 'the file is damaged')
    const { path: name = '', size = 0, type } = header
    if (type === 'ExtendedHeader') {
      // One is enough for a file: a stream of nothing else would never end and never count.
      if (extended !== undefined) fail('INVALID_INPUT', 'the file is damaged')
      if (size > LARGEST_PAX) fail('INVALID_INPUT', 'a header in the tar is too long')
      extended = Pax.parse((await content(reader, size)).toString('utf8'))
      continue
    }
    extended = undefined
    if (type !== 'File') fail('INVALID_INPUT', 'the tar holds something that is no plain file')
    count += 1
    total += size
    if (!(size >= 0 && size <= limits.limitOf(name)) || total > limits.bytes || count > limits.files) {
      fail('TOO_LARGE', 'the tar holds more than any backup does')
    }
    yield { name, bytes: await content(reader, size) }
  }
}

async function content(reader: ByteReader, size: number): Promise<Buffer> {
  const padded = Math.ceil(size / RECORD) * RECORD
  const bytes = await reader.take(padded)
  if (bytes.length < padded) fail('INVALID_INPUT', 'the end of the file is missing')
  return bytes.subarray(0, size)
}

/** Takes a stream in pieces of the wanted size. */
class ByteReader implements AsyncDisposable {
  readonly #parts: AsyncIterator<Uint8Array>
  #left: Buffer = Buffer.alloc(0)
  #isOver = false

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#parts = stream[Symbol.asyncIterator]()
  }

  /** That many bytes, or fewer when the stream ends before. */
  async take(size: number): Promise<Buffer> {
    const parts = [this.#left]
    let length = this.#left.length
    while (length < size && !this.#isOver) {
      const next = await this.#parts.next()
      this.#isOver = next.done === true
      if (next.done === true) break
      parts.push(Buffer.from(next.value))
      length += next.value.length
    }
    const all = parts.length === 1 ? this.#left : Buffer.concat(parts)
    this.#left = all.subarray(size)
    return all.subarray(0, size)
  }

  /** Reads what is left, and forgets it. */
  async drain(): Promise<void> {
    this.#left = Buffer.alloc(0)
    while (!this.#isOver) this.#isOver = (await this.#parts.next()).done === true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOver) await this.#parts.return?.()
  }
}

export interface TarFile {
  /** Relative, with slashes. */
  readonly name: string
  readonly bytes: Uint8Array
  readonly modified: Date
}

/** A tar of small files, each mode 0600. */
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
