import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import { ROOT } from '../../domain/files/virtual-path.ts'
import { fail } from '../../domain/errors.ts'
import type { Amount } from '../../domain/access/quota.ts'
import type { JobRequestOf } from '../../domain/automation/job-record.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import type { JobControl } from '../../platform/limits/job-queue.ts'
import { type AccessService } from '../access/access.ts'
import type { Ends, FileAccess } from '../access/file-access.ts'
import { type RecordedWork, type StartJob } from '../automation/jobs/start-job.ts'
import type { AfterHooks, HookRunner } from '../automation/hooks/hook-runner.ts'
import { continuing, isStill, type JobNotes } from '../automation/jobs/job-notes.ts'
import { entersQuota, MoveRoom } from '../access/quotas/folder-room.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import type { Reservation } from '../access/quotas/reservation.ts'
import { measureCopy } from './copy-size.ts'
import type { FileChanges } from '../access/file-changes.ts'
import { LeftOut } from './left-out.ts'
import { requireDeed, type Transfer } from '../access/deeds.ts'
import { checkTree, kindAllowed, requireTransferable, type TreeSize } from '../access/file-checks.ts'

/** What changes files, at once or by jobs, is made of. */
export interface FileWorkDeps {
  readonly access: AccessService
  /** The current settings. */
  readonly settings: () => Pick<Settings, 'fileMode' | 'dirMode' | 'trash'>
  readonly changes: FileChanges
  readonly startJob: StartJob
  readonly hooks: HookRunner
  readonly quotas: Quotas
}

/** What a request has prepared for a copy. */
export interface PreparedCopy {
  readonly all: TreeSize
  /** What the reservation is for. */
  readonly added: Amount
  readonly reservation: Reservation
  readonly after: AfterHooks
}

type CopyRequest = JobRequestOf<'copy'>
type MoveRequest = JobRequestOf<'move'>
type DeleteRequest = JobRequestOf<'delete'> | JobRequestOf<'trash'>

/**
 * The work of jobs that copy, move or delete. The first run of a job gets what its request has prepared. A later one prepares it
 * again, under the rights that the user has by then.
 */
export function createTransferJobs({ settings, changes, hooks, quotas }: Omit<FileWorkDeps, 'access' | 'startJob'>) {
  const modeOf = (replace: boolean, { source, target }: Ends) => ({
    replace,
    folderMode: settings().dirMode,
    ...(source !== target && { into: target.scope }),
  })

  /** Without a job, for a small file. */
  async function copyNow(
    ends: Ends,
    request: CopyRequest,
    { all, added, reservation, after }: PreparedCopy,
    control?: JobControl,
    notes?: JobNotes,
  ): Promise<void> {
    const { source, target } = ends
    const { from, to, replace } = request
    // A job may have waited for hours.
    if (control !== undefined) {
      const deed = transferOf(ends, request)
      await requireDeed(deed)
      await kindAllowed(deed, control.signal)
    }
    control?.expect(all)
    const { mode, work } = notes === undefined ? {} : continuing(notes)
    const touched = await changes.touching(target.user, to)
    await reservation.fill(added, control ?? {}, async (filling) => {
      const copying = { ...filling, ...work, accept: acceptBoth(ends) }
      await source.scope.copy(from, to, { ...modeOf(replace, ends), ...mode, length: all.bytes }, copying)
    })
    if (replace) await quotas.freed(target.user.scope, to)
    await touched()
    await changes.notify({ kind: 'written', user: target.user, path: to })
    await after(source, target)
  }

  const copying =
    (request: CopyRequest, prepared?: PreparedCopy): RecordedWork =>
    async (source, control, notes, target) => {
      const ends = { source, target }
      if (prepared !== undefined) await copyNow(ends, request, prepared, control, notes)
      else await copyAgain(ends, request, control, notes)
      return {}
    }

  async function copyAgain(ends: Ends, request: CopyRequest, control: JobControl, notes: JobNotes): Promise<void> {
    const { source, target } = ends
    const { from, to } = request
    requireAgain(ends, request)
    await requireDeed(transferOf(ends, request))
    const after = hooks.begun('copy', { path: from, destination: to })
    // It ended right before the process did. The source may be gone by now.
    if (await isStill(target, to, notes.earlier?.placed)) {
      await changes.notify({ kind: 'written', user: target.user, path: to })
      await after(source, target)
      return
    }
    const { all, added } = await measureCopy(quotas, transferOf(ends, request))
    await using reservation = await quotas.reserve(target.user, to, added)
    await copyNow(ends, request, { all, added, reservation, after }, control, notes)
  }

  const moving =
    (request: MoveRequest, begun?: AfterHooks): RecordedWork =>
    async (own, control, notes, target) => {
      const { from, to, replace } = request
      const ends = { source: own, target }
      const deed = transferOf(ends, request)
      const [old, moved] = [
        { user: own.user, path: from },
        { user: target.user, path: to },
      ]
      if (notes.earlier !== undefined) requireAgain(ends, request)
      // Also of what had to wait: these files were just opened, and links are followed by what is required of them.
      await requireDeed(deed)
      const after = begun ?? hooks.begun('rename', { path: from, destination: to })
      const leftOut = new LeftOut(control)
      const touched = await changes.touchingBoth(old, moved)
      if (!(await hasMoved(ends, request, notes))) {
        await requireSame(own, from, request.source, notes)
        if ((await own.scope.kindOf(from)) === 'folder') control.expect(await checkTree(deed, control.signal))
        const { mode, work } = continuing(notes)
        await using room = await moveRoom(quotas, deed)
        const ownWork = { ...leftOut.control, ...work, accept: acceptBoth(ends), ...room.work }
        await own.scope.move(from, to, { ...modeOf(replace, ends), ...mode }, ownWork)
      }
      if (replace) await quotas.freed(target.user.scope, to)
      await changes.notifyMoved(old, moved, leftOut.isNone)
      await touched()
      await after(own, target)
      leftOut.requireNone()
      return {}
    }

  const deleting =
    (request: DeleteRequest, begun?: AfterHooks): RecordedWork =>
    async (own, control, notes) => {
      const { path, source } = request
      const deed = { kind: 'remove', from: { files: own, path } } as const
      if (notes.earlier !== undefined) own.requireAllowed(path)
      await requireDeed(deed)
      // A job may have waited for hours.
      await kindAllowed(deed, control.signal)
      const after = begun ?? hooks.begun('delete', { path })
      const leftOut = new LeftOut(control)
      const isThere = notes.earlier === undefined || source === undefined || (await isStill(own, path, source))
      // What has the name by now is another entry: this one was deleted before the process ended.
      if (isThere && (notes.earlier === undefined || (await own.scope.exists(path)))) {
        const { mode, work } = continuing(notes)
        if (request.kind === 'trash') {
          await using _moving = await quotas.moving(own.user, path, ROOT)
          const ownWork = { ...leftOut.control, ...work, accept: own.requireStill }
          await own.scope.trash.put(ownerOf(own), path, request.deleted, ownWork, { id: notes.record.id, ...mode })
        } else await own.scope.remove(path, { ...control, accept: own.requireStill })
      }
      await changes.notify({ kind: 'removed', user: own.user, path })
      await after(own)
      leftOut.requireNone()
      return {}
    }

  return { copyNow, copying, moving, deleting }
}

export type TransferJobs = ReturnType<typeof createTransferJobs>

export function ownerOf({ user }: FileAccess): string {
  return String(user.id)
}

/** Both ends are judged right before each change, wherever it is made. */
export function acceptBoth({ source, target }: Ends): () => void {
  if (source === target) return source.requireStill
  return () => {
    source.requireStill()
    target.requireStill()
  }
}

/** What a request comes to. */
export function transferOf({ source, target }: Ends, { kind, from, to, replace }: CopyRequest | MoveRequest): Transfer {
  return { kind, from: { files: source, path: from }, to: { files: target, path: to }, replace }
}

/** Of a job that an earlier process has begun. @throws FORBIDDEN */
function requireAgain(ends: Ends, { kind, from, to }: CopyRequest | MoveRequest): void {
  ends.source.requireAllowed(from)
  ends.target.requireAllowed(to)
  requireTransferable(ends, from, to, kind === 'move')
}

/** Room for a move, also into the quota of another user. @throws QUOTA_EXCEEDED, BUSY; as `measureCopy` */
export async function moveRoom(quotas: Quotas, transfer: Transfer): Promise<MoveRoom> {
  const [{ files: source, path: from }, { files: target, path: to }] = [transfer.from, transfer.to]
  const added = entersQuota(quotas, source.user, target.user, { from, to })
    ? (await measureCopy(quotas, transfer)).added
    : undefined
  return await MoveRoom.reserve(quotas, source, { from, to, target, added })
}

/** Whether an earlier run has ended the move, so that nothing is left at the source. */
async function hasMoved(ends: Ends, { from, to, source }: MoveRequest, { earlier }: JobNotes): Promise<boolean> {
  if (earlier === undefined || (await ends.source.scope.exists(from))) return false
  const isAt = async (entry: MoveRequest['source']) => await isStill(ends.target, to, entry)
  return earlier.merging === true || (await isAt(earlier.placed)) || (await isAt(source))
}

/** @throws CONFLICT if another entry has the name of the source by now */
async function requireSame(
  own: FileAccess,
  path: VirtualPath,
  source: MoveRequest['source'],
  { earlier }: JobNotes,
): Promise<void> {
  if (earlier === undefined || source === undefined || !(await own.scope.exists(path))) return
  if (!(await isStill(own, path, source)))
    fail('CONFLICT', 'something else has this name since the move was interrupted; it stays where it is')
}
