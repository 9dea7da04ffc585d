import { type Actor, reachesPath } from '../../domain/accounts/actor.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import type { TrashItem } from '../../domain/files/trash.ts'
import { cleanVirtualPath, nameOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { fail, type FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { type Storage, storagePathOf, type TrashedEntry } from '../../storage/storage.ts'
import type { AccessService, FileAccess } from '../access/access.ts'
import type { StartJob } from '../access/start-job.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { JobControl, JobQueue, StartedJob } from '../../platform/limits/job-queue.ts'
import type { FileChanges } from './file-changes.ts'
import { freeName } from './free-name.ts'
import { LeftOut } from './left-out.ts'
import type { ServerOptions } from '../../domain/settings/server-options.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { sweepEach } from '../chores/chores.ts'

export interface TrashDeps {
  readonly access: Pick<AccessService, 'for' | 'ofScope'>
  /** The current settings. */
  readonly settings: () => Pick<Settings, 'dirMode' | 'trash'>
  readonly changes: Pick<FileChanges, 'notify'>
  readonly jobs: Pick<JobQueue, 'start'>
  readonly startJob: StartJob
  readonly quotas: Pick<Quotas, 'freed' | 'moving'>
}

interface TrashRequest {
  /** For the operator: the user whose trash it is. */
  readonly owner?: UserId
  readonly signal?: AbortSignal
}

interface Restored {
  /** Where the item is, or will be. */
  readonly path: VirtualPath
  /** Restores an item that cannot be restored at once. */
  readonly job?: StartedJob
}

const NOT_IN_TRASH = 'nothing in the trash has this id'
const DAY = 24 * 60 * 60 * 1000

/** The trash of a user. */
export function createTrash({ access, settings, changes, jobs, startJob, quotas }: TrashDeps) {
  const itemOf = ({ id, path, isDir, size, deleted }: TrashedEntry): TrashItem => {
    const { days } = settings().trash
    const expires = days === 0 ? {} : { expires: new Date(deleted + days * DAY).toISOString() }
    return { id, path, name: nameOf(path), isDir, size, deleted: new Date(deleted).toISOString(), ...expires }
  }

  const open = async (actor: Actor, owner: UserId | undefined): Promise<FileAccess> =>
    actor.kind === 'operator' && owner !== undefined ? await access.ofScope(owner) : await access.for(actor)

  return {
    /** Latest first. Rules apply to the original path. */
    async list(actor: Actor, owner?: UserId): Promise<TrashItem[]> {
      using files = await open(actor, owner)
      files.require('trash.list')
      return (await files.scope.trash.list(ownerOf(files))).filter(({ path }) => files.allows(path)).map(itemOf)
    },

    /** Restores to the original path, or under another name if that is taken. */
    async restore(actor: Actor, id: string, { owner }: TrashRequest = {}): Promise<Restored> {
      using files = await open(actor, owner)
      files.require('trash.restore')
      const entry = await entryOf(files, id)
      files.requireAllowed(entry.path)
      const path = await freeName(entry.path, async (each) => !(await files.scope.exists(each)))
      files.requireAllowed(path)
      const restored = async (own: FileAccess, move: () => Promise<boolean>): Promise<boolean> => {
        await using _moving = await quotas.moving(own.user, ROOT, path)
        if (!(await move())) return false
        await changes.notify({ kind: 'written', user: own.user, path })
        return true
      }
      const { dirMode } = settings()
      const { trash } = files.scope
      if (
        await restored(files, async () => await trash.restoreAtOnce(ownerOf(files), id, path, dirMode, accepted(files)))
      )
        return { path }
      const facts = { kind: 'move', path: entry.path, destination: path } as const
      const work = async (own: FileAccess, control: JobControl) => {
        const leftOut = new LeftOut(control)
        await restored(own, async () => {
          await own.scope.trash.restore(ownerOf(own), id, path, dirMode, { ...leftOut.control, ...accepted(own) })
          return true
        })
        leftOut.requireNone()
        return {}
      }
      if (actor.kind !== 'operator') return { path, job: startJob(actor, files, facts, work) }
      const job = jobs.start({ ...facts, userID: files.user.id }, async (control) => {
        using own = await open(actor, owner)
        return await work(own, control)
      })
      return { path, job }
    },

    /** Deletes an item permanently. */
    async remove(actor: Actor, id: string, { owner, signal }: TrashRequest = {}): Promise<void> {
      using files = await open(actor, owner)
      files.require('trash.remove')
      if (!reachesPath(actor, (await entryOf(files, id)).path)) fail('NOT_FOUND', NOT_IN_TRASH)
      await files.scope.trash.remove(ownerOf(files), id, { signal, ...accepted(files) })
      await quotas.freed(files.user.scope)
    },

    /** Empties the trash, except for items that contain a mount point. Others may do so too. @returns how many were deleted */
    async empty(actor: Actor, signal?: AbortSignal): Promise<number> {
      using files = await access.for(actor)
      files.require('trash.remove')
      const all = await files.scope.trash.list(ownerOf(files))
      const entries = all.filter(({ path }) => reachesPath(actor, path))
      let kept: FilemgrError | undefined
      let deleted = 0
      for (const { id } of entries) {
        try {
          await files.scope.trash.remove(ownerOf(files), id, { signal, ...accepted(files) })
          deleted += 1
        } catch (error) {
          // Another request has deleted or restored it.
          if (isFilemgrError(error, 'NOT_FOUND')) continue
          if (!isFilemgrError(error, 'CONFLICT')) throw error
          kept ??= error
        }
      }
      await quotas.freed(files.user.scope)
      if (kept !== undefined) throw kept
      return deleted
    },
  }
}

export type TrashService = ReturnType<typeof createTrash>

async function entryOf(files: FileAccess, id: string): Promise<TrashedEntry> {
  const entries = await files.scope.trash.list(ownerOf(files))
  return entries.find((entry) => entry.id === id) ?? fail('NOT_FOUND', NOT_IN_TRASH)
}

function ownerOf({ user }: FileAccess): string {
  return String(user.id)
}

function accepted(files: FileAccess) {
  return { accept: files.requireStill }
}

export interface TrashSweepDeps {
  readonly store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly storage: Pick<Storage, 'openScope'>
  readonly clock: Clock
  readonly options: Pick<ServerOptions, 'readOnly' | 'followExternalSymlinks'>
  readonly quotas: Pick<Quotas, 'freed'>
}

/** Permanently deletes items that have been in any user's trash for longer than the setting says. */
export function createTrashSweep({ store, storage, clock, options, quotas }: TrashSweepDeps) {
  return async (signal?: AbortSignal): Promise<number> => {
    const { users, settings } = store.snapshot()
    const { days } = settings.trash
    // Turning the trash off does not empty it.
    if (days === 0 || options.readOnly) return 0
    const scopes = new Set(users.map((user) => cleanVirtualPath(user.scope)))
    return await sweepEach(scopes, async (scope) => {
      try {
        using opened = await storage.openScope(
          storagePathOf(scope),
          options.followExternalSymlinks ? 'follow' : 'inside',
        )
        const swept = await opened.trash.sweep(clock.now() - days * DAY, signal)
        if (swept > 0) await quotas.freed(scope)
        return swept
      } catch (error) {
        // A missing home folder has no trash.
        if (isFilemgrError(error, 'NOT_FOUND')) return 0
        throw error
      }
    })
  }
}
