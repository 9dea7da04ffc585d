import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { EntryIdentity } from '../../../domain/files/entry-identity.ts'
import { ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { Acceptance, EntryKind, RemovableFile, TransferMode, Work } from '../../storage.ts'
import { HeldLocation } from '../scope/destination.ts'
import { creatableSegments, reachableSegments } from '../../reserved-names.ts'
import { requireNoWayOut } from '../scope/resolve.ts'
import type { OperationRunner } from '../scope/run-operation.ts'
import { requireNothingProtectedIn } from '../scope/scope-root.ts'
import { statsOrNothing, syncFolder } from '../system/disk.ts'
import { identityOf, at } from '../system/handle.ts'
import { removeUnless } from '../write/place-entry.ts'
import { writtenOf } from '../write/put-in-place.ts'
import { holdOriginal } from './copy-entry.ts'
import { copyTree } from './copy-tree.ts'
import { isOneName, moveTree, renameEntry, sourceAt, targetAt } from './move-tree.ts'
import { removeForUser } from './remove-tree.ts'
import { unlessErrno } from '../../../platform/files/error-code.ts'

/** Copying, moving and removing inside one scope root. */
export class LocalTransfers {
  readonly #runner: OperationRunner

  constructor(runner: OperationRunner) {
    this.#runner = runner
  }

  async kindOf(path: VirtualPath): Promise<EntryKind | undefined> {
    if (path === ROOT) return 'folder'
    return await this.#runner.run(path, async () => {
      using found = await this.#find(path)
      if (found?.stats.isFile() === true) return 'file'
      if (found?.stats.isDirectory() === true) return 'folder'
      return found && (found.stats.isSymbolicLink() ? 'link' : 'special')
    })
  }

  async entryAt(path: VirtualPath): Promise<EntryIdentity | undefined> {
    return await this.#runner.run(path, async () => {
      using found = await this.#find(path)
      return found && identityOf(found.stats)
    })
  }

  async isSame(one: VirtualPath, other: VirtualPath): Promise<boolean> {
    return await this.#runner.run(one, async () => {
      using found = await this.#find(one)
      using otherFound = await this.#find(other)
      return found !== undefined && otherFound !== undefined && (await isOneName(found, otherFound))
    })
  }

  async #find(path: VirtualPath): Promise<FoundEntry | undefined> {
    const source = sourceAt(this.#runner.scopeRoot, reachableSegments(path))
    using location = await unlessErrno(source, 'ENOENT', 'ENOTDIR')
    const stats = location && (await statsOrNothing(at(location.folder, location.name)))
    return location && stats && new FoundEntry(location, stats)
  }

  async copy(from: VirtualPath, to: VirtualPath, mode: TransferMode, work: Work): Promise<void> {
    const { scopeRoot } = this.#runner
    const copy = async (own: Work) =>
      await copyTree(scopeRoot, reachableSegments(from), creatableSegments(to), mode, own)
    await this.#runner.copy(from, work, copy)
  }

  async rename(from: VirtualPath, to: VirtualPath, mode: TransferMode, work: Acceptance): Promise<boolean> {
    const { scopeRoot } = this.#runner
    return await this.#runner.run(from, async () => {
      using source = await sourceAt(scopeRoot, reachableSegments(from))
      const target = targetAt(scopeRoot, creatableSegments(to), mode, { admitFolder: work.admitFolder })
      return await renameEntry(scopeRoot, source, target, mode, work)
    })
  }

  async move(from: VirtualPath, to: VirtualPath, mode: TransferMode, { admitFolder, ...work }: Work): Promise<void> {
    const { scopeRoot } = this.#runner
    const move = async (own: Work) => {
      using source = await sourceAt(scopeRoot, reachableSegments(from))
      await moveTree(scopeRoot, source, targetAt(scopeRoot, creatableSegments(to), mode, { admitFolder }), mode, own)
    }
    await this.#runner.copy(from, work, move)
  }

  async remove(path: VirtualPath, work: Work): Promise<void> {
    const { scopeRoot } = this.#runner
    const remove = async (own: Work) => {
      using location = await sourceAt(scopeRoot, reachableSegments(path))
      using original = await holdOriginal(location)
      await requireNothingProtectedIn(scopeRoot, original.stats)
      await requireNoWayOut(scopeRoot, location.folder, location.name)
      await removeForUser(scopeRoot.effects, location, original.stats.isDirectory(), own)
      await syncFolder(location.folder)
    }
    await this.#runner.walk(path, work, remove)
  }

  async removeFile(path: VirtualPath, accept: (current: RemovableFile) => void): Promise<void> {
    const { scopeRoot } = this.#runner
    await this.#runner.run(path, async () => {
      using location = await sourceAt(scopeRoot, reachableSegments(path))
      await removeUnless(scopeRoot.effects.ofUsers, location, (present) => {
        if (!present.isFile()) fail('NOT_FOUND', 'this is not a file')
        accept({ ...writtenOf(present), changed: present.ctimeNs })
        return false
      })
      await syncFolder(location.folder)
    })
  }
}

class FoundEntry extends HeldLocation {
  readonly stats: BigIntStats

  constructor({ folder, name }: HeldLocation, stats: BigIntStats) {
    super(folder.retain(), name)
    this.stats = stats
  }
}
