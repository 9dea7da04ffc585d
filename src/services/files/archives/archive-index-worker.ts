import { Readable } from 'node:stream'
import { isSeekable, type ReadableFormat } from '../../../domain/files/archives/archive-format.ts'
import type { Encoding } from '../../../domain/text/encodings.ts'
import { readArchive } from '../../../platform/archives/read/archive-reader.ts'
import type { ArchiveFile, ReaderNeed } from '../../../platform/archives/read/reader-need.ts'
import { type Ask, serveTasks } from '../../../platform/workers/task-host.ts'
import { columnsOf } from './archive-index.ts'
import { IndexBuilder } from './index-builder.ts'

export interface IndexTask {
  readonly format: ReadableFormat
  /** Bytes of the archive. */
  readonly size: number
  readonly need: ReaderNeed
  /** Of names that do not say theirs. */
  readonly encoding: Encoding | undefined
}

/** The next bytes of a stream, whose number the worker chooses; the end of one that it no longer reads; or memory. */
export type IndexQuestion =
  | { readonly kind: 'bytes'; readonly stream: number; readonly start: number; readonly end: number }
  | { readonly kind: 'close'; readonly stream: number }
  | { readonly kind: 'room'; readonly bytes: number }

serveTasks(async ({ format, size, need, encoding }: IndexTask, ask) => {
  await using reader = await readArchive(fileOf(size, ask), format, need)
  const moreRoom = async (bytes: number): Promise<void> => {
    await ask({ kind: 'room', bytes } satisfies IndexQuestion)
  }
  const index = await IndexBuilder.pack(reader.entries(encoding), { size, isSlow: !isSeekable(format) }, moreRoom)
  return { result: index, transfer: columnsOf(index.rows).map(({ buffer }) => buffer) }
})

/** The archive, whose bytes the main thread reads: it may be in a bucket. */
function fileOf(size: number, ask: Ask): ArchiveFile {
  let last = 0
  return {
    size,
    stream: (start, end) => Readable.from(bytesOf((last += 1), start, end, ask), { objectMode: false }),
  }
}

async function* bytesOf(stream: number, start: number, end: number, ask: Ask): AsyncGenerator<Uint8Array, void, void> {
  try {
    for (;;) {
      const part = await ask({ kind: 'bytes', stream, start, end } satisfies IndexQuestion)
      if (part === undefined) return
      yield part as Uint8Array
    }
  } finally {
    void ask({ kind: 'close', stream } satisfies IndexQuestion)
  }
}
