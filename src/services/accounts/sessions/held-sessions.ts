import type { SessionFamily } from '../../../domain/ids.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { SessionBook } from './sessions.ts'

/** Minimum milliseconds between two renewals. */
const INTERVAL = 60 * 60 * 1000

export interface HeldSessionsDeps {
  readonly sessions: Pick<SessionBook, 'extend'>
  /** Milliseconds for which work may wait, such as an upload for its next byte. */
  readonly patience: number
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Connects long work to the session that began it: its record stays after it has expired, so that the work may go on, and a record
 * that is gone means a sign-out, which ends the work.
 */
export function createHeldSessions({ sessions, patience, clock, log }: HeldSessionsDeps) {
  /** Keeps the record for as long as the work may wait. @param family undefined without a session, as for an API token */
  const extend = async (family: SessionFamily | undefined): Promise<void> => {
    if (family === undefined) return
    const needed = clock.now() + patience
    await sessions.extend(family, { needed, until: needed + INTERVAL })
  }

  return {
    extend,
    /** Repeats `extend` until it is disposed, because the work may take days. */
    keepExtending(family: SessionFamily | undefined): Disposable {
      const repeat = () =>
        void extend(family).catch((error: unknown) => {
          log.warn(
            { err: error },
            'the session of an upload or job could not be kept; when it expires, the work may stop',
          )
        })
      const timer = setInterval(repeat, INTERVAL).unref()
      return { [Symbol.dispose]: () => clearInterval(timer) }
    },
  }
}

export type HeldSessions = ReturnType<typeof createHeldSessions>
