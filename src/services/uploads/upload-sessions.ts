import type { Actor, Visitor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import { MAX_FAMILIES, type UploadRecord } from '../../domain/files/upload.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { SessionBook } from '../accounts/sessions/sessions.ts'
import { UPLOAD_IDLE } from './upload-lifetime.ts'

/** Minimum milliseconds between two renewals of a session for its uploads. */
const INTERVAL = 60 * 60 * 1000

export interface UploadSessionsDeps {
  readonly sessions: Pick<SessionBook, 'hold'>
  readonly clock: Clock
  readonly log: Logger
}

/** Connects an upload to the sessions that work on it, so that it may continue after they expire, but not after a sign-out. */
export interface UploadSessions {
  /** Keeps the session for as long as the upload may wait for its next byte. */
  hold(actor: Actor | Visitor): Promise<void>
  /** Repeats `hold` until it is disposed, because one part may take days. */
  keepHeld(actor: Actor | Visitor): Disposable
}

export function createUploadSessions({ sessions, clock, log }: UploadSessionsDeps): UploadSessions {
  const hold = async (actor: Actor | Visitor): Promise<void> => {
    if (actor.kind !== 'user' || actor.session === undefined) return
    const needed = clock.now() + UPLOAD_IDLE
    await sessions.hold(actor.session, { needed, until: needed + INTERVAL })
  }

  return {
    hold,
    keepHeld(actor) {
      const repeat = () =>
        void hold(actor).catch((error: unknown) => {
          log.warn({ err: error }, 'the session of an upload could not be extended; when it expires, the upload stops')
        })
      const timer = setInterval(repeat, INTERVAL).unref()
      return { [Symbol.dispose]: () => clearInterval(timer) }
    },
  }
}

/** Adds the current device to the record. */
export function withFamily(record: UploadRecord, actor: Actor | Visitor): UploadRecord {
  // An expired API token cannot continue an upload.
  if (actor.kind !== 'user' || actor.session === undefined) return record
  const { family } = actor.session
  const known = record.families ?? []
  return known.includes(family) ? record : { ...record, families: [...known, family].slice(-MAX_FAMILIES) }
}

/** @throws UNAUTHENTICATED for an expired session that neither began nor continued this upload */
export function requireOwnUpload(actor: Actor | Visitor, record: UploadRecord | undefined): void {
  if (actor.kind !== 'user' || actor.isExpired !== true) return
  if (record?.families?.includes(actor.session.family) === true) return
  fail('UNAUTHENTICATED', 'the session has ended; sign in again')
}
