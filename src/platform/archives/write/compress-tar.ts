import { availableParallelism } from 'node:os'
import type { ArchiveFormat } from '../../../domain/files/archives/archive-format.ts'
import { createMinorGc } from '../../garbage.ts'
import { Budget } from '../../limits/budget.ts'
import type { HeavyMemory } from '../../limits/heavy-memory.ts'
import { MEMORY_PLAN } from '../../limits/memory-plan.ts'
import { workerUrl } from '../../workers/worker-messages.ts'
import { WorkerPool } from '../../workers/worker-pool.ts'
import {
  type ArchiveSum,
  BLOCK_FORMATS,
  compressBlocks,
  compressStream,
  memoryOfBlocks,
  STREAM_FORMATS,
} from './compress.ts'

/** Bytes. Parts half as large take a fifth more time; larger ones would let other requests wait during each write to the socket. */
export const ARCHIVE_PART = 256 * 1024

/** Bytes. Larger, because the next part is made while this one is compressed. */
const STREAM_PART = 512 * 1024

/** Bytes of memory for one archive: waiting parts, and for a stream also the compressor and its output. */
export const ARCHIVE_MEMORY = 3 * 1024 * 1024
const MEMORY_STREAMED = 12 * 1024 * 1024

type TarFormat = Exclude<ArchiveFormat, 'zip'>

/** What the parts of a plain tar must be for what comes after. */
export interface TarParts {
  /** Bytes of each part except the last. */
  readonly partSize: number
  /** Buffers to fill in turn; by default, the maker's own. */
  readonly memory?: readonly SharedArrayBuffer[]
  /** Whether to compute the CRC. */
  readonly isSummed?: boolean
}

/** A tar, with or without compression. @param make makes the plain tar */
export async function* compressTar(
  { compressors, memory, minorGcAfter }: ArchiveCompressors,
  format: TarFormat,
  make: (parts: TarParts) => AsyncGenerator<Uint8Array, ArchiveSum, void>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  if (format === 'tar') {
    using _memory = await memory.acquire(ARCHIVE_MEMORY, signal)
    yield* make({ partSize: ARCHIVE_PART })
  } else if (format === 'tarbr' || format === 'tarzst') {
    using _memory = await memory.acquire(MEMORY_STREAMED, signal)
    for await (const part of compressStream(STREAM_FORMATS[format](), make({ partSize: STREAM_PART }))) {
      yield part
      minorGcAfter(part.length)
    }
  } else {
    const blocks = BLOCK_FORMATS[format]
    using _memory = await memory.acquire(memoryOfBlocks(blocks), signal)
    const parts = { partSize: blocks.blockSize, isSummed: format === 'targz' }
    yield* compressBlocks(compressors, blocks, (shared) => make({ ...parts, memory: shared }), signal)
  }
}

/** Milliseconds. */
const MAX_WAIT = 10_000

/** What all archives share that are being downloaded. */
export function createArchiveCompressors(memory: HeavyMemory) {
  const entry = workerUrl('./compress-worker', import.meta.url)
  const size = Math.min(availableParallelism(), MEMORY_PLAN.compressors)
  /** Low-priority threads that compress single blocks, so that the event loop does not wait for archives. */
  const compressors = new WorkerPool({ entry, size, heap: MEMORY_PLAN.heaps.compressor, niceness: 10, memory })
  return {
    compressors,
    /** Memory of all archives together. A download whose client stops reading keeps its share, but gets no more. */
    memory: new Budget({
      max: MEMORY_PLAN.downloads,
      timeout: MAX_WAIT,
      refusal: 'too many archives are being downloaded: try again in a moment',
    }),
    /** Called with the number of bytes in buffers that are not reused. */
    minorGcAfter: createMinorGc(),
    [Symbol.asyncDispose]: async () => await compressors[Symbol.asyncDispose](),
  }
}

export type ArchiveCompressors = ReturnType<typeof createArchiveCompressors>
