import type { ShareHash } from '../../domain/ids.ts'
import type { Share } from '../../domain/shares/share.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'

export interface OpeningsDeps {
  readonly store: Store<StoreDocument>
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds between an opening and the write that saves it. */
  readonly delay?: number
}

interface Count {
  readonly count: number
  /** Unix seconds; 0 = never. */
  readonly last: number
}

const DELAY = 30_000
const NONE: Count = { count: 0, last: 0 }

/** Counts how often shares are opened. Saves counts in batches, so that a popular share does not cause a write per opening. */
export function createOpenings({ store, clock, log, delay = DELAY }: OpeningsDeps) {
  /** At most one entry per share. */
  let pending = new Map<ShareHash, Count>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const write = async (): Promise<void> => {
    const counted = pending
    pending = new Map()
    if (counted.size === 0) return
    try {
      await store.update((draft, now) => {
        draft.shares = now.shares.map((share) => {
          const added = counted.get(share.hash)
          if (added === undefined) return share
          const { openings, lastOpened } = share
          return { ...share, openings: openings + added.count, lastOpened: Math.max(lastOpened, added.last) }
        })
      })
    } catch (error) {
      for (const [hash, count] of counted) pending.set(hash, sum(count, pending.get(hash) ?? NONE))
      log.warn({ err: error }, 'the openings of shares could not be saved; the next save tries again')
    }
  }

  /** Saves the counts. */
  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    await writing
  }

  return {
    flush,

    add(hash: ShareHash): void {
      pending.set(hash, sum(pending.get(hash) ?? NONE, { count: 1, last: Math.floor(clock.now() / 1000) }))
      timer ??= setTimeout(() => void flush(), delay).unref()
    },

    /** Includes openings that are not saved yet. */
    ofShare({ hash, openings, lastOpened }: Pick<Share, 'hash' | 'openings' | 'lastOpened'>): Count {
      return sum({ count: openings, last: lastOpened }, pending.get(hash) ?? NONE)
    },

    [Symbol.asyncDispose]: flush,
  }
}

export type Openings = ReturnType<typeof createOpenings>

function sum(a: Count, b: Count): Count {
  return { count: a.count + b.count, last: Math.max(a.last, b.last) }
}
