import type { Actor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import { cleanVirtualPath, nameOf, requireNewName, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import type { StartedJob } from '../../platform/limits/job-queue.ts'
import type { EntryKind, TransferMode } from '../../storage/storage.ts'
import type { FileAccess } from '../access/file-access.ts'
import type { FileChange } from '../access/file-changes.ts'
import { MoveRoom } from '../access/quotas/folder-room.ts'
import { type Deed, requireDeed } from '../access/deeds.ts'
import { kindAllowed, NAME_TAKEN, requireTransferable } from '../access/file-checks.ts'
import { measureCopy } from './copy-size.ts'
import { freeName } from './free-name.ts'
import { ownerOf, type TransferJobs, type FileWorkDeps } from './transfer-jobs.ts'

export interface TransfersDeps extends FileWorkDeps {
  readonly jobs: TransferJobs
  readonly now: () => number
}

export interface TransferRequest {
  /** "copy" or "rename"; anything else is refused after all other checks. */
  readonly action: string
  /** Not cleaned yet. */
  readonly destination: string
  readonly override: boolean
  /** Uses another name if this one is taken. */
  readonly rename: boolean
}

/** Bytes. Smaller files are copied during the request; larger ones by a job. */
const LARGE = 64 * 1024 * 1024

/** Copies, moves and removes. Returns a job for long work, and undefined if the work is done. */
export function createTransfers(deps: TransfersDeps) {
  const { access, settings, changes, startJob, hooks, quotas, jobs, now } = deps

  /**
   * Checks everything before any change, in the order of File Browser, so that old clients see the same errors.
   *
   * @throws FORBIDDEN, NOT_FOUND, CONFLICT, INVALID_INPUT, NO_SPACE, QUOTA_EXCEEDED
   */
  async function transfer(actor: Actor, text: string, request: TransferRequest): Promise<StartedJob | undefined> {
    using files = await access.at(actor, text)
    const { path: from } = files
    const destination = files.pathOf(cleanVirtualPath(request.destination))
    files.requireAllowed(from)
    files.requireAllowed(destination)
    requireTransferable(files, from, destination)
    requireNewName(destination, nameOf(from))
    const isRename = request.action === 'rename'
    const isFree = isRename && from !== destination && !(await files.scope.exists(destination))
    const isSame = isRename && !isFree && (from === destination || (await files.scope.isSame(from, destination)))
    const to = isSame || isFree ? destination : await freeTarget(files, from, destination, request)
    if (request.override) files.require('files.save', to)
    await requireDeed(files, { kind: deedOf(request.action), from, to, replace: request.override })
    const mode = { replace: request.override && !request.rename, folderMode: settings().dirMode }
    return isRename ? await rename(actor, files, from, to, mode) : await copy(actor, files, from, to, mode)
  }

  async function rename(actor: Actor, files: FileAccess, from: VirtualPath, to: VirtualPath, mode: TransferMode) {
    const deed = { kind: 'move', from, to, replace: mode.replace } as const
    const judge = async () => (await kindAllowed(files, deed)) ?? fail('NOT_FOUND', NOTHING_THERE)
    if (from === to) {
      if ((await files.scope.kindOf(from)) === undefined) fail('NOT_FOUND', NOTHING_THERE)
      return undefined
    }
    await judge()
    const moved = { kind: 'moved', user: files.user, from, to } as const
    const after = await hooks.begin('rename', files, { path: from, destination: to }, { judge })
    if (await renameAtOnce(files, moved, mode)) {
      await after(files)
      return undefined
    }
    const source = await files.scope.entryAt(from)
    const request = { kind: 'move', from, to, replace: mode.replace, ...(source && { source }) } as const
    return await startJob.start(actor, files, request, jobs.moving(request, after))
  }

  async function renameAtOnce(files: FileAccess, moved: FileChange & { kind: 'moved' }, mode: TransferMode) {
    const { user, from, to } = moved
    const touched = await changes.touching(user, from, to)
    await using room = await MoveRoom.reserve(quotas, files, { from, to })
    if (!(await files.scope.rename(from, to, mode, { accept: files.requireStill, ...room.work }))) return false
    if (mode.replace) await quotas.freed(user.scope, to)
    await changes.notify(moved)
    await touched()
    return true
  }

  async function copy(actor: Actor, files: FileAccess, from: VirtualPath, to: VirtualPath, mode: TransferMode) {
    const measure = async () => {
      if (from === to) {
        await files.scope.stat(from, { ...files.view('/'), sniff: false })
        fail('CONFLICT', 'a copy needs another name')
      }
      return await measureCopy(quotas, files, from, { path: to, replace: mode.replace })
    }
    let found = await measure()
    const { added } = found
    await using resources = new AsyncDisposableStack()
    const reservation = resources.use(await quotas.reserve(files.user, to, added))
    const judge = async () => (found = await measure())
    const after = await hooks.begin('copy', files, { path: from, destination: to }, { judge })
    const request = { kind: 'copy', from, to, replace: mode.replace } as const
    const prepared = { all: found.all, added, reservation, after }
    if (found.isDir || found.all.bytes >= LARGE) {
      const started = await startJob.start(actor, files, request, jobs.copying(request, prepared))
      const owned = resources.move()
      // Gives the reservation back even if the job is cancelled before it runs.
      void Promise.allSettled([started.done]).then(async () => await Promise.allSettled([owned.disposeAsync()]))
      return started
    }
    await jobs.copyNow(files, request, prepared)
    return undefined
  }

  /** @param toTrash moves to the trash instead of deleting permanently */
  async function remove(actor: Actor, text: string, toTrash: boolean): Promise<StartedJob | undefined> {
    using files = await access.at(actor, text)
    const { path } = files
    const deed = { kind: 'remove', from: path } as const
    await requireDeed(files, deed)
    files.requireAllowed(path)
    if (path === files.top) fail('FORBIDDEN', 'the root folder cannot be deleted')
    if (toTrash) requireTrash(settings())
    let kind: EntryKind | undefined
    const look = async () => (kind = await kindAllowed(files, deed))
    // Without rules, a move to the trash need not know what is there; if one is added meanwhile, the work ends.
    if (toTrash && !files.hasRules) files.keepRulesOf(path)
    else await look()
    const after = await hooks.begin('delete', files, { path }, { check: look, judge: look })
    const removed: FileChange = { kind: 'removed', user: files.user, path }
    if (toTrash ? await putAtOnce(files, path) : kind !== 'folder') {
      if (!toTrash) await files.scope.remove(path, { accept: files.requireStill })
      await changes.notify(removed)
      await after(files)
      return undefined
    }
    const source = await files.scope.entryAt(path)
    const what = { path, ...(source && { source }) }
    const request = toTrash
      ? ({ kind: 'trash', deleted: now(), ...what } as const)
      : ({ kind: 'delete', ...what } as const)
    return await startJob.start(actor, files, request, jobs.deleting(request, after))
  }

  async function putAtOnce(files: FileAccess, path: VirtualPath): Promise<boolean> {
    await using _moving = await quotas.moving(files.user, path, ROOT)
    return (
      (await files.scope.trash.putAtOnce(ownerOf(files), path, now(), { accept: files.requireStill })) !== undefined
    )
  }

  return { transfer, remove }
}

export type Transfers = ReturnType<typeof createTransfers>

/** @throws INVALID_INPUT if the trash is switched off */
export function requireTrash({ trash }: Pick<Settings, 'trash'>): void {
  if (trash.days === 0) fail('INVALID_INPUT', 'the trash is switched off; delete permanently instead')
}

const NOTHING_THERE = 'there is nothing at this path'

/**
 * @param from what is copied or moved
 * @param end as for `numberedName`
 * @throws CONFLICT
 */
export async function freeTarget(
  files: FileAccess,
  from: VirtualPath | undefined,
  preferred: VirtualPath,
  { override, rename }: Pick<TransferRequest, 'override' | 'rename'>,
  end?: number,
): Promise<VirtualPath> {
  if (rename) return await freeName(preferred, async (path) => !(await files.scope.exists(path)), end)
  if (!override && (from === preferred || (await files.scope.exists(preferred)))) fail('CONFLICT', NAME_TAKEN)
  return preferred
}

/** @throws INVALID_INPUT */
function deedOf(action: string): Exclude<Deed['kind'], 'remove'> {
  if (action === 'copy') return 'copy'
  return action === 'rename' ? 'move' : fail('INVALID_INPUT', `unsupported action ${action}: invalid request params`)
}
