import { type ErrorDetails, FilemgrError, isFilemgrError } from '../../../domain/errors.ts'
import { isSeekable, type ReadableFormat } from '../../../domain/files/archives/archive-format.ts'
import { type ArchiveMemory, tooLargeArchive } from '../../../platform/archives/read/archive-memory.ts'
import type { HeavyMemory } from '../../../platform/limits/heavy-memory.ts'
import { MEMORY_PLAN } from '../../../platform/limits/memory-plan.ts'
import { createLimiter } from '../../../platform/limits/limiter.ts'
import type { OpenFile } from '../../../storage/open-file.ts'
import { KeptIndexes, type UsedIndex } from './kept-indexes.ts'
import type { Encoding } from '../../../domain/text/encodings.ts'
import { type ArchiveFile, needOf } from '../../../platform/archives/read/reader-need.ts'
import { TaskThreads } from '../../../platform/workers/task-threads.ts'
import { workerUrl } from '../../../platform/workers/worker-messages.ts'
import { ArchiveIndex, type PackedIndex } from './archive-index.ts'
import type { IndexQuestion, IndexTask } from './archive-index-worker.ts'

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

interface IndexRequest {
  readonly file: ArchiveFile
  readonly format: ReadableFormat
  /** Whose share of the memory is used. */
  readonly owner: string
  /** Of names that do not say theirs; undefined to detect it. */
  readonly encoding?: Encoding | undefined
}

/** Reads the indexes of archives in worker threads. */
class IndexThreads implements AsyncDisposable {
  readonly #memory: ArchiveMemory
  readonly #threads: TaskThreads

  constructor(memory: ArchiveMemory, heavy?: HeavyMemory) {
    this.#memory = memory
    this.#threads = new TaskThreads({
      entry: workerUrl('./archive-index-worker', import.meta.url),
      heap: MEMORY_PLAN.heaps.index,
      outOfMemory: 'this archive is not opened here, because listing it takes too much memory: download it',
      ...(heavy && { memory: heavy }),
    })
  }

  /** @throws TOO_LARGE for a bomb, INVALID_INPUT if it is damaged, BUSY */
  async read({ file, format, owner, encoding }: IndexRequest, signal?: AbortSignal): Promise<ArchiveIndex> {
    const need = await needOf(file, format)
    using room = new DisposableStack()
    room.use(await this.#memory.acquire(need.bytes, owner, signal))
    let taken = need.bytes
    const takeMore = async (bytes: number): Promise<void> => {
      taken += bytes
      // Waiting for others would not help.
      if (taken > this.#memory.share) throw tooLargeArchive()
      room.use(await this.#memory.acquireInThread(bytes, owner, signal))
    }
    await using streams = new OpenStreams(file)
    const answer = async (asked: unknown): Promise<Uint8Array | undefined> => {
      const question = asked as IndexQuestion
      if (question.kind === 'bytes') return await streams.next(question)
      if (question.kind === 'close') await streams.close(question.stream)
      else await takeMore(question.bytes)
      return undefined
    }
    const task: IndexTask = { format, size: file.size, need, encoding }
    return new ArchiveIndex((await this.#threads.run(task, answer, signal)) as PackedIndex)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]()
  }
}

/** Streams of an archive that a worker reads, by its numbers. */
class OpenStreams implements AsyncDisposable {
  readonly #file: ArchiveFile
  readonly #open = new Map<number, AsyncIterator<Uint8Array>>()

  constructor(file: ArchiveFile) {
    this.#file = file
  }

  /** Undefined at the end. */
  async next({ stream, start, end }: IndexQuestion & { kind: 'bytes' }): Promise<Uint8Array | undefined> {
    const begin = () => this.#file.stream(start, end)[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
    const open = this.#open.get(stream) ?? begin()
    this.#open.set(stream, open)
    const next = await open.next()
    // Copied, because memory that passes to another thread must not be shared.
    return next.done === true ? undefined : new Uint8Array(next.value)
  }

  async close(stream: number): Promise<void> {
    const open = this.#open.get(stream)
    this.#open.delete(stream)
    await open?.return?.()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stream of this.#open.keys()) await this.close(stream)
  }
}
