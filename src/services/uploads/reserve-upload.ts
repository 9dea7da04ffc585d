import { setTimeout as sleep } from 'node:timers/promises'
import type { User } from '../../domain/accounts/user.ts'
import { fail } from '../../domain/errors.ts'
import { NOTHING, sum } from '../../domain/access/quota.ts'
import { amountOf, type UploadRecord } from '../../domain/uploads/upload.ts'
import { parseVirtualPath } from '../../domain/files/virtual-path.ts'
import { createLimiter } from '../../platform/limits/limiter.ts'
import type { Lease, Leases } from '../../store/store.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import { attempts, type Reservation } from '../access/quotas/reservation.ts'
import type { OpenUploads } from './open-uploads.ts'
import type { UnfinishedUploads } from './unfinished-uploads.ts'

export interface ReservingDeps {
  readonly openUploads: Pick<OpenUploads, 'ofVisitors' | 'requireRoom' | 'save'>
  readonly unfinished: Pick<UnfinishedUploads, 'makeRoom'>
  readonly leases: Pick<Leases, 'tryAcquire'>
  readonly quotas: Pick<Quotas, 'reserve' | 'tryReserveShare' | 'count'>
}

/**
 * Saves the record of a new upload, and reserves its whole length, or what it adds to the file that it replaces. Dispose of the reservation, or settle it once the staged file
 * exists.
 *
 * @param owner of the target folder
 * @param lease of the upload
 * @throws QUOTA_EXCEEDED; for a visitor also RATE_LIMITED, BUSY
 */
export type ReserveUpload = (owner: User, record: UploadRecord, lease: Lease) => Promise<Reservation>

/** Begins that wait for their turn on this daemon; with more, the address with the most is refused. */
const MAX_WAITING = 1000
/** Held for each begin of a visitor, while it is counted and recorded. */
const LEASE = 'visitor-uploads'
/** Milliseconds between two attempts to get the lease, and until we give up. */
const RETRY = 25
const PATIENCE = 10_000

/**
 * Visitors begin one after the other, among all daemons of a store: otherwise many who begin at the same moment would together
 * exceed the limits of unfinished uploads, and the share of the owner's quota.
 */
export function createReserving({ openUploads, unfinished, leases, quotas }: ReservingDeps): ReserveUpload {
  const turns = createLimiter({ concurrent: 1, waiting: MAX_WAITING })

  const acquireTurn = async (): Promise<Lease> => {
    const end = performance.now() + PATIENCE
    for (;;) {
      const lease = await leases.tryAcquire(LEASE)
      if (lease !== undefined) return lease
      if (performance.now() > end)
        fail('BUSY', 'too many visitors begin at the same time; try again', { retryAfter: 5 })
      await sleep(RETRY)
    }
  }

  /** @returns undefined if the files of the owner must be counted first, which would hold up all other visitors */
  const tryReserve = async (owner: User, record: UploadRecord, lease: Lease, isLast: boolean) => {
    await using turn = await acquireTurn()
    await openUploads.requireRoom(record)
    const isBeside = ({ id, userId }: UploadRecord) => userId === record.userId && id !== record.id
    const taken = (await openUploads.ofVisitors()).filter(isBeside).map(amountOf).reduce(sum, NOTHING)
    const path = parseVirtualPath(record.path)
    const reservation = await quotas.tryReserveShare(owner, path, amountOf(record), { taken, isLast })
    if (reservation === undefined) return undefined
    return await saved(reservation, async () => {
      await turn.renew()
      await openUploads.save(record, lease)
    })
  }

  return async (owner, record, lease) => {
    if (record.link === undefined) {
      const reservation = await quotas.reserve(owner, parseVirtualPath(record.path), amountOf(record))
      return await saved(reservation, async () => await openUploads.save(record, lease))
    }
    const isLast = attempts()
    for (;;) {
      const last = await isLast()
      const attempt = async () => await tryReserve(owner, record, lease, last)
      const reservation = await turns.run(attempt, undefined, record.sender)
      if (reservation !== undefined) return reservation
      await unfinished.makeRoom()
      await quotas.count(owner)
    }
  }
}

/** Releases the reservation if saving fails. */
async function saved(reservation: Reservation, save: () => Promise<void>): Promise<Reservation> {
  try {
    await save()
    return reservation
  } catch (error) {
    await reservation[Symbol.asyncDispose]()
    throw error
  }
}
