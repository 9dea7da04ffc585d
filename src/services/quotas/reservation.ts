import { fail, isFilemgrError } from '../../domain/errors.ts'
import { type Amount, NOTHING, sum } from '../../domain/files/quota.ts'
import type { Work } from '../../storage/storage.ts'

/** The most bytes that a body of unknown length asks for in advance. */
const STEP = 1024 * 1024

/** Where a reservation is held. */
export interface ReservationBook {
  /** Holds this much more. @throws QUOTA_EXCEEDED */
  hold(more: Amount): Promise<void>
  renew(): Promise<void>
  /** Holds nothing any more. @param written counts from now on */
  release(written: Amount, how: { readonly isExact: boolean }): Promise<void>
}

/** Milliseconds between two renewals. */
const INTERVAL = 60_000

/**
 * Part of a quota, held for what is about to be written. It counts as used until it is settled; disposing it gives it back.
 * Where no quota is concerned, there is no book, and all of this does nothing.
 */
export class Reservation implements AsyncDisposable {
  readonly #book: ReservationBook | undefined
  readonly #timer: NodeJS.Timeout | undefined
  #isOpen = true

  private constructor(book: ReservationBook | undefined) {
    this.#book = book
    if (book === undefined) return
    // While the database is away, nothing can be held anew either.
    this.#timer = setInterval(() => void book.renew().catch(() => undefined), INTERVAL).unref()
  }

  /** @throws QUOTA_EXCEEDED */
  static async make(book: ReservationBook | undefined, wanted: Amount): Promise<Reservation> {
    await book?.hold(wanted)
    return new Reservation(book)
  }

  /** False where no quota is concerned. */
  get isLimited(): boolean {
    return this.#book !== undefined
  }

  /** What has been written counts from now on. */
  async settle(written: Amount): Promise<void> {
    await this.#end(written, true)
  }

  /**
   * For a body of unknown length: reserves as it comes, and for as much again in advance, if there is as much. To be called
   * with the number of bytes so far.
   *
   * @param free as many bytes need no reservation
   */
  asking(free: number): ((bytes: number) => Promise<void>) | undefined {
    const book = this.#book
    if (book === undefined) return undefined
    let held = free
    const grow = async (bytes: number): Promise<void> => {
      await book.hold({ bytes, files: 0 })
      held += bytes
    }
    return async (bytes) => {
      const missing = bytes - held
      if (missing <= 0) return
      try {
        await grow(Math.max(missing, Math.min(held - free, STEP)))
      } catch (error) {
        if (!isFilemgrError(error, 'QUOTA_EXCEEDED') || missing >= held - free) throw error
        await grow(missing)
      }
    }
  }

  /**
   * Copies what was measured before. If that fails, as much counts as may have been written.
   *
   * @param measured what it was made for
   * @throws CONFLICT before a file for which it has no place, because there is more by now
   */
  async fill(measured: Amount, work: Work, copy: (own: Work) => Promise<void>): Promise<void> {
    if (this.#book === undefined) {
      await copy(work)
      return
    }
    let written = NOTHING
    const admit = (bytes: number): void => {
      const all = sum(written, { bytes, files: 1 })
      if (all.bytes > measured.bytes || all.files > measured.files)
        fail('CONFLICT', 'the files have grown meanwhile: try again')
      written = all
    }
    let isDone = false
    try {
      await copy({ ...work, admit })
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
