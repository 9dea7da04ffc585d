import { fstatSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fail } from '../domain/errors.ts'
import { parseVirtualPath, segmentsOf } from '../domain/virtual-path.ts'
import { systemClock, type Clock } from '../platform/clock.ts'
import { workerUrl } from '../platform/worker-url.ts'
import { WorkerPool } from '../platform/worker-pool.ts'
import { createYoungCollection } from '../platform/young-collection.ts'
import { createArchivePools } from './local/archive/archive-pools.ts'
import { Descriptors } from './local/descriptors.ts'
import { foldsCase } from './local/folds-case.ts'
import { Leftovers } from './local/leftovers.ts'
import { LocalScope, type LocalResources } from './local/local-scope.ts'
import { pinMadeFolder } from './local/make-folder.ts'
import { translateError } from './local/os-error.ts'
import { isOwnName } from './local/own-names.ts'
import { at, hold, HOLD_FOLDER, type Pin } from './local/pin.ts'
import { BufferPool } from './local/pooled-sender.ts'
import { pinFolder } from './local/resolve.ts'
import { SpaceClaims } from './local/space-claims.ts'
import { StagingJournal } from './local/staging-journal.ts'
import { FolderWatches } from './local/watch/folder-watches.ts'
import type { LinkPolicy, Scope, Storage, StoragePath } from './storage.ts'

export interface LocalStorageOptions {
  /** Descriptors that may be open at once; operations beyond wait, then fail with BUSY. Half of what the process may have unless said. */
  readonly maxDescriptors?: number
  /** File that remembers what is being written, of this process only; what an earlier one left behind is removed first. */
  readonly journal?: string | undefined
  readonly clock?: Clock
}

const MOST_DESCRIPTORS = 20_000
const MOST_WATCHED = 256
const FOLDER_MODE = 0o750
/** Milliseconds in which the names that were read for a search are worth their memory. */
const KEPT_FOR_SEARCHES = 10 * 60_000

/**
 * The users' files in a folder of this machine. The folder is held from now on: links on the way to it are the operator's
 * own and are followed, and it may be renamed.
 *
 * @throws NOT_FOUND, FORBIDDEN, UNSUPPORTED where the system cannot hold files by descriptor
 */
export async function openLocalStorage(root: string, options: LocalStorageOptions = {}): Promise<Storage> {
  try {
    const pin = await hold(root, HOLD_FOLDER)
    requireDescriptorPaths(pin)
    const journal = options.journal === undefined ? undefined : await StagingJournal.open(options.journal)
    return new LocalStorage(pin, options, journal)
  } catch (error) {
    throw translateError(error, '/')
  }
}

class LocalStorage implements Storage {
  readonly #root: Pin
  readonly #journal: StagingJournal | undefined
  readonly #leftovers: Leftovers
  readonly #resources: LocalResources
  #foldsCase: Promise<boolean> | undefined

  constructor(root: Pin, options: LocalStorageOptions, journal: StagingJournal | undefined) {
    const { maxDescriptors = halfOfLimit(), clock = systemClock } = options
    this.#journal = journal
    this.#leftovers = new Leftovers(clock)
    const entry = workerUrl('./local/worker/storage-worker', import.meta.url)
    const searchEntry = workerUrl('./local/worker/search-worker', import.meta.url)
    this.#root = root
    this.#resources = {
      descriptors: new Descriptors(maxDescriptors),
      buffers: new BufferPool(),
      collectYoung: createYoungCollection(),
      spaceClaims: new SpaceClaims(),
      listers: new WorkerPool({ entry, size: 2, heap: 512, niceness: 5 }),
      searchers: new WorkerPool({ entry: searchEntry, size: 2, heap: 256, niceness: 5, idle: KEPT_FOR_SEARCHES }),
      digesters: new WorkerPool({ entry, size: Math.max(1, availableParallelism() - 1), heap: 64, niceness: 10 }),
      archives: createArchivePools(),
      // Not all descriptors: or whoever opens many folders would keep others from their files.
      watches: new FolderWatches({ most: Math.min(MOST_WATCHED, Math.floor(maxDescriptors / 8)) }),
    }
  }

  async openScope(folder: StoragePath, links: LinkPolicy): Promise<Scope> {
    using lease = await this.#resources.descriptors.take(1)
    try {
      const root = await pinFolder({ root: this.#root, links }, segmentsOfScope(folder))
      return new LocalScope(
        { root, links, journal: this.#journal, leftovers: this.#leftovers },
        this.#resources,
        lease.split(1),
      )
    } catch (error) {
      throw translateError(error, folder)
    }
  }

  async makeScope(folder: StoragePath, links: LinkPolicy = 'inside'): Promise<void> {
    using _lease = await this.#resources.descriptors.take(2)
    try {
      const made = await pinMadeFolder({ root: this.#root, links }, segmentsOfScope(folder), FOLDER_MODE)
      made[Symbol.dispose]()
    } catch (error) {
      throw translateError(error, folder)
    }
  }

  async foldsCase(): Promise<boolean> {
    this.#foldsCase ??= foldsCase(this.#root)
    return await this.#foldsCase
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leftovers[Symbol.asyncDispose]()
    this.#resources.watches[Symbol.dispose]()
    await this.#resources.listers[Symbol.asyncDispose]()
    await this.#resources.searchers[Symbol.asyncDispose]()
    await this.#resources.digesters[Symbol.asyncDispose]()
    await this.#resources.archives[Symbol.asyncDispose]()
    this.#root[Symbol.dispose]()
    this.#journal?.[Symbol.dispose]()
  }
}

function segmentsOfScope(folder: StoragePath): string[] {
  const segments = segmentsOf(parseVirtualPath(folder))
  if (segments.some(isOwnName)) fail('NOT_FOUND', 'there is nothing at this path')
  return segments
}

/** The other half is for connections. */
function halfOfLimit(): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return Math.min(MOST_DESCRIPTORS, Math.floor(Number(limit ?? MOST_DESCRIPTORS) / 2))
}

/**
 * Everything is reached through /proc/self/fd, so it must lead back to what is held. Without it a folder swapped for a link
 * could lead operations anywhere, and no weaker way is taken silently.
 */
function requireDescriptorPaths(root: Pin): void {
  const held = fstatSync(root.fd, { bigint: true })
  const seen = statSync(at(root), { bigint: true, throwIfNoEntry: false })
  if (process.platform === 'linux' && seen?.ino === held.ino && seen.dev === held.dev) return
  root[Symbol.dispose]()
  fail('UNSUPPORTED', 'files cannot be served safely here: Linux with /proc mounted is needed')
}
