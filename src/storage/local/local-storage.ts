import { availableParallelism } from 'node:os'
import { fail } from '../../domain/errors.ts'
import type { HiddenEntry } from '../../domain/files/hidden-entry.ts'
import { parseVirtualPath, ROOT, segmentsOf } from '../../domain/files/virtual-path.ts'
import { descriptorsForFiles } from '../../platform/limits/descriptors.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { HeavyMemory } from '../../platform/limits/heavy-memory.ts'
import { MEMORY_PLAN } from '../../platform/limits/memory-plan.ts'
import { workerUrl } from '../../platform/workers/worker-messages.ts'
import { type NameLocks, ProcessLocks } from '../../platform/limits/name-locks.ts'
import { createArchivePools } from './read/archive-parts.ts'
import { BufferPool } from './read/send-file.ts'
import { ensureFolder } from './scope/ensure-folder.ts'
import { type LocalResources, localScope } from './local-scope.ts'
import { isReservedName, StagedNames, type Unseen } from '../reserved-names.ts'
import { holdFolder } from './scope/resolve.ts'
import { Descriptors, OperationRunner } from './scope/run-operation.ts'
import { bareScopeRoot } from './scope/scope-root.ts'
import { ServedRoot } from './scope/served-root.ts'
import { DevicePools } from './system/device-pools.ts'
import { type Disk, nodeDisk, statsOf } from './system/disk.ts'
import { stat } from './system/gated-calls.ts'
import { at, type Handle, hold, HOLD_FOLDER } from './system/handle.ts'
import { translateError } from './system/os-error.ts'
import { visitHidden } from './tree/visit-hidden.ts'
import { FolderWatches } from './watch/folder-watches.ts'
import type { Storage, StoragePath, Work } from '../storage.ts'

export interface LocalStorageOptions {
  /** The current paths of the daemon's own files, which no user may reach. */
  readonly protectedPaths?: () => readonly string[]
  /** Limit of open descriptors: further operations wait, then fail with BUSY. Defaults to half of the process's limit. */
  readonly maxDescriptors?: number
  /** Names for staged files. Defaults to names without an owner. */
  readonly staged?: StagedNames | undefined
  /** Locks for what several daemons change. Defaults to locks of this storage. */
  readonly locks?: NameLocks | undefined
  readonly clock?: Clock
  readonly disk?: Disk
  /** Where threads take their memory. Defaults to what this process has for all heavy work. */
  readonly memory?: HeavyMemory
}

const MAX_WATCHED = 256
const MAX_KEPT = 128
/** MiB. The bytes that are hashed are not in the heap. */
const DIGEST_HEAP = 16
const FOLDER_MODE = 0o750

/**
 * Opens a folder of this machine as storage.
 *
 * @throws NOT_FOUND, FORBIDDEN, UNSUPPORTED if the system cannot open files by descriptor
 */
export async function openLocalStorage(root: string, options: LocalStorageOptions = {}): Promise<Storage> {
  try {
    using handle = await hold(root, HOLD_FOLDER)
    await requireDescriptorPaths(handle)
    return localStorage(root, options)
  } catch (error) {
    throw translateError(error, '/')
  }
}

function localStorage(root: string, options: LocalStorageOptions): Storage {
  const {
    maxDescriptors = descriptorsForFiles(),
    clock = systemClock,
    disk = nodeDisk,
    memory = new HeavyMemory(),
    protectedPaths = () => [],
  } = options
  const staged = options.staged ?? new StagedNames()
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
  const onReplaced = () => {
    resources.watches.loseAll()
    staged.rootReplaced()
  }
  const maxKept = Math.min(MAX_KEPT, Math.floor(maxDescriptors / 16))
  const { locks = new ProcessLocks() } = options
  const served = new ServedRoot({ path: root, protectedPaths, maxKept, onReplaced, locks })

  async function visitAll(
    visit: (entry: HiddenEntry) => Promise<boolean> | boolean,
    signal: AbortSignal | undefined,
  ): Promise<Unseen> {
    const { root, protectedPaths, effects } = await served.acquire()
    using _root = root
    const { descriptors, copies } = resources
    const scopeRoot = { ...bareScopeRoot(root, 'inside', protectedPaths, effects), staged }
    const runner = new OperationRunner(scopeRoot, descriptors, copies)
    const { moves } = effects
    const visitEach = async (work: Work) => await visitHidden(scopeRoot, visit, work, clock)
    const isWhole = await runner.walk(ROOT, { signal }, visitEach)
    if (!isWhole) return 'unreadable'
    return effects.moves === moves ? 'nothing' : 'moved'
  }

  return {
    async ready() {
      const { root } = await served.acquire()
      root[Symbol.dispose]()
    },

    conditions: async () => undefined,

    async openScope(folder, links, permits) {
      using permit = await resources.descriptors.acquire(1)
      try {
        const { root, openedPath, protectedPaths, kept, effects } = await served.acquire()
        using _root = root
        const segments = segmentsOfScope(folder)
        const held = await holdFolder({ ...bareScopeRoot(root, links, protectedPaths), kept, openedPath }, segments)
        const scopeRoot = {
          folder: held,
          links,
          protectedPaths,
          permits,
          realPrefix: ROOT,
          staged,
          effects,
          // The served folder is whatever is at its path. A scope inside stays the folder that was opened, even if it is moved.
          kept,
          openedPath: segments.length === 0 ? openedPath : undefined,
        }
        return localScope(scopeRoot, resources, permit.split(1))
      } catch (error) {
        throw translateError(error, folder)
      }
    },

    async makeScope(folder, links = 'inside', { admitFolder } = {}) {
      using _permit = await resources.descriptors.acquire(2)
      try {
        const { root, protectedPaths, effects } = await served.acquire()
        using _root = root
        const bare = bareScopeRoot(root, links, protectedPaths, effects)
        const made = await ensureFolder(bare, segmentsOfScope(folder), FOLDER_MODE, { admitFolder })
        made[Symbol.dispose]()
      } catch (error) {
        throw translateError(error, folder)
      }
    },

    visitHidden: async (visit, signal) => (await visitAll(visit, signal)) !== 'unreadable',

    sweep: async (options = {}) =>
      await staged.sweep(options, async (isAbandoned) => await visitAll(isAbandoned, options.signal)),

    async [Symbol.asyncDispose]() {
      resources.watches[Symbol.dispose]()
      await resources.listers[Symbol.asyncDispose]()
      await resources.searchers[Symbol.asyncDispose]()
      await resources.digesters[Symbol.asyncDispose]()
      await resources.archives[Symbol.asyncDispose]()
      served[Symbol.dispose]()
    },
  }
}

function segmentsOfScope(folder: StoragePath): string[] {
  const segments = segmentsOf(parseVirtualPath(folder))
  if (segments.some(isReservedName)) fail('NOT_FOUND', 'there is nothing at this path')
  return segments
}

/**
 * All paths go through /proc/self/fd, so it must lead to the open entries. Without it, a folder swapped for a link could
 * redirect operations anywhere, so there is no weaker fallback.
 */
async function requireDescriptorPaths(root: Handle): Promise<void> {
  const held = await statsOf(root)
  const seen = await stat(at(root), { bigint: true }).catch(() => undefined)
  if (process.platform === 'linux' && seen?.ino === held.ino && seen.dev === held.dev) return
  fail('UNSUPPORTED', 'files cannot be served safely here: Linux with /proc mounted is needed')
}
