import { type Actor, reachesPath } from '../../domain/accounts/actor.ts'
import { FILES_ROOT, rootOf, servedFolderOf } from '../../domain/server/root.ts'
import type { TrashedEntry, TrashItem } from '../../domain/files/trash.ts'
import { compareBytes } from '../../domain/files/listing-order.ts'
import { nameOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { mayDo, type Right } from '../../domain/access/permissions.ts'
import { fail, type FilemgrError, isFilemgrError, unlessFails } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { jobFactsOf, type JobRequestOf } from '../../domain/automation/job-record.ts'
import { type Acceptance, type Storage, storagePathOf } from '../../storage/storage.ts'
import type { FileAccess, Place } from '../access/file-access.ts'
import type { RecordedWork } from '../automation/jobs/start-job.ts'
import { continuing, isStill } from '../automation/jobs/job-notes.ts'
import { MoveRoom } from '../access/quotas/folder-room.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import type { JobControl, JobQueue, StartedJob } from '../../platform/limits/job-queue.ts'
import { freeName } from './free-name.ts'
import { LeftOut } from './left-out.ts'
import { ownerOf, type FileWorkDeps } from './transfer-jobs.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import type { Clock } from '../../platform/clock.ts'
import { RootIndex, RootsInReach } from '../stored-roots.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { seenFolders } from '../stored-users.ts'
import { sweepEach } from '../server/chores/chores.ts'

export interface TrashDeps extends Omit<FileWorkDeps, 'hooks'> {
  readonly jobs: JobQueue
}

interface TrashRequest {
  /** For the operator: the user whose trash it is. */
  readonly owner?: UserId
  readonly signal?: AbortSignal
  /** What `find` has found with the id. */
  readonly found?: FoundItem | undefined
}

/** Something in the trash of one of the actor's places. */
export interface FoundItem {
  readonly place: Place
  readonly entry: TrashedEntry
  /** Its original path, as the actor names it. */
  readonly path: VirtualPath
}

interface OpeningTrash {
  readonly folder: VirtualPath
  readonly open: () => Promise<FileAccess>
}

interface Restored {
  /** Where the item is, or will be. */
  readonly path: VirtualPath
  /** Restores an item that cannot be restored at once. */
  readonly job?: StartedJob
}

type RestoreRequest = JobRequestOf<'restore'>

const NOT_IN_TRASH = 'nothing in the trash has this id'
const DAY = 24 * 60 * 60 * 1000

/** Days after which what is in the trash is deleted forever; 0 without a trash. */
export function trashDays({ rootRecord }: Pick<FileAccess, 'rootRecord'>, { trash }: Pick<Settings, 'trash'>): number {
  return rootRecord?.trashDays ?? trash.days
}

/** The trash of a user. */
export function createTrash({ access, settings, changes, jobs, startJob, quotas }: TrashDeps) {
  const itemOf = (files: FileAccess, { id, path, isDir, size, deleted }: TrashedEntry): TrashItem => {
    const days = trashDays(files, settings())
    const expires = days === 0 ? {} : { expires: new Date(deleted + days * DAY).toISOString() }
    const facts = { id, name: nameOf(path), isDir, size, deleted: new Date(deleted).toISOString() }
    return { ...facts, path: files.shown(path), ...expires }
  }

  /** The places whose trash is meant, with their folders among all served files. */
  const placesFor = (actor: Actor, owner: UserId | undefined): OpeningTrash[] => {
    if (actor.kind === 'operator' && owner !== undefined)
      return access
        .foldersOf(owner)
        .map((folder) => ({ folder, open: async () => await access.ofScope(owner, folder) }))
    const places = access.places(actor).map(({ place: { folder }, open }) => ({ folder, open }))
    return places.length > 0 ? places : [{ folder: ROOT, open: async () => await access.at(actor, ROOT) }]
  }

  /**
   * Does the work in each place. Of several, those are left out that are away, or in which it is not permitted.
   *
   * @param inReach leaves out also the only one while it is away
   * @throws what the first one fails with, if none is left
   */
  const inEach = async <T>(
    actor: Actor,
    owner: UserId | undefined,
    work: (files: FileAccess) => Promise<T>,
    inReach?: RootsInReach,
  ): Promise<T[]> => {
    const done: T[] = []
    let problem: FilemgrError | undefined
    for (const { folder, open } of placesFor(actor, owner)) {
      const ask = async (): Promise<void> => {
        using files = await open()
        done.push(await work(files))
      }
      try {
        await (inReach?.unlessAway(folder, ask) ?? ask())
      } catch (error) {
        if (!isFilemgrError(error, 'UNAVAILABLE', 'BUSY', 'NOT_FOUND', 'FORBIDDEN')) throw error
        problem ??= error
      }
    }
    if (done.length === 0 && problem !== undefined) throw problem
    return done
  }

  /** In the place that has the item. @throws NOT_FOUND */
  const inPlaceOf = async <T>(
    actor: Actor,
    id: string,
    { owner, found, right }: TrashRequest & { readonly right: Right },
    work: (files: FileAccess, entry: TrashedEntry) => Promise<T>,
  ): Promise<T> => {
    if (found !== undefined && actor.kind === 'user') {
      using files = await access.again(actor, found.place)
      return await work(files, found.entry)
    }
    const places = placesFor(actor, owner)
    for (const [index, { open }] of places.entries()) {
      const isLast = index === places.length - 1
      using files = isLast ? await open() : await unlessFails(open(), 'UNAVAILABLE', 'BUSY', 'NOT_FOUND')
      if (files === undefined) continue
      if (places.length === 1 && !files.hasPermissionRules) files.require(right, ROOT)
      const [entry] = await files.scope.trash.list(ownerOf(files), [id])
      if (entry !== undefined) return await work(files, entry)
    }
    return fail('NOT_FOUND', NOT_IN_TRASH)
  }

  const restored = async (
    own: FileAccess,
    path: VirtualPath,
    move: (judged: Acceptance) => Promise<boolean>,
  ): Promise<boolean> => {
    await using room = await MoveRoom.reserve(quotas, own, { from: ROOT, to: path })
    if (!(await move({ ...accepted(own), ...room.work }))) return false
    await changes.notify({ kind: 'written', user: own.user, path })
    return true
  }

  const restoreItem = async (
    own: FileAccess,
    { item, to }: RestoreRequest,
    control: JobControl,
    { mode, work }: Partial<ReturnType<typeof continuing>> = {},
  ): Promise<void> => {
    const all = { folderMode: settings().dirMode, ...mode }
    const leftOut = new LeftOut(control)
    await restored(own, to, async (judged) => {
      await own.scope.trash.restore(ownerOf(own), item, to, all, { ...leftOut.control, ...work, ...judged })
      return true
    })
    leftOut.requireNone()
  }

  /** The work of a job. */
  const restoring =
    (request: RestoreRequest): RecordedWork =>
    async (own, control, notes) => {
      const { item, from, to } = request
      if (notes.earlier !== undefined) {
        own.require('trash.restore', to)
        own.requireAllowed(from)
        own.requireAllowed(to)
        const isListed = (await own.scope.trash.list(ownerOf(own), [item])).length > 0
        // It was restored before the process ended.
        if (!isListed && (notes.earlier.merging === true || (await isStill(own, to, notes.earlier.placed)))) return {}
      }
      await restoreItem(own, request, control, continuing(notes))
      return {}
    }

  return {
    /** Of all places, the latest first. Rules apply to the original path. */
    async list(actor: Actor, owner?: UserId, inReach?: RootsInReach): Promise<TrashItem[]> {
      const listIn = async (files: FileAccess) => {
        if (!files.hasPermissionRules) files.require('trash.list', ROOT)
        const may = (path: VirtualPath) => files.allows(path) && mayDo(files.permissionsAt(path), 'trash.list')
        const entries = await files.scope.trash.list(ownerOf(files))
        return entries.filter(({ path }) => may(path)).map((entry) => itemOf(files, entry))
      }
      const found = await inEach(actor, owner, listIn, inReach)
      const [first = [], ...others] = found
      if (others.length === 0) return first
      return found.flat().toSorted((one, other) => compareBytes(other.deleted, one.deleted))
    },

    /** What the trash has with these ids, without asking what the actor may do with it. */
    async find(actor: Actor, ids: readonly string[]): Promise<ReadonlyMap<string, FoundItem>> {
      const found = await inEach(actor, undefined, async (files) => {
        const entries = await files.scope.trash.list(ownerOf(files), ids)
        return entries.map((entry): FoundItem => ({ place: files.place, entry, path: files.shown(entry.path) }))
      })
      return new Map(found.flat().map((item) => [item.entry.id, item]))
    },

    /** Restores to the original path, or under another name if that is taken. @param request its signal stops the operator's job */
    async restore(actor: Actor, id: string, asked: TrashRequest = {}): Promise<Restored> {
      const { owner, signal } = asked
      return await inPlaceOf(actor, id, { right: 'trash.restore', ...asked }, async (files, entry) => {
        files.require('trash.restore', entry.path)
        files.requireAllowed(entry.path)
        const to = await freeName(entry.path, async (each) => !(await files.scope.exists(each)))
        files.require('trash.restore', to)
        files.requireAllowed(to)
        const path = files.shown(to)
        const { dirMode } = settings()
        const { trash } = files.scope
        const atOnce = async (judged: Acceptance) => await trash.restoreAtOnce(ownerOf(files), id, to, dirMode, judged)
        if (await restored(files, to, atOnce)) return { path }
        const request = { kind: 'restore', item: id, from: entry.path, to } as const
        if (actor.kind !== 'operator')
          return { path, job: await startJob.start(actor, files, request, restoring(request)) }
        // The command of the operator waits for it, and can be repeated.
        const folder = servedFolderOf(files.user)
        const job = jobs.start({ ...jobFactsOf(request), userID: files.user.id }, async (control) => {
          using own = await access.ofScope(owner ?? files.user.id, folder)
          const stop = AbortSignal.any([control.signal, ...(signal === undefined ? [] : [signal])])
          await restoreItem(own, request, { ...control, signal: stop })
          return {}
        })
        return { path, job }
      })
    },

    restoring,

    /** Deletes an item permanently. */
    async remove(actor: Actor, id: string, asked: TrashRequest = {}): Promise<void> {
      await inPlaceOf(actor, id, { right: 'trash.remove', ...asked }, async (files, { path }) => {
        if (!reachesPath(actor, files.shown(path))) fail('NOT_FOUND', NOT_IN_TRASH)
        files.require('trash.remove', path)
        await files.scope.trash.remove(ownerOf(files), id, { signal: asked.signal, ...accepted(files) })
        await quotas.freed(servedFolderOf(files.user))
      })
    },

    /** Empties the trash, except for items that contain a mount point. Others may do so too. @returns how many were deleted */
    async empty(actor: Actor, signal?: AbortSignal): Promise<number> {
      let kept: FilemgrError | undefined
      const deleted = await inEach(actor, undefined, async (files) => {
        if (!files.hasPermissionRules) files.require('trash.remove', ROOT)
        const all = await files.scope.trash.list(ownerOf(files))
        const may = (path: VirtualPath) => mayDo(files.permissionsAt(path), 'trash.remove')
        const entries = all.filter(({ path }) => reachesPath(actor, files.shown(path)) && may(path))
        let count = 0
        for (const { id } of entries) {
          try {
            await files.scope.trash.remove(ownerOf(files), id, { signal, ...accepted(files) })
            count += 1
          } catch (error) {
            // Another request has deleted or restored it.
            if (isFilemgrError(error, 'NOT_FOUND')) continue
            if (!isFilemgrError(error, 'CONFLICT')) throw error
            kept ??= error
          }
        }
        await quotas.freed(servedFolderOf(files.user))
        return count
      })
      if (kept !== undefined) throw kept
      return deleted.reduce((sum, count) => sum + count, 0)
    },
  }
}

export type TrashService = ReturnType<typeof createTrash>

function accepted(files: FileAccess) {
  return { accept: files.requireStill }
}

export interface TrashSweepDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Storage
  readonly clock: Clock
  readonly options: Pick<ServerOptions, 'readOnly' | 'followExternalSymlinks'>
  readonly quotas: Quotas
}

/** Permanently deletes items that have been in any user's trash for longer than the setting says. */
export function createTrashSweep({ store, storage, clock, options, quotas }: TrashSweepDeps) {
  const roots = new RootIndex(store, options)
  return async (signal?: AbortSignal): Promise<number> => {
    const { settings } = store.snapshot()
    if (options.readOnly) return 0
    const scopes = seenFolders(store.snapshot())
    const sweep = async (scope: VirtualPath): Promise<number> => {
      const root = roots.find(rootOf(scope))
      const days = trashDays({ rootRecord: root }, settings)
      // Turning the trash off does not empty it, nor does the removal of a root.
      if (days === 0 || root?.readOnly === true || (root === undefined && rootOf(scope) !== FILES_ROOT)) return 0
      using opened = await storage.openScope(storagePathOf(scope), roots.linksAt(scope))
      const swept = await opened.trash.sweep(clock.now() - days * DAY, signal)
      if (swept > 0) await quotas.freed(scope)
      return swept
    }
    const inReach = new RootsInReach()
    // A missing home folder has no trash.
    const swept = async (scope: VirtualPath) =>
      await inReach.unlessAway(scope, async () => await unlessFails(sweep(scope), 'NOT_FOUND'))
    return await sweepEach(scopes, async (scope) => (await swept(scope)) ?? 0)
  }
}
