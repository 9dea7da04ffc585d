import type { Readable } from 'node:stream'
import { fail } from '../../../domain/errors.ts'
import type { Written } from '../../open-file.ts'
import type { WriteMode } from '../../storage.ts'
import { ensureFolder } from '../scope/ensure-folder.ts'
import type { StagedNames } from '../../reserved-names.ts'
import { holdFolder, targetLocation } from '../scope/resolve.ts'
import type { ScopeRoot } from '../scope/scope-root.ts'
import { type Disk, requireSpace } from '../system/disk.ts'
import { close, closeSynced, unlink } from '../system/gated-calls.ts'
import { at, type Handle, type Location } from '../system/handle.ts'
import { createFile } from '../system/new-entry.ts'
import { putInPlace, requireReplaceable } from './put-in-place.ts'
import { receiveBody } from './receive-body.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/** Atomic: readers see either the old content or the complete new one. */
export async function writeFile(
  scopeRoot: ScopeRoot,
  segments: readonly string[],
  source: Readable,
  mode: WriteMode,
  disk: Disk,
): Promise<Written> {
  const name = segments.at(-1)
  if (name === undefined) fail('CONFLICT', 'a folder is in the way', { reason: 'folderInWay' })
  using folder = await folderToWriteIn(scopeRoot, segments.slice(0, -1), mode)
  using target = await targetLocation(scopeRoot, folder, name, mode.replace)
  const old = target.found
  await requireReplaceable(target, old, mode)
  await requireSpace(target.folder, mode.length ?? 0)

  await using staged = await StagedFile.create(scopeRoot, target.folder, mode.fileMode)
  const { length, signal, admit } = mode
  const requireRoom = async () => await requireSpace(target.folder, 0)
  await receiveBody(source, staged.fd, disk, { length, signal, admit, requireRoom })
  const written = await putInPlace(scopeRoot.effects, staged, target, old, mode, disk)
  staged.placed()
  return written
}

/**
 * Opens the folder of a target, and creates it and its parents if necessary.
 *
 * @throws NO_SPACE before anything is created
 */
export async function folderToWriteIn(
  scopeRoot: ScopeRoot,
  segments: readonly string[],
  mode: WriteMode,
): Promise<Handle> {
  try {
    return await holdFolder(scopeRoot, segments)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
  await requireSpace(scopeRoot.folder, mode.length)
  return await ensureFolder(scopeRoot, segments, mode.folderMode, { admitFolder: mode.admitFolder })
}

/** A file under a hidden name in the folder of its target. Disposing removes it, unless it has been put in place. */
class StagedFile implements AsyncDisposable {
  readonly fd: number
  readonly location: Location
  readonly #names: StagedNames
  #isPlaced = false

  private constructor(location: Location, fd: number, names: StagedNames) {
    this.#names = names
    this.location = location
    this.fd = fd
  }

  static async create({ staged }: Pick<ScopeRoot, 'staged'>, folder: Handle, mode: number): Promise<StagedFile> {
    const name = staged.begin()
    const { fd } = await createFile({ folder, name }, mode).catch((error: unknown) => {
      staged.end(name)
      throw error
    })
    return new StagedFile({ folder, name }, fd, staged)
  }

  /** Call once the file has its final name. The hidden name must not be removed then: it may belong to another file. */
  placed(): void {
    this.#isPlaced = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await (this.#isPlaced ? closeSynced : close)(this.fd)
      if (!this.#isPlaced) await removeName(at(this.location.folder, this.location.name))
    } catch (error) {
      this.#names.leaveBehind(this.location.name.toString())
      throw error
    } finally {
      this.#names.end(this.location.name.toString())
    }
  }
}

/** Accepts a missing name: deleting the folder meanwhile deletes the hidden file too. */
async function removeName(path: string | Buffer): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isErrno(error, 'ENOENT')) throw error
  })
}
