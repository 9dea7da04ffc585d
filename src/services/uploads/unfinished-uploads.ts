import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import { fail, unlessFails } from '../../domain/errors.ts'
import type { StagedState, UploadRecord, UploadView } from '../../domain/uploads/upload.ts'
import { mountOf, rootOf } from '../../domain/server/root.ts'
import { below, cleanVirtualPath, parseVirtualPath, relativeTo } from '../../domain/files/virtual-path.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { type Scope, type Staging, type Storage, storagePathOf } from '../../storage/storage.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Leases, Store } from '../../store/store.ts'
import type { RootIndex } from '../stored-roots.ts'
import { sweepEach } from '../server/chores/chores.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import type { Arrivals } from '../shares/arrivals.ts'
import { leaseOf, type OpenUploads, type Takeover, type UploadKey } from './open-uploads.ts'
import { expiryOfUpload, REMEMBERED } from './upload-lifetime.ts'

export interface UnfinishedUploadsDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Pick<Storage, 'openScope'>
  readonly roots: Pick<RootIndex, 'linksAt'>
  readonly openUploads: OpenUploads
  readonly leases: Pick<Leases, 'tryAcquire' | 'takeOver'>
  readonly arrivals: Pick<Arrivals, 'arrived' | 'forget' | 'sweep'>
  readonly quotas: Pick<Quotas, 'freed'>
  readonly clock: Clock
  readonly log: Logger
}

/** Milliseconds between two searches for expired uploads of visitors, so that refused ones do not keep the disk busy. */
const ROOM_INTERVAL = 5000

/** Cleans up the unfinished uploads of all users. */
export function createUnfinishedUploads(deps: UnfinishedUploadsDeps) {
  const { store, storage, roots, openUploads, leases, arrivals, quotas, clock, log } = deps

  const inScope = async <T>({ scope }: UploadRecord, work: (opened: Scope) => Promise<T>): Promise<T> => {
    const folder = cleanVirtualPath(scope)
    using opened = await storage.openScope(storagePathOf(folder), roots.linksAt(folder))
    return await work(opened)
  }

  const inStaging = async <T>(record: UploadRecord, work: (staging: Staging) => Promise<T>): Promise<T> =>
    await inScope(record, async ({ staging }) => await work(staging))

  const stateOf = async (record: UploadRecord): Promise<StagedState | undefined> =>
    await unlessFails(
      inStaging(record, async (staging) => await staging.state(parseVirtualPath(record.path), record.staged)),
      'NOT_FOUND',
    )

  /** Without its scope, the staged file may be anywhere: the storage notes that the next run must look for it. */
  const discardStaged = async (record: UploadRecord): Promise<void> => {
    const { scope, path, staged } = record
    const target = parseVirtualPath(path)
    const discarded = inStaging(record, async (staging) => {
      await staging.discard(target, staged)
      return true
    })
    if (await unlessFails(discarded, 'NOT_FOUND')) return
    const folder = cleanVirtualPath(scope)
    const top = mountOf(rootOf(folder))
    const whole = { ...record, scope: top }
    await inStaging(whole, async (staging) => await staging.discard(below(relativeTo(top, folder), target), staged))
  }

  /** A daemon that was killed after it had noted the end has left the staged file, also in a folder that was renamed since. */
  const isPlaced = async (record: UploadRecord): Promise<boolean> => {
    if (record.finished === undefined) return false
    if (openUploads.hasPlaced(record)) return true
    if ((await stateOf(record)) !== undefined) return false
    const exists = inScope(record, async (opened) => await opened.exists(parseVirtualPath(record.path)))
    return (await unlessFails(exists, 'NOT_FOUND')) === true
  }

  /** Only the staged file is removed, never the target. */
  const discard = async (record: UploadRecord): Promise<void> => {
    if (!(await isPlaced(record))) await discardStaged(record)
    await openUploads.drop(record)
    if (record.link !== undefined) await arrivals.forget(record.link, record.id)
    await quotas.freed(cleanVirtualPath(record.scope), parseVirtualPath(record.path))
  }

  /**
   * Cancels an upload and ends the request that works on it, at any daemon.
   *
   * @param judge throws if the actor may not; asked again right before the effect, because the request may take a while to end
   * @throws NOT_FOUND, also for a finished upload
   */
  const cancel = async (id: string, judge: (record: UploadRecord) => void): Promise<void> => {
    const find = async () => (await openUploads.withId(id)) ?? fail('NOT_FOUND', 'there is no such upload')
    const record = await find()
    judge(record)
    const reason: Takeover = { kind: 'cancel' }
    await using _lease = await leases.takeOver(leaseOf(record), reason)
    const current = await find()
    const isFinished = current.finished !== undefined && (await stateOf(current)) === undefined
    judge(current)
    if (isFinished) fail('NOT_FOUND', 'the upload is finished')
    await discard(current)
  }

  /** A daemon that was killed after it had put the file of a visitor in place has not noted that, and it would not count. */
  const noteArrival = async (record: UploadRecord): Promise<void> => {
    const { link, id } = record
    if (link === undefined || record.finished === undefined) return
    const path = parseVirtualPath(record.path)
    const noted = inScope(record, async (opened) => await arrivals.arrived(link, id, opened, path))
    await unlessFails(noted, 'NOT_FOUND')
  }

  const isAwaited = async (record: UploadRecord): Promise<boolean> => {
    const state = await stateOf(record)
    if (state !== undefined) return clock.now() < expiryOfUpload(record, state)
    await noteArrival(record)
    return clock.now() - (record.finished ?? -Infinity) < REMEMBERED
  }

  /** @returns how many were removed */
  const discardUnawaited = async (record: UploadRecord): Promise<number> => {
    await using lease = await leases.tryAcquire(leaseOf(record))
    if (lease === undefined) return 0
    if ((await openUploads.isCurrent(record)) && (await isAwaited(record))) return 0
    await discard(record)
    return 1
  }

  const discardExpired = async (): Promise<void> => {
    const mayBeExpired = (record: UploadRecord) =>
      clock.now() >= expiryOfUpload(record, { size: 0, touched: record.created })
    await sweepEach((await openUploads.ofVisitors()).filter(mayBeExpired), discardUnawaited)
  }

  /** Those whose name was taken when all bytes were there: 32 of them would block their user for a day. */
  const discardRefused = async ({ userId }: UploadKey): Promise<void> => {
    const refused = (await openUploads.all()).filter((each) => each.userId === userId && each.isRefused === true)
    await sweepEach(refused, async (record) => {
      await using lease = await leases.tryAcquire(leaseOf(record))
      if (lease === undefined || (await openUploads.withId(record.id))?.isRefused !== true) return 0
      await discard(record)
      return 1
    })
  }
  let roomMade = -Infinity
  let makingRoom: Promise<void> | undefined

  return {
    /** The oldest first. */
    async list(actor: Actor): Promise<UploadView[]> {
      requireAdmin(actor, 'uploads.manage')
      const names = new Map<number, string>(store.snapshot().users.map(({ id, username }) => [id, username]))
      const views: UploadView[] = []
      for (const record of (await openUploads.all()).toSorted((a, b) => a.created - b.created)) {
        const state = await stateOf(record)
        // Without a staged file it is finished or lost.
        if (state !== undefined) views.push(viewOf(record, state, names.get(record.userId) ?? ''))
      }
      return views
    },

    /** Cancels an upload. @throws NOT_FOUND */
    async remove(actor: Actor, id: string): Promise<void> {
      await cancel(id, () => requireAdmin(actor, 'uploads.manage'))
    },

    /** How far it has come; undefined if it is finished or lost. */
    stateOf,

    cancel,

    /**
     * Removes uploads that have expired or were replaced by a new one, and the records of those that finished an hour ago.
     *
     * @returns how many were removed
     */
    async sweep(signal?: AbortSignal): Promise<number> {
      await openUploads.flush()
      const all = await openUploads.all()
      await arrivals.sweep(new Set(all.map(({ id }) => id)))
      return await sweepEach(all, async (record) => {
        if (signal?.aborted === true) fail('CANCELLED', 'the sweep was stopped')
        return await discardUnawaited(record)
      })
    },

    /**
     * Removes expired uploads of visitors now, because another one has no room.
     *
     * @param key of an upload of a user: those of this user whose names were taken are removed too
     */
    async makeRoom(key?: UploadKey): Promise<void> {
      if (key !== undefined && key.link === undefined) await discardRefused(key)
      if (Math.abs(clock.now() - roomMade) >= ROOM_INTERVAL) {
        roomMade = clock.now()
        makingRoom = discardExpired().catch((error: unknown) => {
          log.warn({ err: error }, 'expired uploads of visitors could not be removed')
        })
      }
      await makingRoom
    },

    /** Removes all unfinished uploads of an ephemeral daemon, because they cannot be resumed after it stops. */
    async discardAll(): Promise<void> {
      for (const record of await openUploads.all()) {
        await discard(record).catch((error: unknown) => {
          log.warn(
            { err: error, path: record.path },
            'an unfinished upload could not be removed; its hidden file stays',
          )
        })
      }
    },
  }
}

export type UnfinishedUploads = ReturnType<typeof createUnfinishedUploads>

function viewOf(record: UploadRecord, { size, touched }: StagedState, username: string): UploadView {
  const { id, path, length, created } = record
  const iso = (time: number) => new Date(time).toISOString()
  return { id, username, path, offset: size, length, created: iso(created), touched: iso(touched) }
}
