import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { added, type Amount, difference, NOTHING, sum } from '../../../domain/access/quota.ts'
import type { Work } from '../../../storage/storage.ts'
import { setTimeout as sleep } from 'node:timers/promises'

/** How often files are counted at least before a write is refused. More than once, because files may be moved during a count. */
const MIN_COUNTS = 2
/** Milliseconds for which others may make counts inexact, by writing meanwhile, before a write is refused all the same. */
const PATIENCE = 5000
/** Milliseconds between two counts that others made inexact. */
const PAUSE = 50

/** A body of unknown length reserves at most this many bytes in advance. */
const MAX_ADVANCE = 1024 * 1024

/** Records one reservation in the usage of all scopes that it concerns. */
export interface ReservationBook {
  /** As `reserve`, but false if the files must be counted first. @param isLast fails instead */
  tryReserve(more: Amount, isLast: boolean): Promise<boolean>
  /** Adds to the reservation. @throws QUOTA_EXCEEDED, BUSY */
  reserve(more: Amount): Promise<void>
  renew(): Promise<void>
  /** Ends the reservation; instead of it, `written` counts as used. If that is not exact, less may have been written. */
  release(written: Amount, accuracy: { readonly isExact: boolean }): Promise<void>
}

/** Milliseconds between two renewals. */
const RENEWAL_INTERVAL = 60_000

/**
 * Room in a quota for files that are about to be written. It counts as used until the reservation is settled, or disposed of
 * without being settled. Where no quota applies, there is no book, and nothing is reserved or refused.
 */
export class Reservation implements AsyncDisposable {
  readonly #book: ReservationBook | undefined
  readonly #timer: NodeJS.Timeout | undefined
  #isOpen = true

  private constructor(book: ReservationBook | undefined) {
    this.#book = book
    if (book === undefined) return
    // A failure is harmless: while the database is away, nobody else can reserve the room either.
    this.#timer = setInterval(() => void book.renew().catch(() => undefined), RENEWAL_INTERVAL).unref()
  }

  /** @throws QUOTA_EXCEEDED, BUSY */
  static async make(book: ReservationBook | undefined, amount: Amount): Promise<Reservation> {
    await book?.reserve(amount)
    return new Reservation(book)
  }

  /** As `make`, but undefined if the files must be counted first. @param isLast fails instead */
  static async tryMake(
    book: ReservationBook | undefined,
    amount: Amount,
    isLast: boolean,
  ): Promise<Reservation | undefined> {
    return (await book?.tryReserve(amount, isLast)) === false ? undefined : new Reservation(book)
  }

  /** False where no quota applies. */
  get isLimited(): boolean {
    return this.#book !== undefined
  }

  /** Ends the reservation; instead of it, what was written counts as used. */
  async settle(written: Amount): Promise<void> {
    await this.#end(written, true)
  }

  /**
   * For a body of unknown length: returns a function that reserves its bytes as they arrive, and as many again in advance while
   * the quota has room. Call it with the total number of bytes so far.
   *
   * @param free bytes that need no reservation
   */
  growing(free: number): ((bytes: number) => Promise<void>) | undefined {
    const book = this.#book
    if (book === undefined) return undefined
    let covered = free
    const grow = async (bytes: number): Promise<void> => {
      await book.reserve({ bytes, files: 0 })
      covered += bytes
    }
    return async (bytes) => {
      const missing = bytes - covered
      if (missing <= 0) return
      try {
        await grow(Math.max(missing, Math.min(covered - free, MAX_ADVANCE)))
      } catch (error) {
        if (!isFilemgrError(error, 'QUOTA_EXCEEDED') || missing >= covered - free) throw error
        await grow(missing)
      }
    }
  }

  /**
   * Copies files and folders that were measured before, and settles the reservation. Files that replace others count by what they
   * add. If the copy fails, everything that it began counts.
   *
   * @param measured the reserved amount
   * @throws CONFLICT before a file that exceeds this amount, because the files have grown since
   */
  async fill(measured: Amount, work: Work, copy: (own: Work) => Promise<void>): Promise<void> {
    if (this.#book === undefined) {
      await copy(work)
      return
    }
    let written = NOTHING
    const admit = (bytes: number, replaced?: number): void => {
      const old = replaced === undefined ? NOTHING : { bytes: replaced, files: 1 }
      const all = sum(written, added({ bytes, files: 1 }, old))
      if (all.bytes > measured.bytes || all.files > measured.files)
        fail('CONFLICT', 'the files have grown while they were copied; try again', { reason: 'changed' })
      written = all
    }
    const admitFolder = (count: 1 | -1): void => {
      if (count === 1) admit(0)
      else written = difference(written, { bytes: 0, files: 1 })
    }
    let isDone = false
    try {
      await copy({ ...work, admit, admitFolder })
      isDone = true
    } finally {
      await this.#end(written, isDone)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(NOTHING, true)
  }

  async #end(written: Amount, isExact: boolean): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    clearInterval(this.#timer)
    await this.#book?.release(written, { isExact })
  }
}

/**
 * Attempts to reserve room. After each that fails, the files must be counted. Nobody is refused by an inexact count unless it
 * stays inexact for long: when the last bytes of a quota are written at several daemons at once, each of their counts finds files
 * that it also knows to have been added.
 *
 * @returns what to call before each attempt: it says whether that is the last one, and must not fail for an inexact count
 */
export function attempts(): () => Promise<boolean> {
  const end = performance.now() + PATIENCE
  let made = 0
  return async () => {
    const counts = made++
    if (counts > MIN_COUNTS) await sleep(PAUSE)
    return counts >= MIN_COUNTS && performance.now() >= end
  }
}
