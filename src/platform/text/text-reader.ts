import { type Encoding, decodeUnicode, isUnicode } from '../../domain/text/encodings.ts'
import { provenEncoding } from '../../domain/text/proven-encoding.ts'
import type { HeavyMemory } from '../limits/heavy-memory.ts'
import { createLimiter } from '../limits/limiter.ts'
import { MEMORY_PLAN } from '../limits/memory-plan.ts'
import { TaskThreads } from '../workers/task-threads.ts'
import { workerUrl } from '../workers/worker-messages.ts'
import type { ReadText, TextTask } from './text-worker.ts'

/** One guess takes milliseconds, the text of 10 MiB at most two seconds. */
const LIMITS = { concurrent: 1, waiting: 64 }
/** Milliseconds after which the statistics leave the memory. */
const IDLE = 60_000

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
  /** Those who read take turns. */
  readonly owner?: string
}

/** Reads texts in any encoding. All that is not Unicode is read in a thread: guesses and tables take their time and memory. */
export class TextReader implements AsyncDisposable {
  readonly #limiter = createLimiter(LIMITS)
  readonly #threads: TaskThreads

  constructor(memory?: HeavyMemory) {
    this.#threads = new TaskThreads({
      entry: workerUrl('./text-worker', import.meta.url),
      heap: MEMORY_PLAN.heaps.text,
      outOfMemory: 'this text takes too much memory to be read: download it',
      idle: IDLE,
      ...(memory && { memory }),
    })
  }

  /**
   * The text without its byte order mark. Invalid sequences, and all of "binary" bytes that are not UTF-8, become U+FFFD.
   *
   * @param encoding detected if it is undefined
   * @throws BUSY if too many texts are read; CANCELLED
   */
  async read(bytes: Uint8Array, encoding?: Encoding, options: ReadOptions = {}): Promise<ReadText> {
    const known = encoding ?? provenEncoding(bytes)
    if (known === 'binary')
      return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), encoding: 'utf-8' }
    if (known !== undefined && isUnicode(known))
      return { text: decodeUnicode(bytes, known, { exact: false }) ?? '', encoding: known }
    return (await this.#run({ kind: 'read', bytes, encoding: known }, options)) as ReadText
  }

  /** As `likelyEncodings` of the content of a file. @throws BUSY, CANCELLED */
  async likely(sample: Uint8Array, options: ReadOptions = {}): Promise<Encoding[]> {
    return (await this.#run({ kind: 'likely', sample }, options)) as Encoding[]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]()
  }

  async #run(task: TextTask, { signal, owner }: ReadOptions): Promise<unknown> {
    return await this.#limiter.run(async () => await this.#threads.run(task, neverAsked, signal), signal, owner)
  }
}

function neverAsked(): never {
  throw new Error('the thread asks nothing')
}
