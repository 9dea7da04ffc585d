import { availableParallelism } from 'node:os'
import { WorkerPool } from '../../../platform/worker-pool.ts'
import { workerUrl } from '../../../platform/worker-url.ts'

/** Threads for archives alone, behind everything else: listings never wait for them, nor does the event loop. */
export interface ArchivePools extends AsyncDisposable {
  /** Walk and read; a job whose receiver is slow is set aside, so two threads serve any number. */
  readonly makers: WorkerPool
  /** Compress single blocks. */
  readonly compressors: WorkerPool
}

const MOST_COMPRESSORS = 4

export function createArchivePools(): ArchivePools {
  const entry = workerUrl('../worker/archive-worker', import.meta.url)
  const makers = new WorkerPool({ entry, size: 2, heap: 128, niceness: 10 })
  const size = Math.min(availableParallelism(), MOST_COMPRESSORS)
  const compressors = new WorkerPool({ entry, size, heap: 64, niceness: 10 })
  return {
    makers,
    compressors,
    async [Symbol.asyncDispose]() {
      await Promise.all([makers[Symbol.asyncDispose](), compressors[Symbol.asyncDispose]()])
    },
  }
}
