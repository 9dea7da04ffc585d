import { Header, Pax } from 'tar'

const RECORD = 512

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
