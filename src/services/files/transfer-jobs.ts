import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import { ROOT } from '../../domain/files/virtual-path.ts'
import { fail } from '../../domain/errors.ts'
import type { Amount } from '../../domain/access/quota.ts'
import type { JobRequestOf } from '../../domain/automation/job-record.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import type { JobControl } from '../../platform/limits/job-queue.ts'
import { type AccessService } from '../access/access.ts'
import type { FileAccess } from '../access/file-access.ts'
import { type RecordedWork, type StartJob } from '../automation/jobs/start-job.ts'
import type { AfterHooks, HookRunner } from '../automation/hooks/hook-runner.ts'
import { continuing, isStill, type JobNotes } from '../automation/jobs/job-notes.ts'
import { MoveRoom } from '../access/quotas/folder-room.ts'
import type { Quotas } from '../access/quotas/quotas.ts'
import type { Reservation } from '../access/quotas/reservation.ts'
import { measureCopy } from './copy-size.ts'
import type { FileChanges } from '../access/file-changes.ts'
import { LeftOut } from './left-out.ts'
import { requireDeed } from '../access/deeds.ts'
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
  const modeOf = (replace: boolean) => ({ replace, folderMode: settings().dirMode })

  /** Without a job, for a small file. */
  async function copyNow(
    own: FileAccess,
    { from, to, replace }: CopyRequest,
    { all, added, reservation, after }: PreparedCopy,
    control?: JobControl,
    notes?: JobNotes,
  ): Promise<void> {
    // A job may have waited for hours.
    if (control !== undefined) await kindAllowed(own, { kind: 'copy', from, to, replace }, control.signal)
    control?.expect(all)
    const { mode, work } = notes === undefined ? {} : continuing(notes)
    const touched = await changes.touching(own.user, to)
    await reservation.fill(added, control ?? {}, async (filling) => {
      const copying = { ...filling, ...work, accept: own.requireStill }
      await own.scope.copy(from, to, { ...modeOf(replace), ...mode, length: all.bytes }, copying)
    })
    if (replace) await quotas.freed(own.user.scope, to)
    await touched()
    await changes.notify({ kind: 'written', user: own.user, path: to })
    await after(own)
  }

  const copying =
    (request: CopyRequest, prepared?: PreparedCopy): RecordedWork =>
    async (own, control, notes) => {
      if (prepared !== undefined) await copyNow(own, request, prepared, control, notes)
      else await copyAgain(own, request, control, notes)
      return {}
    }

  async function copyAgain(own: FileAccess, request: CopyRequest, control: JobControl, notes: JobNotes): Promise<void> {
    const { from, to, replace } = request
    requireBoth(own, from, to)
    await requireDeed(own, { kind: 'copy', from, to, replace })
    const after = hooks.begun('copy', { path: from, destination: to })
    // It ended right before the process did. The source may be gone by now.
    if (await isStill(own, to, notes.earlier?.placed)) {
      await changes.notify({ kind: 'written', user: own.user, path: to })
      await after(own)
      return
    }
    const { all, added } = await measureCopy(quotas, own, from, { path: to, replace })
    await using reservation = await quotas.reserve(own.user, to, added)
    await copyNow(own, request, { all, added, reservation, after }, control, notes)
  }

  const moving =
    (request: MoveRequest, begun?: AfterHooks): RecordedWork =>
    async (own, control, notes) => {
      const { from, to, replace } = request
      const moved = { kind: 'moved', user: own.user, from, to } as const
      const deed = { kind: 'move', from, to, replace } as const
      if (notes.earlier !== undefined) {
        requireBoth(own, from, to)
        await requireDeed(own, deed)
      }
      const after = begun ?? hooks.begun('rename', { path: from, destination: to })
      const leftOut = new LeftOut(control)
      const touched = await changes.touching(own.user, from, to)
      if (!(await hasMoved(own, request, notes))) {
        await requireSame(own, from, request.source, notes)
        if ((await own.scope.kindOf(from)) === 'folder') control.expect(await checkTree(own, deed, control.signal))
        const { mode, work } = continuing(notes)
        await using room = await MoveRoom.reserve(quotas, own, { from, to })
        const ownWork = { ...leftOut.control, ...work, accept: own.requireStill, ...room.work }
        await own.scope.move(from, to, { ...modeOf(replace), ...mode }, ownWork)
      }
      if (replace) await quotas.freed(own.user.scope, to)
      await changes.notify(moved)
      await touched()
      await after(own)
      leftOut.requireNone()
      return {}
    }

  const deleting =
    (request: DeleteRequest, begun?: AfterHooks): RecordedWork =>
    async (own, control, notes) => {
      const { path, source } = request
      if (notes.earlier !== undefined) {
        await requireDeed(own, { kind: 'remove', from: path })
        own.requireAllowed(path)
      }
      // A job may have waited for hours.
      await kindAllowed(own, { kind: 'remove', from: path }, control.signal)
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

function requireBoth(own: FileAccess, from: VirtualPath, to: VirtualPath): void {
  own.requireAllowed(from)
  own.requireAllowed(to)
  requireTransferable(own, from, to)
}

/** Whether an earlier run has ended the move, so that nothing is left at the source. */
async function hasMoved(own: FileAccess, { from, to, source }: MoveRequest, { earlier }: JobNotes): Promise<boolean> {
  if (earlier === undefined || (await own.scope.exists(from))) return false
  return earlier.merging === true || (await isStill(own, to, earlier.placed)) || (await isStill(own, to, source))
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
