import { systemClock } from '../platform/clock.ts'
import { fillStoreAt, openStoresAt, type StorePlace } from '../store/place.ts'
import type { StoreLog } from '../store/store.ts'
import { stampOf } from './backup-place.ts'

export interface CopyRequest {
  readonly from: StorePlace
  readonly to: StorePlace
  /** True to replace a store that is there; a file is kept. */
  readonly replace: boolean
  readonly log: StoreLog
}

export interface CopyReport {
  readonly users: number
  readonly shares: number
  readonly sessions: number
}

/**
 * Copies accounts, settings, links and sessions from one place to another, all or nothing. Files of the data folder that belong to
 * one machine, such as logs, thumbnails and unfinished uploads, are not copied.
 *
 * @throws NOT_FOUND without a source; CONFLICT if there is a store at the target and `replace` is not given; STORE_INVALID,
 *         STORE_BUSY, NO_SPACE
 */
export async function copyStore({ from, to, replace, log }: CopyRequest): Promise<CopyReport> {
  await using source = await openStoresAt(from, { log, repair: false })
  const document = structuredClone(source.store.snapshot())
  // The branding files stay where they are.
  const sessions = source.sessions.all()
  const replacedEnding = replace ? `before-copy-${stampOf(new Date(systemClock.now()))}` : undefined
  await fillStoreAt(to, { document, sessions }, { log, replacedEnding })
  return { users: document.users.length, shares: document.shares.length, sessions: sessions.length }
}
