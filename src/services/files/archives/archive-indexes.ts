import { type ErrorDetails, FilemgrError, isFilemgrError } from '../../../domain/errors.ts'
import { isSeekable } from '../../../domain/files/archives/archive-format.ts'
import type { ArchiveMemory } from '../../../platform/archives/read/archive-memory.ts'
import type { HeavyMemory } from '../../../platform/limits/heavy-memory.ts'
import { MEMORY_PLAN } from '../../../platform/limits/memory-plan.ts'
import { createLimiter } from '../../../platform/limits/limiter.ts'
import type { OpenFile } from '../../../storage/storage.ts'
import { type IndexRequest, IndexThreads } from './index-threads.ts'
import { KeptIndexes, type UsedIndex } from './kept-indexes.ts'

/** Limits for archives that are indexed at the same time. Those compressed as a whole keep a processor busy for long. */
const QUICK = { concurrent: MEMORY_PLAN.threads, waiting: 64 }
const SLOW = { concurrent: MEMORY_PLAN.threads, waiting: 16 }
/** Refused archives that are remembered. */
const MAX_REFUSED = 2000

interface Refusal {
  readonly code: 'TOO_LARGE' | 'INVALID_INPUT'
  readonly message: string
  readonly details: ErrorDetails
}

/** An archive as one user sees it. */
export interface SeenArchive extends IndexRequest {
  /** Open until `read` has returned. */
  readonly file: OpenFile
  readonly path: string
  /** Who reads it: this user waits for others in turn, and has a share of the memory. */
  readonly owner: string
}

/** The indexes of archives, read in worker threads and kept while there is memory. */
export class ArchiveIndexes implements AsyncDisposable {
  readonly #threads: IndexThreads
  readonly #kept: KeptIndexes
  readonly #quick = createLimiter(QUICK)
  readonly #slow = createLimiter(SLOW)
  /** The oldest first. The attack is an archive that costs a second before it is refused, requested again and again. */
  readonly #refused = new Map<string, Refusal>()

  constructor(memory: ArchiveMemory, heavy?: HeavyMemory) {
    this.#threads = new IndexThreads(memory, heavy)
    this.#kept = new KeptIndexes(memory, MEMORY_PLAN.kept)
  }

  /** Dispose of it soon after. @throws INVALID_INPUT if the archive is damaged, TOO_LARGE for a bomb, BUSY */
  async read(archive: SeenArchive, signal?: AbortSignal): Promise<UsedIndex> {
    const { format, owner } = archive
    const key = keyOf(archive)
    const refusal = this.#refused.get(key)
    if (refusal !== undefined) throw new FilemgrError(refusal.code, refusal.message, refusal.details)
    const limiter = isSeekable(format) ? this.#quick : this.#slow
    const read = async () => {
      // Another request for it may have been first.
      const index = this.#kept.use(key)
      return index ?? (await this.#kept.add(key, await this.#threads.read(archive, signal), signal))
    }
    try {
      return this.#kept.use(key) ?? (await limiter.run(read, signal, owner))
    } catch (error) {
      if (isFilemgrError(error, 'TOO_LARGE', 'INVALID_INPUT')) this.#refuse(key, error)
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#kept[Symbol.dispose]()
    await this.#threads[Symbol.asyncDispose]()
  }

  #refuse(key: string, { code, message, details }: FilemgrError): void {
    if (code !== 'TOO_LARGE' && code !== 'INVALID_INPUT') return
    this.#refused.delete(key)
    this.#refused.set(key, { code, message, details })
    const [oldest] = this.#refused.keys()
    if (this.#refused.size > MAX_REFUSED && oldest !== undefined) this.#refused.delete(oldest)
  }
}

/** Changes with the archive. Has its path too, since inode numbers are reused, and two disks may have the same ones. */
function keyOf({ file, path, owner, encoding }: SeenArchive): string {
  return [owner, path, encoding ?? '', file.inode, file.size, file.modified, file.changed].join('\0')
}
