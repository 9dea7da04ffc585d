import { Readable, type Writable } from 'node:stream'
import type { ReadableFormat } from '../../../domain/files/archives/archive-format.ts'
import type { EntryPlace } from '../../../platform/archives/read/archive-entry.ts'
import { readArchive } from '../../../platform/archives/read/archive-reader.ts'
import type { ReaderNeed } from '../../../platform/archives/read/reader-need.ts'
import { writePart } from '../../../platform/network/write-part.ts'
import type { OpenFile } from '../../../storage/open-file.ts'

/** Bytes. Smaller files are unpacked before they are sent, so that a damaged one gets an error reply. */
const SMALL = 64 * 1024

interface ArchivedFacts {
  readonly archive: OpenFile
  readonly format: ReadableFormat
  /** Memory that `close` gives back. */
  readonly need: ReaderNeed
  readonly entry: EntryPlace
  /** Stops reading. A range far into the file takes long, because everything before it must be decompressed. */
  readonly signal: AbortSignal | undefined
  readonly close: AsyncDisposable
}

/** A file in an archive, as a file to send. It changes when the archive does. */
export class ArchivedFile implements OpenFile {
  readonly name: string
  readonly size: number
  readonly #facts: ArchivedFacts

  constructor(facts: ArchivedFacts, name: string) {
    this.name = name
    this.size = facts.entry.size
    this.#facts = facts
  }

  get modified(): bigint {
    return this.#facts.archive.modified
  }

  get inode(): bigint {
    return this.#facts.archive.inode
  }

  stream(start: number, end: number): Readable {
    return Readable.from(this.#content(start, end + 1), { objectMode: false })
  }

  async send(destination: Writable, start: number, end: number): Promise<void> {
    for await (const part of this.#content(start, end + 1)) await writePart(destination, part)
  }

  async head(length: number): Promise<Uint8Array> {
    return await this.#bytes(Math.min(length, this.size))
  }

  async small(): Promise<Uint8Array | undefined> {
    return this.size <= SMALL ? await this.#bytes(this.size) : undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#facts.close[Symbol.asyncDispose]()
  }

  async #bytes(end: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    for await (const part of this.#content(0, end)) parts.push(part)
    return Buffer.concat(parts)
  }

  async *#content(start: number, end: number): AsyncGenerator<Uint8Array, void, void> {
    const { archive, format, need, entry, signal } = this.#facts
    await using reader = await readArchive(archive, format, need, signal)
    yield* reader.content(entry, start, end)
  }
}
