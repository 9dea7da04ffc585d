import { availableParallelism } from 'node:os'
import type { ArchiveFormat } from '../../../domain/files/archive-format.ts'
import type { Visibility } from '../../../domain/access/rule-check.ts'
import { segmentsOf } from '../../../domain/files/virtual-path.ts'
import { Budget } from '../../../platform/limits/budget.ts'
import { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { workerUrl } from '../../../platform/workers/worker-messages.ts'
import type { ArchiveSelection } from '../../storage.ts'
import { lend, type ScopeRoot } from '../scope/scope-root.ts'
import { DevicePools } from '../system/device-pools.ts'
import type { ArchiveInput, ArchiveSum } from '../worker/archive/make-archive.ts'
import { BLOCK_FORMATS, compressBlocks, compressStream, STREAM_FORMATS } from './compress.ts'

/** Small, so that the socket is written often and other requests do not wait long. */
const PART = 128 * 1024

/** Their parts come as the worker has made them, in memory that it gets back. */
const LENT: ReadonlySet<ArchiveFormat> = new Set(['zip', 'tar'])

/** Bytes that one archive holds at most: parts that wait, and beside them blocks under way and what their compressor keeps. */
const MEMORY = 3 * 1024 * 1024
const MEMORY_COMPRESSED = 12 * 1024 * 1024

interface WantedArchive {
  readonly scopeRoot: ScopeRoot
  readonly selection: ArchiveSelection
  readonly visibility: Visibility
}

interface ArchiveResources {
  readonly archives: ArchivePools
  /** Told of the bytes that were handed over in memory of their own. */
  readonly minorGcAfter: (bytes: number) => void
}

/**
 * The bytes of an archive, as fast as they are taken. A part may be looked at until the next one is asked for: its memory is
 * used again then. The scope root may be let go of when this has ended.
 */
export async function* archiveParts(
  { archives, minorGcAfter }: ArchiveResources,
  { scopeRoot, selection, visibility }: WantedArchive,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const memory = LENT.has(selection.format) ? MEMORY : MEMORY_COMPRESSED
  using _memory = await archives.memory.take(memory, signal)
  const { rules, hideDotfiles, rulePrefix } = visibility
  const untold = segmentsOf(selection.base).length
  const items = selection.items.map((item) => ({ segments: segmentsOf(item), untold }))
  const wanted = { scopeRoot: lend(scopeRoot, rules), hideDotfiles, rulePrefix, items }
  for await (const part of packed(archives, selection.format, wanted, signal)) {
    yield part
    if (!LENT.has(selection.format)) minorGcAfter(part.length)
  }
}

async function* packed(
  pools: ArchivePools,
  format: ArchiveFormat,
  wanted: Omit<ArchiveInput, 'container' | 'partSize'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  const make = (container: 'zip' | 'tar', partSize: number) => {
    const input: ArchiveInput = { ...wanted, container, partSize }
    return pools.makers.on({ fd: wanted.scopeRoot.folder }).runLent('makeArchive', input, signal) as AsyncGenerator<
      Uint8Array,
      ArchiveSum,
      void
    >
  }
  switch (format) {
    case 'zip':
    case 'tar':
      yield* make(format, PART)
      return
    case 'tarbr':
    case 'tarzst':
      yield* compressStream(STREAM_FORMATS[format](), make('tar', PART))
      return
    default: {
      const blockFormat = BLOCK_FORMATS[format]
      yield* compressBlocks(pools.compressors, blockFormat, make('tar', blockFormat.blockSize), signal)
    }
  }
}

/** Threads for archives alone, behind everything else: listings never wait for them, nor does the event loop. */
export interface ArchivePools extends AsyncDisposable {
  /** Walk and read; a job whose receiver is slow is set aside, so two threads serve any number. */
  readonly makers: DevicePools
  /** Compress single blocks. */
  readonly compressors: WorkerPool
  /** For what all archives hold together; a download that is not read keeps its part and gets no more. */
  readonly memory: Budget
}

const MEBIBYTE = 1024 * 1024
/** Milliseconds. */
const LONGEST_WAIT = 10_000
const MOST_COMPRESSORS = 4

export function createArchivePools(): ArchivePools {
  const entry = workerUrl('../worker/archive-worker', import.meta.url)
  const makers = new DevicePools({ entry, size: 2, heap: 128, niceness: 10 })
  const size = Math.min(availableParallelism(), MOST_COMPRESSORS)
  const compressors = new WorkerPool({ entry, size, heap: 64, niceness: 10 })
  return {
    makers,
    compressors,
    memory: new Budget({
      most: 192 * MEBIBYTE,
      timeout: LONGEST_WAIT,
      refusal: 'too many archives are being downloaded: try again in a moment',
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all([makers[Symbol.asyncDispose](), compressors[Symbol.asyncDispose]()])
    },
  }
}
