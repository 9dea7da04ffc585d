import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { parseJson } from '../../../domain/schema/parse-value.ts'
import type { TrashedEntry } from '../../../domain/files/trash.ts'
import { parseVirtualPath, ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { systemRandom } from '../../../platform/security/random.ts'
import type { TransferMode, Trash, Work } from '../../storage.ts'
import { FoundLocation } from '../scope/destination.ts'
import { creatableSegments, reachableSegments, TRASH, TRASH_CONTENT } from '../../reserved-names.ts'
import { requireNoWayOut } from '../scope/resolve.ts'
import type { OperationRunner } from '../scope/run-operation.ts'
import { expectedRealPath, type ScopeRoot } from '../scope/scope-root.ts'
import { recordsIn } from '../read/ask-workers.ts'
import type { DevicePools } from '../system/device-pools.ts'
import { statsOrNothing, syncFolder } from '../system/disk.ts'
import { closeSynced, fdatasync, rmdir, unlink, write } from '../system/gated-calls.ts'
import { at, Handle, hold, type Location, READ_FOLDER_ITSELF } from '../system/handle.ts'
import { createPrivateFolder, openPrivateFile } from '../system/new-entry.ts'
import { type FindTarget, moveTree, renameEntry, sourceAt, targetAt } from './move-tree.ts'
import { removeAroundMounts, removeTree } from './remove-tree.ts'
import { type FoundRecord, RECORD } from '../worker/read-trash.ts'
import { namesIn } from './walk.ts'
import { unlessErrno, isErrno } from '../../../platform/files/error-code.ts'

const FOLDER_MODE = 0o700
const NAME = /^[\w-]{1,64}$/

type MoveMode = Pick<TransferMode, 'folderMode' | 'earlier'>

type NewParents = Pick<TransferMode, 'folderMode'> & Pick<Work, 'admitFolder'>

/** @param isOurs only this operation puts anything into the folder of the target @returns false if nothing was moved */
type Move = (from: Location, target: FindTarget, isOurs: boolean) => Promise<boolean>

/** The folder of a deleted entry, by its name and open. */
class EntryFolder implements Location, Disposable {
  readonly folder: Handle
  readonly name: string
  readonly held: Handle

  /** Takes over both handles. */
  constructor(folder: Handle, name: string, held: Handle) {
    this.folder = folder
    this.name = name
    this.held = held
  }

  get content(): Location {
    return { folder: this.held, name: TRASH_CONTENT }
  }

  get record(): Location {
    return { folder: this.held, name: RECORD }
  }

  [Symbol.dispose](): void {
    this.held[Symbol.dispose]()
    this.folder[Symbol.dispose]()
  }
}

/** The trash in the scope's folder, to which a rename can move entries: `.filemgr-trash/<owner>/<id>/content` beside a record. */
export function localTrash(runner: OperationRunner, listers: DevicePools): Trash {
  const { scopeRoot } = runner

  /** Opens the trash, or the folder in it with the entries of an owner; undefined if it does not exist. */
  async function find(owner?: string): Promise<Handle | undefined> {
    if (owner === undefined) return await enter(scopeRoot.folder, TRASH)
    // Kept open, so that entries that are deleted at the same time share its syncs.
    const realPath = expectedRealPath(scopeRoot, [TRASH, owner])
    const kept = scopeRoot.kept?.at(realPath)
    if (kept instanceof Handle) return kept.retain()
    using trash = await find()
    const folder = trash && (await enter(trash, owner))
    if (folder !== undefined) scopeRoot.kept?.add(realPath, folder)
    return folder
  }

  async function findOrMake(owner: string): Promise<Handle> {
    const existing = await find(owner)
    if (existing !== undefined) return existing
    await make(scopeRoot.folder, TRASH)
    using trash = (await find()) ?? failRemoved()
    await make(trash, owner)
    return (await find(owner)) ?? failRemoved()
  }

  /** @throws NOT_FOUND */
  async function entryOf(owner: string, id: string): Promise<EntryFolder> {
    using folder = await find(owner)
    const held = folder && (await enter(folder, id))
    if (folder === undefined || held === undefined) fail('NOT_FOUND', 'nothing in the trash has this id')
    return new EntryFolder(folder.retain(), id, held)
  }

  async function put(
    owner: string,
    path: VirtualPath,
    deleted: number,
    move: Move,
    id = systemRandom.token(12),
  ): Promise<TrashedEntry | undefined> {
    using source = await sourceAt(scopeRoot, reachableSegments(path))
    const entry = { id, path, ...(await kindOf(scopeRoot, source)), deleted }
    using folder = await findOrMake(owner)
    const isNew = await make(folder, id)
    using made = new EntryFolder(folder.retain(), id, (await enter(folder, id)) ?? failRemoved())
    const { held } = made
    const target = async () =>
      isNew ? new FoundLocation(held.retain(), TRASH_CONTENT, undefined) : await FoundLocation.look(held, TRASH_CONTENT)
    try {
      await writeRecord(made, entry)
      if (await move(source, target, isNew)) {
        // A move of the folder with the trash leaves only what is still arriving: without its record, it would be in no list.
        if ((await statsOrNothing(at(held, RECORD))) === undefined) await writeRecord(made, entry)
        return entry
      }
    } catch (error) {
      await discard(made)
      throw error
    }
    await discard(made)
    return undefined
  }

  async function restore(
    owner: string,
    id: string,
    to: VirtualPath,
    parents: NewParents,
    move: Move,
  ): Promise<boolean> {
    using entry = await entryOf(owner, id)
    const { admitFolder } = parents
    const target = targetAt(scopeRoot, creatableSegments(to), parents, { formerNames: true, admitFolder })
    if (!(await move(entry.content, target, false))) return false
    await discard(entry)
    return true
  }

  function byRename(mode: MoveMode, work: Pick<Work, 'accept' | 'placing'>): Move {
    return async (from, target, isOurs) =>
      await renameEntry(scopeRoot, from, target, { replace: false, ...mode, isOurs }, work)
  }

  function inAnyWay(mode: MoveMode, work: Work): Move {
    return async (from, target, isOurs) => {
      if (await byRename(mode, work)(from, target, isOurs)) return true
      await moveTree(scopeRoot, from, target, { replace: false, ...mode }, work)
      return true
    }
  }

  return {
    async putAtOnce(owner, path, deleted, work = {}) {
      const move = byRename({ folderMode: FOLDER_MODE }, work)
      return await runner.walk(path, {}, async () => await put(owner, path, deleted, move))
    },

    async put(owner, path, deleted, work = {}, run = { id: systemRandom.token(12) }) {
      const entry = await runner.copy(path, work, async (own) => {
        const move = inAnyWay({ folderMode: FOLDER_MODE, earlier: run.earlier }, own)
        return await put(owner, path, deleted, move, run.id)
      })
      return entry ?? fail('NOT_FOUND', 'there is nothing at this path')
    },

    list: async (owner, ids) =>
      await runner.walk(ROOT, {}, async () => {
        using folder = await find(owner)
        const records = folder === undefined ? [] : await recordsIn(listers, folder, ids?.filter(isName))
        // The others are still being moved here, or were when the power failed.
        const found = records.filter(({ hasContent }) => hasContent).map(entryIn)
        return found.filter((entry) => entry !== undefined).toSorted((one, other) => other.deleted - one.deleted)
      }),

    async restoreAtOnce(owner, id, to, folderMode, work = {}) {
      const { admitFolder, ...own } = work
      const move = byRename({ folderMode }, own)
      return await runner.walk(to, {}, async () => await restore(owner, id, to, { folderMode, admitFolder }, move))
    },

    async restore(owner, id, to, mode, { admitFolder, ...work } = {}) {
      const parents = { folderMode: mode.folderMode, admitFolder }
      await runner.copy(to, work, async (own) => await restore(owner, id, to, parents, inAnyWay(mode, own)))
    },

    remove: async (owner, id, work = {}) =>
      await runner.walk(ROOT, work, async (own) => {
        using entry = await entryOf(owner, id)
        await scopeRoot.effects.requireRemovable(entry.content)
        if (!(await removeForGood(entry, own)))
          fail('CONFLICT', 'another disk is mounted in a folder of the trash: unmount it, then delete the rest', {
            reason: 'mounted',
          })
      }),

    async sweep(before, signal) {
      return await runner.walk(ROOT, { signal }, async (own) => {
        using trash = await find()
        let swept = 0
        for (const owner of trash === undefined ? [] : await namesIn(trash)) {
          using folder = await find(owner.toString())
          for (const record of folder === undefined ? [] : await recordsIn(listers, folder)) {
            const found = entryIn(record)
            if (folder === undefined || found === undefined || found.deleted >= before) continue
            const held = await enter(folder, found.id)
            if (held === undefined) continue
            using entry = new EntryFolder(folder.retain(), found.id, held)
            // An entry that contains a mount point stays; the next sweep tries again.
            const isGone = await removeForGood(entry, own)
            swept += isGone ? 1 : 0
          }
        }
        return swept
      })
    },
  }
}

function isName(text: string): boolean {
  return NAME.test(text)
}

/** Opens a folder of the trash; undefined if it does not exist. Follows no links: users of the disk could have planted them. */
async function enter(folder: Handle, name: string): Promise<Handle | undefined> {
  if (!isName(name) && name !== TRASH) return undefined
  return await unlessErrno(hold(at(folder, name), READ_FOLDER_ITSELF), 'ENOENT', 'ENOTDIR')
}

/** @returns false if it exists */
async function make(folder: Handle, name: string): Promise<boolean> {
  try {
    await createPrivateFolder({ folder, name })
    return true
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
    return false
  } finally {
    await syncFolder(folder)
  }
}

function failRemoved(): never {
  return fail('CONFLICT', 'the trash was removed meanwhile: try again', { reason: 'changed' })
}

/** @throws NOT_FOUND; FORBIDDEN for a link that leads out */
async function kindOf(
  scopeRoot: ScopeRoot,
  { folder, name, found }: FoundLocation,
): Promise<{ isDir: boolean; size: number }> {
  if (found === undefined) fail('NOT_FOUND', 'there is nothing at this path')
  if (found.isSymbolicLink()) await requireNoWayOut(scopeRoot, folder, name)
  return { isDir: found.isDirectory(), size: found.isDirectory() ? 0 : Number(found.size) }
}

/** Removes the record last: if this is interrupted, or a mount point inside stays, the entry is still listed. */
async function removeForGood(entry: EntryFolder, work: Work): Promise<boolean> {
  await removeAroundMounts(entry.content, work)
  return await discard(entry)
}

/** Removes the record if there is no content. @returns false if there is */
async function discard(entry: EntryFolder): Promise<boolean> {
  if ((await statsOrNothing(at(entry.held, TRASH_CONTENT))) !== undefined) return false
  const { record } = entry
  try {
    await unlink(at(record.folder, record.name))
    await rmdir(at(entry.folder, entry.name))
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error
    await removeTree(entry)
  }
  return true
}

const TrashRecord = Type.Object({
  path: Type.String(),
  isDir: Type.Boolean(),
  size: Type.Integer({ minimum: 0 }),
  deleted: Type.Integer({ minimum: 0 }),
})
type TrashRecord = Static<typeof TrashRecord>

/** Undefined if the record is not valid. */
function entryIn({ id, text }: FoundRecord): TrashedEntry | undefined {
  try {
    const record = parseJson(text)
    return Value.Check(TrashRecord, record) ? { id, ...record, path: parseVirtualPath(record.path) } : undefined
  } catch (error) {
    if (isFilemgrError(error, 'INVALID_INPUT')) return undefined
    throw error
  }
}

/** Must be written before the content is moved, which would otherwise be in no list. */
async function writeRecord({ record }: EntryFolder, { path, isDir, size, deleted }: TrashedEntry): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ path, isDir, size, deleted } satisfies TrashRecord))
  // An earlier run of the same deletion may have been killed while it wrote the record.
  const fd = await openPrivateFile(record)
  try {
    for (let done = 0; done < bytes.length;)
      done += (await write(fd, bytes, done, bytes.length - done, done)).bytesWritten
    await fdatasync(fd)
  } finally {
    await closeSynced(fd)
  }
}
