import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import { ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { copyAcross, judgedBy, moveAcross } from '../../across-storages.ts'
import type { Scope, Work } from '../../storage.ts'
import { HeldLocation } from '../scope/destination.ts'
import { creatableSegments, reachableSegments } from '../../reserved-names.ts'
import { requireNoWayOut } from '../scope/resolve.ts'
import type { OperationRunner } from '../scope/run-operation.ts'
import { isOnDisk, requireNothingProtectedIn, sourceRoot, targetRoot } from '../scope/scope-root.ts'
import { syncFolder } from '../system/disk.ts'
import { identityOf } from '../system/handle.ts'
import { removeFolderIfEmpty, removeIfAccepted } from '../write/place-entry.ts'
import { writtenOf } from '../write/put-in-place.ts'
import { copyTree } from './copy-tree.ts'
import { hasLinksAt, isOneName, moveTree, renameEntry, sourceAt, targetAt } from './move-tree.ts'
import { removeForUser } from './remove-tree.ts'
import { unlessErrno } from '../../../platform/files/error-code.ts'

type LocalTransfers = Pick<
  Scope,
  'kindOf' | 'entryAt' | 'isSame' | 'copy' | 'rename' | 'move' | 'remove' | 'removeFile' | 'removeEmpty'
>

/** Copying, moving and removing inside one scope root, and from it to others. @param scope of this runner */
export function localTransfers(runner: OperationRunner, scope: () => Scope): LocalTransfers {
  const { scopeRoot } = runner

  async function find(path: VirtualPath): Promise<FoundEntry | undefined> {
    const source = sourceAt(scopeRoot, reachableSegments(path))
    using location = await unlessErrno(source, 'ENOENT', 'ENOTDIR')
    return location?.found && new FoundEntry(location, location.found)
  }

  return {
    async kindOf(path) {
      if (path === ROOT) return 'folder'
      return await runner.run(path, async () => {
        using found = await find(path)
        if (found?.stats.isFile() === true) return 'file'
        if (found?.stats.isDirectory() === true) return 'folder'
        return found && (found.stats.isSymbolicLink() ? 'link' : 'special')
      })
    },

    entryAt: async (path) =>
      await runner.run(path, async () => {
        using found = await find(path)
        return found && identityOf(found.stats)
      }),

    isSame: async (one, other) =>
      await runner.run(one, async () => {
        using found = await find(one)
        using otherFound = await find(other)
        return found !== undefined && otherFound !== undefined && (await isOneName(found, otherFound))
      }),

    async copy(from, to, mode, work = {}) {
      const { into } = mode
      if (into !== undefined && !isOnDisk(into)) {
        await copyAcross({ source: scope(), from, into, to }, mode, work)
        return
      }
      using _into = targetRoot(scopeRoot, mode).folder.retain()
      const copy = async (own: Work) =>
        await copyTree(sourceRoot(scopeRoot, mode), reachableSegments(from), creatableSegments(to), mode, own)
      await runner.copy(from, judgedBy(into, work), copy)
    },

    async rename(from, to, mode, given = {}) {
      if (mode.into !== undefined && !isOnDisk(mode.into)) return false
      const work = judgedBy(mode.into, given)
      const into = targetRoot(scopeRoot, mode)
      using _into = into.folder.retain()
      const hasLinks = async (own: Work) => await hasLinksAt(scopeRoot, reachableSegments(from), own)
      if (mode.into !== undefined && (await runner.walk(from, {}, hasLinks))) return false
      return await runner.run(from, async () => {
        using source = await sourceAt(scopeRoot, reachableSegments(from))
        const target = targetAt(into, creatableSegments(to), mode, { admitFolder: work.admitFolder })
        return await renameEntry(sourceRoot(scopeRoot, mode), source, target, mode, work)
      })
    },

    async move(from, to, mode, given = {}) {
      if (mode.into !== undefined && !isOnDisk(mode.into)) {
        await moveAcross({ source: scope(), from, into: mode.into, to }, mode, given)
        return
      }
      const { admitFolder, ...work } = judgedBy(mode.into, given)
      const into = targetRoot(scopeRoot, mode)
      using _into = into.folder.retain()
      const move = async (own: Work) => {
        using source = await sourceAt(scopeRoot, reachableSegments(from))
        const target = targetAt(into, creatableSegments(to), mode, { admitFolder })
        await moveTree(sourceRoot(scopeRoot, mode), source, target, mode, own)
      }
      await runner.copy(from, work, move)
    },

    async remove(path, work = {}) {
      const remove = async (own: Work) => {
        using location = await sourceAt(scopeRoot, reachableSegments(path))
        const stats = location.found ?? fail('NOT_FOUND', 'there is nothing at this path')
        await requireNothingProtectedIn(scopeRoot, stats)
        if (stats.isSymbolicLink()) await requireNoWayOut(scopeRoot, location.folder, location.name)
        await removeForUser(scopeRoot.effects, location, stats.isDirectory(), own)
        await syncFolder(location.folder)
      }
      await runner.walk(path, work, remove)
    },

    async removeFile(path, accept) {
      await runner.run(path, async () => {
        using location = await sourceAt(scopeRoot, reachableSegments(path))
        await removeIfAccepted(scopeRoot.effects.ofUsers, location, (present) => {
          if (present?.isFile() !== true) fail('NOT_FOUND', 'this is not a file')
          accept({ ...writtenOf(present), changed: present.ctimeNs })
        })
        await syncFolder(location.folder)
      })
    },

    removeEmpty: async (path, accept) =>
      await runner.run(path, async () => {
        using location = await sourceAt(scopeRoot, reachableSegments(path))
        if (location.found?.isDirectory() !== true) fail('NOT_FOUND', 'this is not a folder')
        if (!(await removeFolderIfEmpty(scopeRoot.effects.ofUsers, location, accept))) return false
        await syncFolder(location.folder)
        return true
      }),
  }
}

class FoundEntry extends HeldLocation {
  readonly stats: BigIntStats

  constructor({ folder, name }: HeldLocation, stats: BigIntStats) {
    super(folder.retain(), name)
    this.stats = stats
  }
}
