import { FilemgrError } from '../../../domain/errors.ts'
import { Budget } from '../../limits/budget.ts'
import { HeavyMemory } from '../../limits/heavy-memory.ts'
import { MEMORY_PLAN } from '../../limits/memory-plan.ts'

/** Bytes for all archives that are being read, and for what is known of them. */
const TOTAL = MEMORY_PLAN.archives
/** Bytes for one user, so that others always have room. With 2 GiB of memory the largest archive within the limits fits. */
const SHARE = (TOTAL / 4) * 3
/** Milliseconds to wait for room. */
const TIMEOUT = 10_000
const ADVICE = 'try again in a moment'

interface Reclaimable {
  /** Gives back at least so many bytes if it can, without waiting. */
  reclaim(bytes: number): void
  /** Gives everything back, as soon as nobody uses it. */
  giveUp(): void
}

/**
 * The one budget of everything that reads archives: decoders, indexes that are being made, and those that are kept. What no
 * room is found for waits, and then gets BUSY.
 */
export class ArchiveMemory {
  readonly #budget = new Budget({
    max: TOTAL,
    timeout: TIMEOUT,
    refusal: `too many archives are being read: ${ADVICE}`,
  })
  readonly #heavy: HeavyMemory
  readonly #held = new Map<string, number>()
  /** Memory that is held only to save work. */
  #spare: Reclaimable | undefined

  /** Bytes that one user can take. */
  readonly share = SHARE

  /** @param heavy where memory that is not part of a thread is taken too */
  constructor(heavy = new HeavyMemory()) {
    this.#heavy = heavy
  }

  /** @returns ends that */
  useSpare(spare: Reclaimable): Disposable {
    this.#spare = spare
    return this.#heavy.onWanted(() => spare.giveUp())
  }

  /**
   * @param owner undefined for what is kept for everyone
   * @throws BUSY, CANCELLED; TOO_LARGE if there is never so much
   */
  async acquire(bytes: number, owner?: string, signal?: AbortSignal): Promise<Disposable> {
    using held = new DisposableStack()
    held.use(await this.acquireInThread(bytes, owner, signal))
    held.use(await this.#heavy.acquire(bytes, signal))
    return held.move()
  }

  /** The same for memory in the heap of a thread, which has its memory already. */
  async acquireInThread(bytes: number, owner?: string, signal?: AbortSignal): Promise<Disposable> {
    if (bytes > SHARE) throw tooLargeArchive()
    using held = new DisposableStack()
    if (owner !== undefined) held.use(this.#acquireShare(bytes, owner))
    if (this.#budget.free < bytes) this.#spare?.reclaim(bytes - this.#budget.free)
    held.use(await this.#budget.acquire(bytes, signal))
    return held.move()
  }

  #acquireShare(bytes: number, owner: string): Disposable {
    const before = this.#held.get(owner) ?? 0
    // The attack is a user who lets a few slow downloads from archives keep everybody else out of theirs.
    if (before + bytes > SHARE)
      throw new FilemgrError('BUSY', `you are reading too many archives: ${ADVICE}`, { retryAfter: 5 })
    this.#held.set(owner, before + bytes)
    return {
      [Symbol.dispose]: () => {
        const rest = (this.#held.get(owner) ?? 0) - bytes
        if (rest > 0) this.#held.set(owner, rest)
        else this.#held.delete(owner)
      },
    }
  }
}

/** Refuses an archive for which this machine never has the memory. */
export function tooLargeArchive(): FilemgrError {
  return new FilemgrError(
    'TOO_LARGE',
    'this archive is not opened here, because reading it takes more memory than this machine has for it: download it',
    { reason: 'archiveMemory' },
  )
}
