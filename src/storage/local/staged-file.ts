import { close, fsync, open, unlink } from './gated-calls.ts'
import { constants } from 'node:fs'
import type { ScopeRoot } from './scope-root.ts'
import { errnoCode } from './os-error.ts'
import { at, reopen, type Handle } from './handle.ts'
import type { StagedNames } from './staged-names.ts'
import type { Location } from './tree/location.ts'

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants

/** A file under a name that nobody sees, in the folder of its target. Disposing removes that name only, if it is still there. */
export class StagedFile implements AsyncDisposable {
  readonly fd: number
  readonly location: Location
  readonly #names: StagedNames
  #isPlaced = false

  private constructor(location: Location, fd: number, names: StagedNames) {
    this.#names = names
    this.location = location
    this.fd = fd
  }

  /** O_EXCL refuses whatever was planted under the name, a dangling link too. */
  static async create({ staged }: Pick<ScopeRoot, 'staged'>, folder: Handle, mode: number): Promise<StagedFile> {
    const name = staged.next()
    const fd = await open(at(folder, name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
    return new StagedFile({ folder, name }, fd, staged)
  }

  /** It has its place: the hidden name is somebody else's from now on, if it is there at all. */
  placed(): void {
    this.#isPlaced = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await close(this.fd)
      if (!this.#isPlaced) await removeName(at(this.location.folder, this.location.name))
    } catch (error) {
      this.#names.leaveBehind()
      throw error
    }
  }
}

/** Deleting a folder while a file is written to it deletes the hidden name, too. */
async function removeName(path: string | Buffer): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (errnoCode(error) !== 'ENOENT') throw error
  })
}

/** A name lives in its folder, so a new or changed one needs the folder on the disk as well. */
export async function syncFolder(folder: Handle): Promise<void> {
  let fd: number
  try {
    fd = await reopen(folder, O_RDONLY | O_DIRECTORY)
  } catch (error) {
    // We may put files into this folder and not look into it: there is nothing to sync with, and no harm.
    if (errnoCode(error) === 'EACCES') return
    throw error
  }
  try {
    await fsync(fd)
  } finally {
    await close(fd)
  }
}
