import type { Actor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import { cleanVirtualPath, nameOf, requireNewName, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import type { StartedJob } from '../../platform/limits/job-queue.ts'
import type { EntryKind, TransferMode } from '../../storage/storage.ts'
import type { Ends, FileAccess } from '../access/file-access.ts'
import type { FileChange } from '../access/file-changes.ts'
import { requireDeed, type Transfer } from '../access/deeds.ts'
import { kindAllowed, NAME_TAKEN, requireTransferable } from '../access/file-checks.ts'
import { measureCopy } from './copy-size.ts'
import { freeName } from './free-name.ts'
import { acceptBoth, moveRoom, ownerOf, transferOf, type TransferJobs, type FileWorkDeps } from './transfer-jobs.ts'

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
    using ends = await access.ends(actor, text, cleanVirtualPath(request.destination))
    const { source, target } = ends
    const isOne = source === target
    const { path: from } = source
    const destination = target.pathOf(cleanVirtualPath(request.destination))
    const isRename = request.action === 'rename'
    source.requireAllowed(from)
    target.requireAllowed(destination)
    requireTransferable(ends, from, destination, isRename)
    requireNewName(destination, nameOf(from))
    // Who may see nothing must not learn which names are taken.
    const { override, rename: findsName } = target.given === 'upload' ? { override: false, rename: true } : request
    const isSameName = isOne && from === destination
    const isFree = isRename && !isSameName && !(await target.scope.exists(destination))
    const isSame = isRename && !isFree && isOne && (isSameName || (await source.scope.isSame(from, destination)))
    const named = { override, rename: findsName }
    const to = isSame || isFree ? destination : await freeTarget(target, isOne ? from : undefined, destination, named)
    if (override) target.require('files.save', to)
    const replace = override && !findsName
    const transfer = transferOf(ends, { kind: kindOf(request.action), from, to, replace })
    await requireDeed(transfer)
    const mode = { replace, folderMode: settings().dirMode, ...(!isOne && { into: target.scope }) }
    return isRename ? await rename(actor, transfer, mode) : await copy(actor, ends, transfer)
  }

  async function rename(actor: Actor, transfer: Transfer, mode: TransferMode) {
    const { files, path: from } = transfer.from
    const { files: target, path: to } = transfer.to
    const judge = async () => {
      const kind = await kindAllowed(transfer)
      if (kind === 'link' && files !== target)
        fail(
          'FORBIDDEN',
          'a symbolic link cannot be moved to another place: copy what it leads to, and delete the link',
        )
      return kind ?? fail('NOT_FOUND', NOTHING_THERE)
    }
    if (files === target && from === to) {
      if ((await files.scope.kindOf(from)) === undefined) fail('NOT_FOUND', NOTHING_THERE)
      return undefined
    }
    await judge()
    const after = await hooks.begin('rename', files, { path: from, destination: to }, { judge, into: target })
    if (await renameAtOnce(transfer, mode)) {
      await after(files, target)
      return undefined
    }
    const source = await files.scope.entryAt(from)
    const request = { kind: 'move', from, to, replace: mode.replace, ...(source && { source }) } as const
    return await startJob.start(actor, files, request, jobs.moving(request, after), { target })
  }

  async function renameAtOnce(transfer: Transfer, mode: TransferMode) {
    const [{ files: source, path: from }, { files: target, path: to }] = [transfer.from, transfer.to]
    const [old, moved] = [
      { user: source.user, path: from },
      { user: target.user, path: to },
    ]
    const touched = await changes.touchingBoth(old, moved)
    await using room = await moveRoom(quotas, transfer)
    const accept = acceptBoth({ source, target })
    if (!(await source.scope.rename(from, to, mode, { accept, ...room.work }))) return false
    if (mode.replace) await quotas.freed(target.user.scope, to)
    await changes.notifyMoved(old, moved, true)
    await touched()
    return true
  }

  async function copy(actor: Actor, ends: Ends, transfer: Transfer) {
    const { source, target } = ends
    const [{ path: from }, { path: to }] = [transfer.from, transfer.to]
    const measure = async () => {
      if (source === target && from === to) {
        await source.scope.stat(from, { ...source.view('/'), sniff: false })
        fail('CONFLICT', 'a copy needs another name')
      }
      return await measureCopy(quotas, transfer)
    }
    let found = await measure()
    const { added } = found
    await using resources = new AsyncDisposableStack()
    const reservation = resources.use(await quotas.reserve(target.user, to, added))
    const judge = async () => (found = await measure())
    const after = await hooks.begin('copy', source, { path: from, destination: to }, { judge, into: target })
    const request = { kind: 'copy', from, to, replace: transfer.replace } as const
    const prepared = { all: found.all, added, reservation, after }
    if (found.isDir || found.all.bytes >= LARGE) {
      const started = await startJob.start(actor, source, request, jobs.copying(request, prepared), { target })
      const owned = resources.move()
      // Gives the reservation back even if the job is cancelled before it runs.
      void Promise.allSettled([started.done]).then(async () => await Promise.allSettled([owned.disposeAsync()]))
      return started
    }
    await jobs.copyNow(ends, request, prepared)
    return undefined
  }

  /** @param toTrash moves to the trash instead of deleting permanently */
  async function remove(actor: Actor, text: string, toTrash: boolean): Promise<StartedJob | undefined> {
    using files = await access.at(actor, text)
    const { path } = files
    const deed = { kind: 'remove', from: { files, path } } as const
    await requireDeed(deed)
    files.requireAllowed(path)
    if (path === files.top) fail('FORBIDDEN', 'the root folder cannot be deleted')
    if (toTrash) requireTrash(settings())
    let kind: EntryKind | undefined
    const look = async () => (kind = await kindAllowed(deed))
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
function kindOf(action: string): Transfer['kind'] {
  if (action === 'copy') return 'copy'
  return action === 'rename' ? 'move' : fail('INVALID_INPUT', `unsupported action ${action}: invalid request params`)
}
