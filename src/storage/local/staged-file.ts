import { close, constants, fchmod, fchown, fsync, futimes, open, type BigIntStats } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Ground } from './ground.ts'
import { errorWord } from './os-error.ts'
import { stagedName } from './own-names.ts'
import { at, reopen, type Name, type Pin } from './pin.ts'
import { placeFile, placeOver } from './tree/place-entry.ts'

const openDescriptor = promisify(open)
const closeDescriptor = promisify(close)
const syncDescriptor = promisify(fsync)
const changeMode = promisify(fchmod)
const changeTimes = promisify(futimes)
const changeOwner = promisify(fchown)

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants

/** A file under a name that nobody sees, in the folder of its target. Disposing removes that name only, if it is still there. */
export class StagedFile implements AsyncDisposable {
  readonly fd: number
  readonly #folder: Pin
  readonly #name: string
  readonly #note: Disposable | undefined
  #isPlaced = false

  private constructor(folder: Pin, name: string, fd: number, note: Disposable | undefined) {
    this.#note = note
    this.#folder = folder
    this.#name = name
    this.fd = fd
  }

  /** O_EXCL refuses whatever was planted under the name, a dangling link too. */
  static async create({ journal }: Pick<Ground, 'journal'>, folder: Pin, mode: number): Promise<StagedFile> {
    const name = stagedName()
    const note = journal?.note(folder, name)
    try {
      const fd = await openDescriptor(at(folder, name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
      return new StagedFile(folder, name, fd, note)
    } catch (error) {
      note?.[Symbol.dispose]()
      throw error
    }
  }

  /** What replaces a file keeps its permissions, and its owner where we may give files away. */
  async takeOver(old: BigIntStats): Promise<void> {
    await takeOver(this.fd, old)
  }

  /** @param time in milliseconds since 1970 */
  async setModified(time: number): Promise<void> {
    await changeTimes(this.fd, time / 1000, time / 1000)
  }

  /** On the disk whatever happens to the power, then under its name. */
  async place(name: Name, replace: boolean): Promise<void> {
    await syncDescriptor(this.fd)
    const from = { folder: this.#folder, name: this.#name }
    await (replace ? placeOver : placeFile)(from, { folder: this.#folder, name })
    this.#isPlaced = true
    await syncFolder(this.#folder)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeDescriptor(this.fd)
    if (!this.#isPlaced) await removeName(at(this.#folder, this.#name))
    this.#note?.[Symbol.dispose]()
  }
}

/** Whoever deletes a folder while a file comes to it deletes the hidden name, too. */
async function removeName(path: string | Buffer): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (errorWord(error) !== 'ENOENT') throw error
  })
}

/** Gives a new file the permissions of the one that it replaces, and its owner where we may give files away. */
export async function takeOver(fd: number, old: BigIntStats): Promise<void> {
  await changeOwner(fd, Number(old.uid), Number(old.gid)).catch((error: unknown) => {
    if (errorWord(error) !== 'EPERM') throw error
  })
  await changeMode(fd, Number(old.mode) & 0o777)
}

/** A name lives in its folder, so a new or changed one needs the folder on the disk as well. */
export async function syncFolder(folder: Pin): Promise<void> {
  let fd: number
  try {
    fd = await reopen(folder, O_RDONLY | O_DIRECTORY)
  } catch (error) {
    // We may put files into this folder and not look into it: there is nothing to sync with, and no harm.
    if (errorWord(error) === 'EACCES') return
    throw error
  }
  try {
    await syncDescriptor(fd)
  } finally {
    await closeDescriptor(fd)
  }
}
