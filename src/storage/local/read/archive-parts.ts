import type { Visibility } from '../../../domain/access/rule-check.ts'
import type { ArchiveSelection, Span, ArchiveFormat } from '../../../domain/files/archives/archive-format.ts'
import { segmentsOf } from '../../../domain/files/virtual-path.ts'
import type { ArchiveSum } from '../../../platform/archives/write/compress.ts'
import {
  ARCHIVE_MEMORY,
  type ArchiveCompressors,
  compressTar,
  createArchiveCompressors,
  type TarParts,
} from '../../../platform/archives/write/compress-tar.ts'
import type { ZipPlan } from '../../../platform/archives/write/zip-plan.ts'
import type { HeavyMemory } from '../../../platform/limits/heavy-memory.ts'
import { MEMORY_PLAN } from '../../../platform/limits/memory-plan.ts'
import { workerUrl } from '../../../platform/workers/worker-messages.ts'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { lend, type ScopeRoot } from '../scope/scope-root.ts'
import { DevicePools } from '../system/device-pools.ts'
import type { ArchiveInput, ZipInput } from '../worker/archive/make-archive.ts'

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
  using _memory = await pools.memory.acquire(ARCHIVE_MEMORY + plan.entries.byteLength + plan.directory.length, signal)
  const input: ZipInput = { ...inputOf(requested), plan, span }
  yield* makersFor(pools, input).runLent('makeZip', input, signal) as AsyncGenerator<Uint8Array, void, void>
}

/** A tar, with or without compression. */
export function tarParts(
  pools: ArchivePools,
  {
    format,
    onMade,
    ...requested
  }: RequestedArchive & { readonly format: TarFormat; readonly onMade: (sum: ArchiveSum) => void },
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const input = inputOf(requested)
  async function* make(tar: TarParts): AsyncGenerator<Uint8Array, ArchiveSum, void> {
    const parts = makersFor(pools, input).runLent('makeTar', { ...input, ...tar }, signal)
    const sum = yield* parts as AsyncGenerator<Uint8Array, ArchiveSum, void>
    onMade(sum)
    return sum
  }
  return compressTar(pools, format, make, signal)
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

/** The threads for archives only, so that no listing waits for an archive. */
export interface ArchivePools extends ArchiveCompressors {
  /** Walk folders and read files. A job with a slow receiver is suspended, so two threads serve any number of jobs. */
  readonly makers: DevicePools
}

export function createArchivePools(memory: HeavyMemory): ArchivePools {
  const { threads, jobs, heaps } = MEMORY_PLAN
  const compressors = createArchiveCompressors(memory)
  const makers = new DevicePools({
    entry: workerUrl('../worker/archive/archive-worker', import.meta.url),
    size: threads,
    heap: heaps.download,
    niceness: 10,
    jobs: { planZip: jobs.plan, makeZip: jobs.download, makeTar: jobs.download },
    memory,
  })
  return {
    ...compressors,
    makers,
    async [Symbol.asyncDispose]() {
      await Promise.all([makers[Symbol.asyncDispose](), compressors[Symbol.asyncDispose]()])
    },
  }
}
