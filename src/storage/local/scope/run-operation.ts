import { FilemgrError, isFilemgrError, throwIfCancelled } from '../../../domain/errors.ts'
import { segmentsOf, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { errorCode } from '../../../platform/files/error-code.ts'
import { Budget, type Permit } from '../../../platform/limits/budget.ts'
import { DiskWait } from '../../../platform/limits/disk-wait.ts'
import type { Work } from '../../storage.ts'
import { lacksFiles } from '../system/disk.ts'
import { textOfLatin1 } from '../system/handle.ts'
import { translateError } from '../system/os-error.ts'
import { expectedRealPath, type ScopeRoot } from './scope-root.ts'

/** How long an operation waits for free descriptors, in milliseconds. */
const DESCRIPTOR_TIMEOUT = 5000

/** Limits the open descriptors: operations wait for free ones instead of failing midway at the limit of the process. */
export class Descriptors extends Budget {
  constructor(max: number, timeout = DESCRIPTOR_TIMEOUT) {
    super({ max, timeout, refusal: 'too many files are open: try again in a moment' })
  }
}

/** For the folder, the entry, the target of a link, and the file itself. */
const DESCRIPTORS_OF_ONE_OPERATION = 4
/** For the open folders nearest to the current one. */
const DESCRIPTORS_OF_A_WALK = 16
/** For two walks, and eight files at the same time. */
const DESCRIPTORS_OF_A_COPY = 64

/** Made once: an error with its stack costs more than a system call. */
const OVER = new DOMException('the operation is over', 'AbortError')
/** Their number is the limit, not their size. */
const FILES = { reason: 'files' }

/** Runs operations beneath a scope root: reserves descriptors, keeps the root open until the end, and translates errors. */
export class OperationRunner {
  readonly scopeRoot: ScopeRoot
  readonly #descriptors: Descriptors
  readonly #copies: Descriptors

  /** @param copies the share of the descriptors that all copies together may use */
  constructor(scopeRoot: ScopeRoot, descriptors: Descriptors, copies: Descriptors) {
    this.scopeRoot = scopeRoot
    this.#descriptors = descriptors
    this.#copies = copies
  }

  async run<T>(path: VirtualPath, work: (permit: Permit) => Promise<T>): Promise<T> {
    return await bounded(async () => await this.#withDescriptors(path, DESCRIPTORS_OF_ONE_OPERATION, work))
  }

  /** Runs a task of any duration. If the disk stops answering, aborts it, so that it does not resume when the disk recovers. */
  async walk<T>(path: VirtualPath, work: Work, task: (work: Work) => Promise<T>): Promise<T> {
    return await this.#long(
      work,
      async (own) => await this.#withDescriptors(path, DESCRIPTORS_OF_A_WALK, async () => await task(own)),
    )
  }

  /** Like `walk`, for a copy. All copies share part of the descriptors, so that other operations can run meanwhile. */
  async copy<T>(path: VirtualPath, work: Work, task: (work: Work) => Promise<T>): Promise<T> {
    return await this.#long(work, async (own) => {
      using _turn = await this.#copies.acquire(DESCRIPTORS_OF_A_COPY, own.signal)
      return await this.#withDescriptors(path, DESCRIPTORS_OF_A_COPY, async () => await task(own))
    })
  }

  /** @throws BUSY */
  async #long<T>(work: Work, task: (work: Work) => Promise<T>): Promise<T> {
    const stop = new AbortController()
    const signal = work.signal === undefined ? stop.signal : AbortSignal.any([work.signal, stop.signal])
    try {
      return await new DiskWait().run(async () => await task({ ...work, signal }))
    } finally {
      stop.abort(OVER)
    }
  }

  async #withDescriptors<T>(path: VirtualPath, descriptors: number, work: (permit: Permit) => Promise<T>): Promise<T> {
    using permit = await this.#descriptors.acquire(descriptors)
    using _root = this.scopeRoot.folder.retain()
    try {
      return await work(permit)
    } catch (error) {
      throw await this.#translated(error, path)
    }
  }

  /** Like `run`, for work that yields parts. The time that the consumer takes does not count as a stalled disk. */
  async *stream<T>(
    path: VirtualPath,
    signal: AbortSignal | undefined,
    start: () => AsyncGenerator<T, void, void>,
  ): AsyncGenerator<T, void, void> {
    throwIfCancelled(signal)
    const parts = this.#held(path, start)
    const diskWait = new DiskWait()
    try {
      for (;;) {
        const { done, value } = await diskWait.run(async () => await parts.next())
        if (done === true) return
        yield value
      }
    } finally {
      const ended = parts.return()
      // Stuck work ends when the disk answers again; the caller does not wait for it.
      if (diskWait.isReleased) ended.catch(() => undefined)
      else await ended
    }
  }

  async *#held<T>(path: VirtualPath, start: () => AsyncGenerator<T, void, void>): AsyncGenerator<T, void, void> {
    using _permit = await this.#descriptors.acquire(DESCRIPTORS_OF_ONE_OPERATION)
    using _root = this.scopeRoot.folder.retain()
    try {
      yield* start()
    } catch (error) {
      throw await this.#translated(error, path)
    }
  }

  async #translated(error: unknown, path: VirtualPath): Promise<unknown> {
    const translated = translateError(error, path, this.#realPath(path))
    if (!isFilemgrError(translated, 'NO_SPACE') || errorCode(translated.cause) !== 'ENOSPC') return translated
    if (!(await lacksFiles(this.scopeRoot.folder).catch(() => false))) return translated
    return new FilemgrError('NO_SPACE', 'the disk cannot hold more files: delete some and try again', FILES, {
      cause: translated.cause,
    })
  }

  #realPath(path: VirtualPath): string {
    return textOfLatin1(expectedRealPath(this.scopeRoot, segmentsOf(path)))
  }
}

/** Waits for a disk no longer than a request does. @throws BUSY */
export async function bounded<T>(work: () => Promise<T>): Promise<T> {
  const diskWait = new DiskWait()
  return await diskWait.run(async () => {
    const result = await work()
    if (diskWait.isReleased) await discard(result)
    return result
  })
}

/** Disposes of a result that arrives after the caller has stopped waiting. */
async function discard(result: unknown): Promise<void> {
  const late = Object(result) as Partial<AsyncDisposable & Disposable>
  late[Symbol.dispose]?.()
  await late[Symbol.asyncDispose]?.()
}
