import { childOf, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { Settings } from '../../../domain/settings/settings.ts'
import { type JobControl, interrupted } from '../../../platform/limits/job-queue.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { FileAccess } from '../../access/file-access.ts'
import type { FileChanges } from '../../access/file-changes.ts'
import { moveSlowly } from '../left-out.ts'
import type { Position } from './rename-positions.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { isFilemgrError } from '../../../domain/errors.ts'

/** Milliseconds between two tries: at first, and at most. */
const FIRST_PAUSE = 200
const LONGEST_PAUSE = 10_000

/** Opens the files of the user without rules, to undo what the user may not do any more. Throws if there is no such user. */
export type OpenToUndo = () => Promise<FileAccess>

export interface UnclearStepDeps {
  readonly settings: () => Pick<Settings, 'dirMode'>
  readonly changes: FileChanges
  readonly log: Logger
  readonly openToUndo: OpenToUndo
}

/**
 * The step of a batch rename in a bucket of which nobody knows what it has done: the process was killed, or the storage did not
 * answer. Its entry may have the old name, the new one, or both.
 *
 * @param since when the rename began, in milliseconds since 1970
 */
export function createUnclearStep(
  { settings, changes, log, openToUndo }: UnclearStepDeps,
  folder: VirtualPath,
  since = 0,
) {
  let step: { readonly at: Position; readonly target: string } | undefined

  /** @returns false if something else has the new name by now. @throws UNAVAILABLE, STORE_BUSY */
  async function endMove(files: FileAccess, from: VirtualPath, to: VirtualPath, control: JobControl): Promise<boolean> {
    const mode = { replace: false, folderMode: settings().dirMode, earlier: { since, merging: true } } as const
    const touched = await changes.touching(files.user, from, to)
    try {
      await moveSlowly(files, from, to, mode, { ...control, signal: control.stopping })
    } catch (error) {
      requireRunning(control)
      if (isAway(error)) throw error
      log.error({ err: error, from, to }, 'a rename that was interrupted could not be ended')
      return false
    }
    await changes.notify({ kind: 'moved', user: files.user, from, to })
    await touched()
    return true
  }

  return {
    get isOpen() {
      return step !== undefined
    },
    begin(at: Position, target: string): void {
      step = { at, target }
    },
    /** It is known what the step has done. */
    end(): void {
      step = undefined
    },
    /**
     * Finds out what it has done, and ends what it has begun, whatever the user may do by now: both names would be there.
     *
     * @throws UNAVAILABLE, STORE_BUSY; then it stays unclear
     */
    async clarify(control: JobControl): Promise<'moved' | 'stayed' | 'gone'> {
      if (step === undefined) return 'stayed'
      const { at, target } = step
      using files = await openToUndo()
      const [from, to] = [childOf(folder, at.name), childOf(folder, target)]
      const [isBefore, isAfter] = [await files.scope.exists(from), await files.scope.exists(to)]
      const isMoved = isAfter && (!isBefore || (await endMove(files, from, to, control)))
      step = undefined
      if (isMoved) at.name = target
      return isMoved ? 'moved' : isBefore ? 'stayed' : 'gone'
    },
  }
}

/**
 * Does part of a job again for as long as a server does not answer: what the job has begun must be ended, or undone, and neither is
 * possible now.
 *
 * @throws CANCELLED as `interrupted`, if the job must be left as it is
 */
export async function untilAvailable<T>(
  { stopping }: Pick<JobControl, 'stopping'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error)) throw error
      await pause(wait, undefined, { signal: stopping }).catch(() => undefined)
      requireRunning({ stopping })
    }
  }
}

/** True if a server does not answer: that of the files, or that of the store, without which several daemons cannot lock a name. */
export function isAway(error: unknown): boolean {
  return isFilemgrError(error, 'UNAVAILABLE', 'STORE_BUSY')
}

/** @throws CANCELLED as `interrupted` */
export function requireRunning({ stopping }: Pick<JobControl, 'stopping'>): void {
  if (stopping.aborted) throw interrupted()
}
