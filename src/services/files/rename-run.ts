import { cancelled, type ErrorCode, fail, type FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { type Rename, type RenameOutcome, type RenameStep, renameSteps } from '../../domain/files/renames.ts'
import { childOf, nameOf, requireNewName, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import type { JobControl } from '../../platform/limits/job-queue.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { FileAccess } from '../access/access.ts'
import type { AfterHooks, HookRunner } from '../hooks/hook-runner.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { FileChanges } from './file-changes.ts'
import { requireTreeAllowed } from './file-checks.ts'
import { freeName } from './free-name.ts'
import { LeftOut } from './left-out.ts'

export interface RenameRunDeps {
  readonly settings: () => Pick<Settings, 'dirMode'>
  readonly changes: Pick<FileChanges, 'notify' | 'touching'>
  readonly hooks: Pick<HookRunner, 'begin'>
  readonly quotas: Pick<Quotas, 'moving'>
  readonly log: Pick<Logger, 'error'>
}

/** The renames of one request, one after the other. An entry that fails does not stop the others. */
export interface RenameRun {
  /** What has been done so far. */
  readonly outcome: RenameOutcome
  /**
   * Continues with the remaining renames.
   *
   * @param control of a job; without it, stops before an entry that takes longer than a request may
   * @returns whether all is done
   */
  proceed(files: FileAccess, control?: JobControl): Promise<boolean>
  /** Reports the remaining renames as failed. */
  giveUp(error: FilemgrError): void
}

/** @param renames checked: no old or new name occurs twice */
export function createRenameRun(
  { settings, changes, hooks, quotas, log }: RenameRunDeps,
  folder: VirtualPath,
  renames: readonly Rename[],
): RenameRun {
  const names = new Set(renames.flatMap(({ from, to }) => [from, to]))
  const steps = renameSteps(renames)
  const outcome: RenameOutcome = { renamed: [], failed: [] }
  /** Hooks that wait for the end of a rename, which may need two steps, or a job. */
  const begun = new Map<Rename, AfterHooks>()
  /** Temporary paths of entries whose new name is not free yet. */
  const parked = new Map<Rename, VirtualPath>()
  let next = 0

  async function proceed(files: FileAccess, control?: JobControl): Promise<boolean> {
    for (; next < steps.length; next += 1) {
      // A cycle of renames that has begun is completed, so that no entry keeps a temporary name.
      if (control?.signal.aborted === true && parked.size === 0) giveUp(cancelled())
      const step = steps[next]
      if (step !== undefined && !(await runStep(step, files, control))) return false
    }
    return true
  }

  /** @returns false if it needs a job */
  async function runStep({ rename, part }: RenameStep, files: FileAccess, control?: JobControl): Promise<boolean> {
    const [from, to] = [childOf(folder, rename.from), childOf(folder, rename.to)]
    const parkedPath = parked.get(rename)
    if (part === 'in' && parkedPath === undefined) return true
    try {
      const target = part === 'out' ? await temporaryPathFor(files, from) : to
      requireMayRename(files, from, to)
      if (!begun.has(rename)) begun.set(rename, await hooks.begin('rename', files, { path: from, destination: to }))
      if (!(await move(files, parkedPath ?? from, target, control))) return false
      if (part === 'out') parked.set(rename, target)
      else await finish(rename, files, control)
    } catch (error) {
      if (parkedPath !== undefined) await putBack(rename, parkedPath, files, control)
      reportFailure(rename, error)
      control?.advance(0, 1)
    }
    return true
  }

  async function finish(rename: Rename, files: FileAccess, control?: JobControl): Promise<void> {
    parked.delete(rename)
    outcome.renamed.push(rename)
    control?.advance(0, 1)
    await begun.get(rename)?.(files)
  }

  async function move(files: FileAccess, from: VirtualPath, to: VirtualPath, control?: JobControl): Promise<boolean> {
    requireMayRename(files, from, to)
    const kind = await files.scope.kindOf(from)
    if (kind === undefined) fail('NOT_FOUND', 'it does not exist any more')
    if (kind === 'folder') await requireTreeAllowed(files, from, to, control?.signal)
    const mode = { replace: false, folderMode: settings().dirMode }
    const touched = await changes.touching(files.user, from, to)
    await using _moving = await quotas.moving(files.user, from, to)
    if (!(await files.scope.rename(from, to, mode, { accept: files.requireStill }))) {
      if (control === undefined) return false
      await moveSlowly(files, from, to, mode, control)
    }
    await changes.notify({ kind: 'moved', user: files.user, from, to })
    await touched()
    return true
  }

  /** Moves an entry back to its old name. If another entry has that name by now, the outcome reports the temporary one. */
  async function putBack(
    rename: Rename,
    parkedPath: VirtualPath,
    files: FileAccess,
    control?: JobControl,
  ): Promise<void> {
    parked.delete(rename)
    try {
      if (await move(files, parkedPath, childOf(folder, rename.from), control)) return
    } catch (error) {
      if (!isFilemgrError(error)) log.error({ err: error }, 'a renamed file could not be put back')
    }
    outcome.renamed.push({ from: rename.from, to: nameOf(parkedPath) })
  }

  /** A free path that no other entry will get. Its name is an ordinary one, so that users see the entry after a crash. */
  async function temporaryPathFor(files: FileAccess, path: VirtualPath): Promise<VirtualPath> {
    return await freeName(path, async (spare) => !names.has(nameOf(spare)) && !(await files.scope.exists(spare)))
  }

  function reportFailure(rename: Rename, error: unknown): void {
    const isPublic = isFilemgrError(error) && error.code !== 'INTERNAL'
    if (!isPublic) log.error({ err: error }, 'a file could not be renamed')
    const code: ErrorCode = isPublic ? error.code : 'INTERNAL'
    const message = isPublic ? error.message : 'internal error; see the log'
    outcome.failed.push({ ...rename, error: { code, message } })
  }

  function giveUp(error: FilemgrError): void {
    for (const { rename, part } of steps.slice(next)) if (part !== 'in') reportFailure(rename, error)
    next = steps.length
  }

  return { outcome, proceed, giveUp }
}

/** Checked again for each entry, since permissions and rules may change while a job runs. @throws FORBIDDEN, INVALID_INPUT */
function requireMayRename(files: FileAccess, from: VirtualPath, to: VirtualPath): void {
  files.require('files.rename')
  files.requireAllowed(from)
  files.requireAllowed(to)
  requireNewName(to)
}

/** Copies and deletes. @throws CONFLICT if some files could not be moved */
async function moveSlowly(
  files: FileAccess,
  from: VirtualPath,
  to: VirtualPath,
  mode: { readonly replace: boolean; readonly folderMode: number },
  control: JobControl,
): Promise<void> {
  const leftOut = new LeftOut(control)
  const { signal } = control
  await files.scope.move(from, to, mode, { signal, leftOut: leftOut.control.leftOut, accept: files.requireStill })
  leftOut.requireNone()
}
