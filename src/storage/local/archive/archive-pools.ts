import { availableParallelism } from 'node:os'
import { Budget } from '../../../platform/budget.ts'
import { WorkerPool } from '../../../platform/worker-pool.ts'
import { workerUrl } from '../../../platform/worker-messages.ts'
import { DevicePools } from '../device-pools.ts'

/** Threads for archives alone, behind everything else: listings never wait for them, nor does the event loop. */
export interface ArchivePools extends AsyncDisposable {
  /** Walk and read; a job whose receiver is slow is set aside, so two threads serve any number. */
  readonly makers: DevicePools
  /** Compress single blocks. */
  readonly compressors: WorkerPool
  /** For what all archives hold together; a download that nobody reads keeps its part of it and gets no more. */
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
      patience: LONGEST_WAIT,
      refusal: 'too many archives are being downloaded: try again in a moment',
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all([makers[Symbol.asyncDispose](), compressors[Symbol.asyncDispose]()])
    },
  }
}
