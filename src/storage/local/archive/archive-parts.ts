import { availableParallelism } from 'node:os'
import type { ArchiveFormat } from '../../../domain/files/archives/archive-format.ts'
import type { Visibility } from '../../../domain/access/rule-check.ts'
import { segmentsOf } from '../../../domain/files/virtual-path.ts'
import { Budget } from '../../../platform/limits/budget.ts'
import type { HeavyMemory } from '../../../platform/limits/heavy-memory.ts'
import { MEMORY_PLAN } from '../../../platform/limits/memory-plan.ts'
import { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { workerUrl } from '../../../platform/workers/worker-messages.ts'
import type { ArchiveSelection, Span } from '../../../domain/files/archives/archive-content.ts'
import { lend, type ScopeRoot } from '../scope/scope-root.ts'
import { DevicePools } from '../system/device-pools.ts'
import type { ArchiveInput, ArchiveSum, TarInput, ZipInput } from '../worker/archive/make-archive.ts'
import type { ZipPlan } from '../worker/archive/zip-plan.ts'
import { BLOCK_FORMATS, compressBlocks, compressStream, memoryOfBlocks, STREAM_FORMATS } from './compress.ts'

/** Bytes. Small, so that each write to the socket is short and other requests do not wait. */
const PART = 128 * 1024

/** Bytes. Larger, because the worker makes the next part while this one is compressed. */
const STREAM_PART = 512 * 1024

/** Bytes of memory for one archive: waiting parts, and for a stream also the compressor and its output. */
const MEMORY = 3 * 1024 * 1024
const MEMORY_STREAMED = 12 * 1024 * 1024

type TarFormat = Exclude<ArchiveFormat, 'zip'>

interface RequestedArchive {
  readonly scopeRoot: ScopeRoot
  readonly selection: ArchiveSelection
  readonly visibility: Visibility
}

/** Like all functions here, needs the caller to keep the scope root open until it has ended. */
export async function planZip(
  pools: ArchivePools,
  requested: RequestedArchive,
  signal?: AbortSignal,
): Promise<ZipPlan> {
  const input = inputOf(requested)
  const planning = makersFor(pools, input).run('planZip', input, signal)
  for (;;) {
    const { done, value } = await planning.next()
    if (done === true) return value as ZipPlan
  }
}

/** A span of a zip, in buffers that go back to the worker. */
export async function* zipParts(
  pools: ArchivePools,
  { plan, span, ...requested }: RequestedArchive & { readonly plan: ZipPlan; readonly span: Span },
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  using _memory = await pools.memory.take(MEMORY + plan.entries.byteLength + plan.directory.length, signal)
  const input: ZipInput = { ...inputOf(requested), plan, span }
  yield* makersFor(pools, input).runLent('makeZip', input, signal) as AsyncGenerator<Uint8Array, void, void>
}

/** A tar, with or without compression. */
export async function* tarParts(
  { archives, minorGcAfter }: TarResources,
  {
    format,
    onMade,
    ...requested
  }: RequestedArchive & { readonly format: TarFormat; readonly onMade: (sum: ArchiveSum) => void },
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const input = inputOf(requested)
  async function* make(tar: Omit<TarInput, keyof ArchiveInput>): AsyncGenerator<Uint8Array, ArchiveSum, void> {
    const parts = makersFor(archives, input).runLent('makeTar', { ...input, ...tar }, signal)
    const sum = yield* parts as AsyncGenerator<Uint8Array, ArchiveSum, void>
    onMade(sum)
    return sum
  }
  if (format === 'tar') {
    using _memory = await archives.memory.take(MEMORY, signal)
    yield* make({ partSize: PART })
  } else if (format === 'tarbr' || format === 'tarzst') {
    using _memory = await archives.memory.take(MEMORY_STREAMED, signal)
    for await (const part of compressStream(STREAM_FORMATS[format](), make({ partSize: STREAM_PART }))) {
      yield part
      minorGcAfter(part.length)
    }
  } else {
    const blocks = BLOCK_FORMATS[format]
    using _memory = await archives.memory.take(memoryOfBlocks(blocks), signal)
    const { blockSize: partSize } = blocks
    const isSummed = format === 'targz'
    yield* compressBlocks(archives.compressors, blocks, (memory) => make({ partSize, memory, isSummed }), signal)
  }
}

interface TarResources {
  readonly archives: ArchivePools
  /** Called with the number of bytes in buffers that are not reused. */
  readonly minorGcAfter: (bytes: number) => void
}

function inputOf({ scopeRoot, selection, visibility }: RequestedArchive): ArchiveInput {
  const { rules, hideDotfiles, rulePrefix } = visibility
  const omittedSegments = segmentsOf(selection.base).length
  const items = selection.items.map((item) => ({ segments: segmentsOf(item), omittedSegments }))
  return { scopeRoot: lend(scopeRoot, rules), hideDotfiles, rulePrefix, items }
}

function makersFor({ makers }: ArchivePools, { scopeRoot }: ArchiveInput): WorkerPool {
  return makers.on({ fd: scopeRoot.folder })
}

/** Low-priority threads for archives only, so that neither listings nor the event loop wait for archives. */
export interface ArchivePools extends AsyncDisposable {
  /** Walk folders and read files. A job with a slow receiver is suspended, so two threads serve any number of jobs. */
  readonly makers: DevicePools
  /** Compress single blocks. */
  readonly compressors: WorkerPool
  /** Memory of all archives together. A download whose client stops reading keeps its share, but gets no more. */
  readonly memory: Budget
}

/** Milliseconds. */
const MAX_WAIT = 10_000

export function createArchivePools(memory: HeavyMemory): ArchivePools {
  const entry = workerUrl('../worker/archive-worker', import.meta.url)
  const { threads, jobs, heaps } = MEMORY_PLAN
  const kinds = { planZip: jobs.plan, makeZip: jobs.download, makeTar: jobs.download }
  const makers = new DevicePools({
    entry,
    size: threads,
    heap: heaps.download,
    niceness: 10,
    jobs: kinds,
    memory,
  })
  const size = Math.min(availableParallelism(), MEMORY_PLAN.compressors)
  const compressors = new WorkerPool({ entry, size, heap: heaps.compressor, niceness: 10, memory })
  return {
    makers,
    compressors,
    memory: new Budget({
      max: MEMORY_PLAN.downloads,
      timeout: MAX_WAIT,
      refusal: 'too many archives are being downloaded: try again in a moment',
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all([makers[Symbol.asyncDispose](), compressors[Symbol.asyncDispose]()])
    },
  }
}
