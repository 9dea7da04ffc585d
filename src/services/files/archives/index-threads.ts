import type { Readable } from 'node:stream'
import type { ReadableFormat } from '../../../domain/files/archives/archive-format.ts'
import type { Encoding } from '../../../domain/text/encodings.ts'
import { type ArchiveMemory, tooLargeArchive } from '../../../platform/archives/read/archive-memory.ts'
import { type ArchiveFile, needOf } from '../../../platform/archives/read/reader-need.ts'
import type { HeavyMemory } from '../../../platform/limits/heavy-memory.ts'
import { MEMORY_PLAN } from '../../../platform/limits/memory-plan.ts'
import { TaskThreads } from '../../../platform/workers/task-threads.ts'
import { workerUrl } from '../../../platform/workers/worker-messages.ts'
import { ArchiveIndex, type PackedIndex } from './archive-index.ts'
import type { IndexQuestion, IndexTask } from './archive-index-worker.ts'

export interface IndexRequest {
  readonly file: ArchiveFile
  readonly format: ReadableFormat
  /** Whose share of the memory is used. */
  readonly owner: string
  /** Of names that do not say theirs; undefined to detect it. */
  readonly encoding?: Encoding | undefined
}

/** Reads the indexes of archives in worker threads. */
export class IndexThreads implements AsyncDisposable {
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
    const open = this.#open.get(stream) ?? bytesOf(this.#file.stream(start, end))
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

function bytesOf(stream: Readable): AsyncIterator<Uint8Array> {
  return stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
}
