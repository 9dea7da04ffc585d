import { constants } from 'node:fs'
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
import type { ScopeRoot } from '../scope/scope-root.ts'
import { statsOrNothing, syncFolder } from '../system/disk.ts'
import { close, fdatasync, open, read, write } from '../system/gated-calls.ts'
import { at, type Handle, hold, HOLD_FOLDER, type Location, type Name } from '../system/handle.ts'
import { createPrivateFolder, openPrivateFile } from '../system/new-entry.ts'
import { errnoCode } from '../system/os-error.ts'
import { holdOriginal } from './copy-entry.ts'
import { type FindTarget, moveTree, renameEntry, sourceAt, targetAt } from './move-tree.ts'
import { removeAroundMounts, removeTree } from './remove-tree.ts'
import { namesIn } from './walk.ts'
import { unlessErrno, isErrno } from '../../../platform/files/error-code.ts'

const FOLDER_MODE = 0o700
const NAME = /^[\w-]{1,64}$/

type MoveMode = Pick<TransferMode, 'folderMode' | 'earlier'>

type NewParents = Pick<TransferMode, 'folderMode'> & Pick<Work, 'admitFolder'>

/** @returns false if nothing was moved */
type Move = (from: Location, target: FindTarget) => Promise<boolean>

/** The trash in the scope's folder, to which a rename can move entries: `.filemgr-trash/<owner>/<id>/content` beside a record. */
export function localTrash(runner: OperationRunner): Trash {
  const { scopeRoot } = runner

  /** Opens a folder in the trash; undefined if it does not exist. Follows no links: users of the disk could have planted them. */
  async function find(...names: string[]): Promise<Handle | undefined> {
    if (!names.every((name) => NAME.test(name))) return undefined
    let here = scopeRoot.folder.retain()
    for (const name of [TRASH, ...names]) {
      using parent = here
      const child = await unlessErrno(hold(at(parent, name), HOLD_FOLDER | constants.O_NOFOLLOW), 'ENOENT', 'ENOTDIR')
      if (child === undefined) return undefined
      here = child
    }
    return here
  }

  async function make(...names: [owner: string, id?: string]): Promise<Handle> {
    let here = scopeRoot.folder.retain()
    for (const name of [TRASH, ...names].filter((given) => given !== undefined)) {
      using parent = here
      try {
        await createPrivateFolder({ folder: parent, name })
        await syncFolder(parent)
      } catch (error) {
        if (!isErrno(error, 'EEXIST')) throw error
      }
      here = await hold(at(parent, name), HOLD_FOLDER | constants.O_NOFOLLOW)
    }
    return here
  }

  async function put(
    owner: string,
    path: VirtualPath,
    deleted: number,
    move: Move,
    id = systemRandom.token(12),
  ): Promise<TrashedEntry | undefined> {
    using source = await sourceAt(scopeRoot, reachableSegments(path))
    const kind = await kindOf(scopeRoot, source)
    const entry = { id, path, ...kind, deleted }
    using folder = await make(owner)
    using entryFolder = await make(owner, entry.id)
    try {
      await writeRecord(entryFolder, entry)
      if (await move(source, async () => await FoundLocation.look(entryFolder, TRASH_CONTENT))) {
        // A move of the folder with the trash leaves only what is still arriving: without its record, it would be in no list.
        if ((await statsOrNothing(at(entryFolder, RECORD))) === undefined) await writeRecord(entryFolder, entry)
        return entry
      }
    } catch (error) {
      await discard({ folder, name: entry.id }, entryFolder)
      throw error
    }
    await discard({ folder, name: entry.id }, entryFolder)
    return undefined
  }

  async function restore(
    owner: string,
    id: string,
    to: VirtualPath,
    parents: NewParents,
    move: Move,
  ): Promise<boolean> {
    using folder = await find(owner)
    using entryFolder = await find(owner, id)
    if (folder === undefined || entryFolder === undefined) fail('NOT_FOUND', 'nothing in the trash has this id')
    const { admitFolder } = parents
    const target = targetAt(scopeRoot, creatableSegments(to), parents, { formerNames: true, admitFolder })
    if (!(await move({ folder: entryFolder, name: TRASH_CONTENT }, target))) return false
    await discard({ folder, name: id }, entryFolder)
    return true
  }

  function byRename(mode: MoveMode, work: Pick<Work, 'accept' | 'placing'>): Move {
    return async (from, target) => await renameEntry(scopeRoot, from, target, { replace: false, ...mode }, work)
  }

  function inAnyWay(mode: MoveMode, work: Work): Move {
    return async (from, target) => {
      if (await byRename(mode, work)(from, target)) return true
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

    list: async (owner) =>
      await runner.walk(ROOT, {}, async () => {
        using folder = await find(owner)
        const found = folder === undefined ? [] : await entriesIn(folder)
        return found.toSorted((one, other) => other.deleted - one.deleted)
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
        using folder = await find(owner)
        using entryFolder = await find(owner, id)
        if (folder === undefined || entryFolder === undefined) fail('NOT_FOUND', 'nothing in the trash has this id')
        await scopeRoot.effects.requireRemovable({ folder: entryFolder, name: TRASH_CONTENT })
        if (!(await removeForGood({ folder, name: id }, entryFolder, own)))
          fail('CONFLICT', 'another disk is mounted in a folder of the trash: unmount it, then delete the rest')
      }),

    async sweep(before, signal) {
      return await runner.walk(ROOT, { signal }, async (own) => {
        using trash = await find()
        let swept = 0
        for (const owner of trash === undefined ? [] : await namesIn(trash)) {
          using folder = await find(owner.toString())
          for (const { id } of folder === undefined ? [] : await entriesIn(folder, before)) {
            using entryFolder = await find(owner.toString(), id)
            if (folder === undefined || entryFolder === undefined) continue
            // An entry that contains a mount point stays; the next sweep tries again.
            const isGone = await removeForGood({ folder, name: id }, entryFolder, own)
            swept += isGone ? 1 : 0
          }
        }
        return swept
      })
    },
  }
}

/** @throws FORBIDDEN for a link that leads out */
async function kindOf(scopeRoot: ScopeRoot, location: Location): Promise<{ isDir: boolean; size: number }> {
  using original = await holdOriginal(location)
  const { stats } = original
  if (stats.isSymbolicLink()) await requireNoWayOut(scopeRoot, location.folder, location.name)
  return { isDir: stats.isDirectory(), size: stats.isDirectory() ? 0 : Number(stats.size) }
}

/** Removes the record last: if this is interrupted, or a mount point inside stays, the entry is still listed. */
async function removeForGood(location: Location, entryFolder: Handle, work: Work): Promise<boolean> {
  await removeAroundMounts({ folder: entryFolder, name: TRASH_CONTENT }, work)
  return await discard(location, entryFolder)
}

/** Removes the record if there is no content. @returns false if there is */
async function discard({ folder, name }: Location, entryFolder: Handle): Promise<boolean> {
  if ((await statsOrNothing(at(entryFolder, TRASH_CONTENT))) !== undefined) return false
  await removeTree({ folder, name })
  return true
}

/**
 * Skips entries without content: they are still being moved here, or were when the power failed.
 *
 * @param before if given, returns only older entries, even those without content
 */
async function entriesIn(folder: Handle, before?: number): Promise<TrashedEntry[]> {
  const found: TrashedEntry[] = []
  for (const name of await namesIn(folder)) {
    const entry = await entryAt(folder, name, before)
    if (entry !== undefined) found.push(entry)
  }
  return found
}

/** Error codes of files of other programs, and of entries that are removed meanwhile: both are skipped. */
const NO_ENTRY = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'])

async function entryAt(folder: Handle, name: Name, before: number | undefined): Promise<TrashedEntry | undefined> {
  try {
    using entryFolder = await hold(at(folder, name), HOLD_FOLDER | constants.O_NOFOLLOW)
    const entry = await readRecord(entryFolder, name.toString())
    if (before !== undefined) return entry !== undefined && entry.deleted < before ? entry : undefined
    return (await statsOrNothing(at(entryFolder, TRASH_CONTENT))) && entry
  } catch (error) {
    if (NO_ENTRY.has(errnoCode(error) ?? '') || isFilemgrError(error, 'INVALID_INPUT')) return undefined
    throw error
  }
}

const RECORD = 'record.json'

const TrashRecord = Type.Object({
  path: Type.String(),
  isDir: Type.Boolean(),
  size: Type.Integer({ minimum: 0 }),
  deleted: Type.Integer({ minimum: 0 }),
})
type TrashRecord = Static<typeof TrashRecord>

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
/** Bytes: enough for an escaped path of 4096 bytes and a few fields. */
const MAX_RECORD = 64 * 1024

/** Must be written before the content is moved, which would otherwise be in no list. */
async function writeRecord(folder: Handle, { path, isDir, size, deleted }: TrashedEntry): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ path, isDir, size, deleted } satisfies TrashRecord))
  // An earlier run of the same deletion may have been killed while it wrote the record.
  const fd = await openPrivateFile({ folder, name: RECORD })
  try {
    for (let done = 0; done < bytes.length;)
      done += (await write(fd, bytes, done, bytes.length - done, done)).bytesWritten
    await fdatasync(fd)
  } finally {
    await close(fd)
  }
}

/** Undefined if there is no valid record. */
async function readRecord(folder: Handle, id: string): Promise<TrashedEntry | undefined> {
  const text = await readText(folder)
  if (text === undefined) return undefined
  const record = parseJson(text)
  if (!Value.Check(TrashRecord, record)) return undefined
  return { id, ...record, path: parseVirtualPath(record.path) }
}

async function readText(folder: Handle): Promise<string | undefined> {
  // O_NONBLOCK: a planted FIFO would block the open.
  const fd = await unlessErrno(open(at(folder, RECORD), O_RDONLY | O_NOFOLLOW | O_NONBLOCK), 'ENOENT')
  if (fd === undefined) return undefined
  try {
    const bytes = Buffer.allocUnsafe(MAX_RECORD)
    const { bytesRead } = await read(fd, bytes, 0, MAX_RECORD, 0)
    return bytes.toString('utf8', 0, bytesRead)
  } finally {
    await close(fd)
  }
}
