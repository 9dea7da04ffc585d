import {
  cancelled,
  type ErrorCode,
  fail,
  FilemgrError,
  isFilemgrError,
  throwIfCancelled,
} from '../../../domain/errors.ts'
import { failureOf } from '../../../domain/failure.ts'
import type { Rename, RenameOutcome } from '../../../domain/files/renames/renames.ts'
import { childOf, nameOf, requireNewName, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { JobRequestOf, RenamedEntry } from '../../../domain/automation/job-record.ts'
import type { JobControl } from '../../../platform/limits/job-queue.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { FileAccess } from '../../access/file-access.ts'
import type { AfterHooks } from '../../automation/hooks/hook-runner.ts'
import type { JobNotes } from '../../automation/jobs/job-notes.ts'
import { MoveRoom } from '../../access/quotas/folder-room.ts'
import { requireDeed, type Transfer } from '../../access/deeds.ts'
import { requireTreeAllowed } from '../../access/file-checks.ts'
import { freeName } from '../free-name.ts'
import { moveSlowly } from '../left-out.ts'
import { createNotedSteps, reachedBy } from './noted-steps.ts'
import { type EntryStep, type Position, stepsTo, locate } from './rename-positions.ts'
import { isAway, requireRunning, untilAvailable, createUnclearStep, type OpenToUndo } from './unclear-step.ts'
import { type FileWorkDeps } from '../transfer-jobs.ts'

export interface RenameRunDeps extends Omit<FileWorkDeps, 'access' | 'startJob'> {
  readonly log: Logger
}

/** The renames of one request, one after the other. An entry that fails does not stop the others. */
export interface RenameRun {
  /** What has been done so far. */
  readonly outcome: RenameOutcome
  /** An entry has another name, or may have: then the rename must be ended, or undone. */
  readonly isBegun: boolean
  /** The storage did not answer, and a job has to find out what it has done. */
  readonly isUnclear: boolean
  /**
   * Continues with the remaining renames. If the job is cancelled, undoes those that were done.
   *
   * @param control of a job; without it, stops before an entry that takes longer than a request may, or if the storage of a
   *   stepwise run does not answer
   * @returns whether all is done
   * @throws CANCELLED once all is undone; CONFLICT if something could not be
   */
  proceed(files: FileAccess, control?: JobControl): Promise<boolean>
  /** Finds out where an earlier run was stopped. Undoes the rest of what that one was undoing, and fails as it would have. */
  findBegun(files: FileAccess, control: JobControl): Promise<void>
  /** Undoes everything. @throws CONFLICT */
  undo(control: JobControl): Promise<void>
  /**
   * Reports the remaining renames as failed, and gives entries with temporary names their old ones back.
   *
   * @returns false if that has become unclear
   */
  giveUp(files: FileAccess, error: FilemgrError): Promise<boolean>
}

/** @param notes absent for a single rename, which is done or not */
export function createRenameRun(
  { settings, changes, hooks, quotas, log }: RenameRunDeps,
  { folder, entries, stepwise }: JobRequestOf<'rename'>,
  notes: JobNotes | undefined,
  openToUndo: OpenToUndo,
): RenameRun {
  const names = new Set(entries.flatMap(({ from, to, temporary = to }) => [from, to, temporary]))
  const outcome: RenameOutcome = { renamed: [], failed: [] }
  /** Hooks that wait for the end of a rename, which may need two steps, or a job. */
  const begun = new Map<RenamedEntry, AfterHooks>()
  /** Those that have begun a cycle. */
  const parked = new Set<Position>()
  let positions: Position[] = entries.map((entry) => ({ entry, name: entry.from }))
  let steps: EntryStep[] = stepsTo(positions, 'to')
  let next = 0
  const noted = stepwise && notes && createNotedSteps(notes, entries)
  const unclear = createUnclearStep({ settings, changes, log, openToUndo }, folder, notes?.record.created)

  async function proceed(files: FileAccess, control?: JobControl): Promise<boolean> {
    for (; next < steps.length; next += 1) {
      if (control !== undefined) await stopIfCancelled(control)
      const step = steps[next]
      if (step !== undefined && !(await runStep(step, files, control))) return false
    }
    return true
  }

  async function stopIfCancelled(control: JobControl): Promise<void> {
    requireRunning(control)
    if (!control.signal.aborted) return
    const reason: unknown = control.signal.reason
    const { code, message } = isFilemgrError(reason) ? reason : cancelled()
    await notes?.note({ undoing: { code, message } })
    await undo(control)
    throw cancelled()
  }

  /** @returns false if it needs a job */
  async function runStep({ at, part }: EntryStep, files: FileAccess, control?: JobControl): Promise<boolean> {
    const { entry } = at
    const [from, to] = [childOf(folder, entry.from), childOf(folder, entry.to)]
    const targetOf = async () => {
      const target = part === 'out' ? await temporaryPathFor(files, entry) : to
      await requireMayRename(files, from, to)
      if (!begun.has(entry)) begun.set(entry, await hooks.begin('rename', files, { path: from, destination: to }))
      return target
    }
    // Its first part has failed.
    if (part === 'in' && !parked.has(at)) {
      noted?.stayed(next)
      return true
    }
    try {
      if (!(await carryOut(at, targetOf, files, { step: next, control }))) return false
      if (part === 'out') parked.add(at)
      else await finish(entry, files, control)
    } catch (error) {
      if (isFilemgrError(error, 'CANCELLED') && control !== undefined) await stopIfCancelled(control)
      // A job can wait for the storage, and see to it that the entry gets its old name back.
      const needsJob = isAway(error) || at.name !== entry.from
      if (noted !== undefined && control === undefined && needsJob) return false
      noted?.stayed(next)
      if (at.name !== entry.from) await putBack(at, files, control)
      reportFailure(entry, error)
      control?.advance(0, 1)
    }
    return true
  }

  /**
   * Gives an entry its next name. A job goes on until the storage answers: an entry could have two names now, of which nobody would
   * remove one later.
   *
   * @returns false if it needs a job
   */
  async function carryOut(
    at: Position,
    targetOf: () => Promise<VirtualPath>,
    files: FileAccess,
    { step, control, returns }: { step: number; control: JobControl | undefined; returns?: true },
  ): Promise<boolean> {
    const work = async () => {
      if (control !== undefined && (await unclear.clarify(control)) === 'moved') return true
      throwIfCancelled(control?.signal)
      const target = await targetOf()
      await noteBefore(files, target, step, returns)
      if (noted !== undefined) unclear.begin(at, nameOf(target))
      try {
        const isMoved = await move(files, childOf(folder, at.name), target, control)
        unclear.end()
        if (isMoved) at.name = nameOf(target)
        return isMoved
      } catch (error) {
        // Part of a folder may have moved by the time at which it was cancelled.
        if (!isAway(error) && control?.signal.aborted !== true) unclear.end()
        throw error
      }
    }
    return noted === undefined || control === undefined ? await work() : await untilAvailable(control, work)
  }

  /** Only what has a name that was free by then can be what the step has moved. @throws CONFLICT */
  async function noteBefore(files: FileAccess, target: VirtualPath, step: number, returns?: true): Promise<void> {
    if (noted === undefined) return
    if (await files.scope.exists(target)) fail('CONFLICT', 'there is something of its new name already')
    await noted.before(step, returns)
  }

  async function finish(entry: RenamedEntry, files: FileAccess, control?: JobControl): Promise<void> {
    outcome.renamed.push(renameOf(entry))
    control?.advance(0, 1)
    await begun.get(entry)?.(files)
  }

  async function move(files: FileAccess, from: VirtualPath, to: VirtualPath, control?: JobControl): Promise<boolean> {
    await requireMayRename(files, from, to)
    const kind = await files.scope.kindOf(from)
    if (kind === undefined) fail('NOT_FOUND', 'it does not exist any more')
    if (kind === 'folder') await requireTreeAllowed(renamed(files, from, to), control?.signal)
    // A process that was killed may have left an empty folder under the new name. Only an empty one is ever replaced by rename().
    const isContinued =
      notes?.earlier !== undefined &&
      noted === undefined &&
      kind === 'folder' &&
      (await files.scope.kindOf(to)) === 'folder'
    const mode = { replace: isContinued, folderMode: settings().dirMode }
    const touched = await changes.touching(files.user, from, to)
    await using room = await MoveRoom.reserve(quotas, files, { from, to })
    if (!(await files.scope.rename(from, to, mode, { accept: files.requireStill, ...room.work }))) {
      if (isContinued) fail('CONFLICT', 'there is something of its new name already')
      if (control === undefined) return false
      await moveSlowly(files, from, to, mode, { ...control, ...room.work })
    }
    await changes.notify({ kind: 'moved', user: files.user, from, to })
    await touched()
    return true
  }

  /** Moves an entry back to its old name. If another entry has that name by now, the outcome reports the present one. */
  async function putBack(at: Position, files: FileAccess, control?: JobControl): Promise<void> {
    const old = childOf(folder, at.entry.from)
    try {
      if (await carryOut(at, async () => old, files, { step: next, control, returns: true })) {
        noted?.returned(next)
        return
      }
    } catch (error) {
      if (!isFilemgrError(error)) log.error({ err: error }, 'a renamed file could not be put back')
    }
    outcome.renamed.push({ from: at.entry.from, to: at.name })
  }

  /** A free path that no other entry will get. Its name is an ordinary one, so that users see the entry after a crash. */
  async function temporaryPathFor(files: FileAccess, entry: RenamedEntry): Promise<VirtualPath> {
    const { from, temporary } = entry
    // Another one may have been noted, which counts.
    const isPlanned = noted === undefined || !Object.hasOwn(notes?.record.progress.parked ?? {}, from)
    if (temporary !== undefined && isPlanned && !(await files.scope.exists(childOf(folder, temporary))))
      return childOf(folder, temporary)
    const isFree = async (spare: VirtualPath) => !names.has(nameOf(spare)) && !(await files.scope.exists(spare))
    const path = await freeName(childOf(folder, from), isFree)
    names.add(nameOf(path))
    await notes?.note({ parked: { ...notes.record.progress.parked, [from]: nameOf(path) } })
    return path
  }

  async function findBegun(files: FileAccess, control: JobControl): Promise<void> {
    positions = noted === undefined ? await findByIdentity(files) : await findByNotes(control)
    const found = new Set(positions.map(({ entry }) => entry))
    for (const { entry, name } of positions) {
      if (name === entry.to) outcome.renamed.push(renameOf(entry))
      if (name !== entry.from)
        begun.set(
          entry,
          hooks.begun('rename', { path: childOf(folder, entry.from), destination: childOf(folder, entry.to) }),
        )
    }
    for (const entry of entries) if (!found.has(entry)) reportFailure(entry, lost(entry, noted !== undefined))
    control.expect({ files: entries.length })
    control.advance(0, outcome.renamed.length + outcome.failed.length)
    const undoing = notes?.earlier?.undoing
    if (undoing !== undefined) {
      await undo(control)
      throw new FilemgrError(undoing.code as ErrorCode, undoing.message)
    }
    await noted?.begin('to', positions)
    steps = stepsTo(positions, 'to')
    next = 0
  }

  async function findByIdentity(files: FileAccess): Promise<Position[]> {
    const { parked: spare = {} } = notes?.earlier ?? {}
    const found = await locate(files.scope, folder, entries, spare)
    for (const { name, of } of found.surplus) {
      const to = found.names.get(of)
      // Both names lead to one file, of which one is removed.
      const mode = { replace: true, folderMode: settings().dirMode }
      if (to !== undefined) await files.scope.rename(childOf(folder, name), childOf(folder, to), mode, {})
    }
    return entries.flatMap((entry) => {
      const name = found.names.get(entry)
      return name === undefined ? [] : { entry, name }
    })
  }

  async function findByNotes(control: JobControl): Promise<Position[]> {
    if (notes?.earlier === undefined) return positions
    const { earlier } = notes
    const { positions: present, doubt } = reachedBy(entries, earlier)
    if (doubt === undefined) return [...present]
    unclear.begin(doubt.at, doubt.target)
    const isGone = (await untilAvailable(control, async () => await unclear.clarify(control))) === 'gone'
    return present.filter((at) => !isGone || at !== doubt.at)
  }

  async function undo(control: JobControl): Promise<void> {
    using files = await untilAvailable(control, openToUndo)
    parked.clear()
    await untilAvailable(control, async () => await unclear.clarify(control))
    await noted?.begin('from', positions)
    // The job was cancelled, but this must not be.
    const undoing = { ...control, signal: control.stopping }
    const back = stepsTo(positions, 'from')
    for (const [step, { at, part }] of back.entries()) {
      requireRunning(control)
      if (part === 'in' && !parked.has(at)) {
        noted?.stayed(step)
        continue
      }
      const { entry } = at
      const targetOf = async () => (part === 'out' ? await temporaryPathFor(files, entry) : childOf(folder, entry.from))
      try {
        await carryOut(at, targetOf, files, { step, control: undoing })
        if (part === 'out') parked.add(at)
      } catch (error) {
        requireRunning(control)
        noted?.stayed(step)
        log.error({ err: error, from: at.name, to: entry.from }, 'a rename could not be undone')
      }
    }
    const left = positions.filter(({ entry, name }) => name !== entry.from)
    const [first] = left
    next = steps.length
    if (first === undefined) return
    const more = left.length === 1 ? '' : ` and ${left.length - 1} more`
    fail('CONFLICT', `undone, except "${first.entry.from}", which is "${first.name}" now${more}: see the log`)
  }

  function reportFailure(entry: RenamedEntry, error: unknown): void {
    const isPublic = isFilemgrError(error) && error.code !== 'INTERNAL'
    if (!isPublic) log.error({ err: error }, 'a file could not be renamed')
    outcome.failed.push({ ...renameOf(entry), error: failureOf(error) })
  }

  async function giveUp(files: FileAccess, error: FilemgrError): Promise<boolean> {
    const rest = steps.slice(next)
    for (const { at, part } of rest) {
      if (part === 'in' && !parked.has(at)) continue
      if (part === 'in') await putBack(at, files)
      reportFailure(at.entry, error)
    }
    next = steps.length
    return !unclear.isOpen
  }

  return {
    outcome,
    get isBegun() {
      return unclear.isOpen || positions.some(({ entry, name }) => name !== entry.from)
    },
    get isUnclear() {
      return unclear.isOpen
    },
    proceed,
    findBegun,
    undo,
    giveUp,
  }
}

function renameOf({ from, to }: RenamedEntry): Rename {
  return { from, to }
}

function lost({ entry }: RenamedEntry, isNoted: boolean): FilemgrError {
  return entry === undefined && !isNoted
    ? new FilemgrError(
        'CONFLICT',
        'this was interrupted, and this storage cannot tell which entry it was; look at its names',
      )
    : new FilemgrError('NOT_FOUND', 'it does not exist any more')
}

/** Checked again for each entry, since permissions and rules may change while a job runs. @throws FORBIDDEN, INVALID_INPUT */
async function requireMayRename(files: FileAccess, from: VirtualPath, to: VirtualPath): Promise<void> {
  await requireDeed(renamed(files, from, to))
  files.requireAllowed(from)
  files.requireAllowed(to)
  requireNewName(to)
}

function renamed(files: FileAccess, from: VirtualPath, to: VirtualPath): Transfer {
  return { kind: 'move', from: { files, path: from }, to: { files, path: to }, replace: false }
}
