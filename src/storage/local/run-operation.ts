import { fail } from '../../domain/errors.ts'
import { ROOT, type VirtualPath } from '../../domain/virtual-path.ts'
import { Patience } from '../../platform/patience.ts'
import type { Work } from '../storage.ts'
import type { Descriptors, Lease } from './descriptors.ts'
import type { Ground } from './ground.ts'
import { translateError } from './os-error.ts'

/** Folder, entry, target of a link, and the file itself. */
const DESCRIPTORS_OF_ONE_OPERATION = 4
/** The folders next to the one where it is. */
const DESCRIPTORS_OF_A_WALK = 16
/** Two walks, and eight files at a time. */
const DESCRIPTORS_OF_A_COPY = 64

/** Runs operations beneath a ground: with descriptors set aside, the root held until the end, and errors as ours. */
export class OperationRunner {
  readonly ground: Ground
  readonly #descriptors: Descriptors
  readonly #copies: Descriptors

  /** @param copies what all copies together may take of the descriptors */
  constructor(ground: Ground, descriptors: Descriptors, copies: Descriptors) {
    this.ground = ground
    this.#descriptors = descriptors
    this.#copies = copies
  }

  async run<T>(path: VirtualPath, work: (lease: Lease) => Promise<T>): Promise<T> {
    const patience = new Patience()
    return await patience.wait(async () => {
      const result = await this.#hold(path, DESCRIPTORS_OF_ONE_OPERATION, work)
      if (patience.isLost) await discard(result)
      return result
    })
  }

  /** Goes through a tree, for as long as that takes. */
  async walk<T>(path: VirtualPath, work: () => Promise<T>): Promise<T> {
    return await this.#hold(path, DESCRIPTORS_OF_A_WALK, work)
  }

  /** The same for nobody who waits: on a disk that does not answer it ends, to have its turn again later. @throws BUSY */
  async sweep<T>(signal: AbortSignal | undefined, work: (work: Work) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
    try {
      return await new Patience().wait(async () => await this.walk(ROOT, async () => await work({ signal: either })))
    } finally {
      // What is stuck goes no further once the disk answers again.
      stop.abort()
    }
  }

  /** The same, after other copies if need be: they are never so many that nothing else can be done. */
  async copy<T>(path: VirtualPath, { signal }: Work, work: () => Promise<T>): Promise<T> {
    using _turn = await this.#copies.take(DESCRIPTORS_OF_A_COPY, signal)
    return await this.#hold(path, DESCRIPTORS_OF_A_COPY, work)
  }

  async #hold<T>(path: VirtualPath, descriptors: number, work: (lease: Lease) => Promise<T>): Promise<T> {
    using lease = await this.#descriptors.take(descriptors)
    using _root = this.ground.root.retain()
    try {
      return await work(lease)
    } catch (error) {
      throw translateError(error, path)
    }
  }

  /** The same for work that gives parts: as long as its consumer takes them, and until each is there. */
  async *stream<T>(
    path: VirtualPath,
    signal: AbortSignal | undefined,
    start: () => AsyncGenerator<T, void, void>,
  ): AsyncGenerator<T, void, void> {
    if (signal?.aborted === true) fail('CANCELLED', 'this was cancelled')
    const parts = this.#held(path, start)
    const patience = new Patience()
    try {
      for (;;) {
        const { done, value } = await patience.wait(async () => await parts.next())
        if (done === true) return
        yield value
      }
    } finally {
      const ended = parts.return()
      // What is stuck ends when the disk answers again.
      if (patience.isLost) ended.catch(() => undefined)
      else await ended
    }
  }

  async *#held<T>(path: VirtualPath, start: () => AsyncGenerator<T, void, void>): AsyncGenerator<T, void, void> {
    using _lease = await this.#descriptors.take(DESCRIPTORS_OF_ONE_OPERATION)
    using _root = this.ground.root.retain()
    try {
      yield* start()
    } catch (error) {
      throw translateError(error, path)
    }
  }
}

/** What came too late for those who wanted it. */
async function discard(result: unknown): Promise<void> {
  const late = Object(result) as Partial<AsyncDisposable & Disposable>
  late[Symbol.dispose]?.()
  await late[Symbol.asyncDispose]?.()
}
