import { availableParallelism } from 'node:os'
import { descriptorsForFiles } from '../../platform/limits/descriptors.ts'
import { HeavyMemory } from '../../platform/limits/heavy-memory.ts'
import { MEMORY_PLAN } from '../../platform/limits/memory-plan.ts'
import { workerUrl } from '../../platform/workers/worker-messages.ts'
import type { LocalResources } from './local-scope.ts'
import { createArchivePools } from './read/archive-parts.ts'
import { BufferPool } from './read/send-file.ts'
import { Descriptors } from './scope/run-operation.ts'
import { DevicePools } from './system/device-pools.ts'
import { type Disk, nodeDisk } from './system/disk.ts'
import { FolderWatches } from './watch/folder-watches.ts'

export interface LocalResourcesOptions {
  /** Limit of open descriptors: further operations wait, then fail with BUSY. Defaults to half of the process's limit. */
  readonly maxDescriptors?: number
  readonly disk?: Disk
  /** Where threads take their memory. Defaults to what this process has for all heavy work. */
  readonly memory?: HeavyMemory
}

/** Threads, descriptors and buffers, which several folders of this machine may share. */
export type OwnedLocalResources = LocalResources & AsyncDisposable & { readonly maxDescriptors: number }

const MAX_WATCHED = 256
/** MiB. The bytes that are hashed are not in the heap. */
const DIGEST_HEAP = 16

export function openLocalResources(options: LocalResourcesOptions = {}): OwnedLocalResources {
  const { maxDescriptors = descriptorsForFiles(), disk = nodeDisk, memory = new HeavyMemory() } = options
  const { threads, jobs, heaps } = MEMORY_PLAN
  const lists = { listFolder: jobs.listing, walkFolder: jobs.listing }
  const entry = workerUrl('./worker/storage-worker', import.meta.url)
  const searchEntry = workerUrl('./worker/search-worker', import.meta.url)
  const digesters = threads === 1 ? 1 : Math.max(1, availableParallelism() - 1)
  const resources: LocalResources = {
    descriptors: new Descriptors(maxDescriptors),
    copies: new Descriptors(Math.ceil(maxDescriptors / 2), Infinity),
    buffers: new BufferPool(),
    disk,
    listers: new DevicePools({ entry, size: threads, heap: heaps.listing, niceness: 5, jobs: lists, memory }),
    searchers: new DevicePools({
      entry: searchEntry,
      size: threads,
      jobs: { searchFolder: jobs.search },
      memory,
      heap: heaps.search,
      niceness: 5,
      idle: MEMORY_PLAN.kept,
    }),
    digesters: new DevicePools({ entry, size: digesters, heap: DIGEST_HEAP, niceness: 10, memory }),
    archives: createArchivePools(memory),
    // Only a share of the descriptors: otherwise a client that watches many folders could lock others out of their files.
    watches: new FolderWatches({ max: Math.min(MAX_WATCHED, Math.floor(maxDescriptors / 8)) }),
  }
  return {
    ...resources,
    maxDescriptors,
    async [Symbol.asyncDispose]() {
      resources.watches[Symbol.dispose]()
      await resources.listers[Symbol.asyncDispose]()
      await resources.searchers[Symbol.asyncDispose]()
      await resources.digesters[Symbol.asyncDispose]()
      await resources.archives[Symbol.asyncDispose]()
    },
  }
}
