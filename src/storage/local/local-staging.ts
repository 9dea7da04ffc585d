import { createHash } from 'node:crypto'
import { close, constants, fdatasync, fsync, ftruncate, futimes, open } from 'node:fs'
import { unlink } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { VirtualPath } from '../../domain/virtual-path.ts'
import type { StagedPart, StagedState, Staging, WriteMode, Written } from '../storage.ts'
import { freeSpace, requireEnough, requireSpace } from './free-space.ts'
import { errorWord } from './os-error.ts'
import { isStagedName, stagedName } from './own-names.ts'
import { at, type Pin } from './pin.ts'
import { receiveBody } from './receive-body.ts'
import { destinationOf, pinFolder, Place, statsOf } from './resolve.ts'
import type { OperationRunner } from './run-operation.ts'
import { makeable } from './scope-names.ts'
import type { SpaceClaims } from './space-claims.ts'
import { syncFolder, takeOver } from './staged-file.ts'
import { placeFile, placeOver } from './tree/place-entry.ts'
import { folderToWriteIn, requireWritable, writtenOf } from './write-file.ts'

const openDescriptor = promisify(open)
const closeDescriptor = promisify(close)
const syncData = promisify(fdatasync)
const syncDescriptor = promisify(fsync)
const truncateDescriptor = promisify(ftruncate)
const changeTimes = promisify(futimes)

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/** Files that come in parts, beside their targets. Nothing is held between two calls, so any number of them may wait. */
export class LocalStaging implements Staging {
  readonly #runner: OperationRunner
  readonly #claims: SpaceClaims
  readonly #onChunk: (bytes: number) => void

  /** @param onChunk told the size of each chunk that comes */
  constructor(runner: OperationRunner, claims: SpaceClaims, onChunk: (bytes: number) => void) {
    this.#runner = runner
    this.#claims = claims
    this.#onChunk = onChunk
  }

  newName(): string {
    return stagedName()
  }

  async create(target: VirtualPath, name: string, mode: WriteMode): Promise<void> {
    await this.#runner.run(target, async () => {
      requireStaged(name)
      const { parents, last } = splitTarget(target)
      using folder = await folderToWriteIn(this.#runner.ground, parents, mode)
      using place = this.#placeOf(folder, last, mode)
      await requireWritable(place, mode.replace)
      await this.#claim(folder, name, mode.length ?? 0)
      try {
        // O_EXCL refuses whatever was planted under the name, a dangling link too.
        const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        await closeDescriptor(await openDescriptor(at(folder, name), flags, mode.fileMode))
        await syncFolder(folder)
      } catch (error) {
        this.#claims.drop(name)
        throw error
      }
    })
  }

  async state(target: VirtualPath, name: string): Promise<StagedState> {
    return await this.#withFile(target, name, async (fd) => {
      const { size, mtimeMs } = await statsOf({ fd })
      return { size: Number(size), touched: Number(mtimeMs) }
    })
  }

  async append(target: VirtualPath, name: string, source: Readable, part: StagedPart): Promise<number> {
    const { offset, length, signal, forget, checksum } = part
    return await this.#withFile(target, name, async (fd, folder) => {
      const { size, dev } = await statsOf({ fd })
      if (Number(size) !== offset) fail('CONFLICT', 'the upload does not go on at this offset')
      await requireSpace(folder, length - offset)
      const hash = checksum && createHash(checksum.algorithm)
      let reached = offset
      try {
        const options = { most: length - offset, start: offset, sync: true, signal, onChunk: this.#onChunk, hash }
        reached += await receiveBody(source, fd, options)
        if (hash?.digest('base64') !== checksum?.digest)
          fail('CHECKSUM_MISMATCH', 'the part is not what its checksum says; send it again')
        return reached
      } catch (error) {
        // Of a part that has a checksum a piece cannot be compared with anything.
        if (isFilemgrError(error, 'TOO_LARGE') || checksum !== undefined || forget?.() === true)
          await truncateDescriptor(fd, offset)
        throw error
      } finally {
        // Also of a part that broke off: its size is what the client is told next.
        await syncData(fd)
        this.#claims.set(name, dev, length - reached)
      }
    })
  }

  async cut(target: VirtualPath, name: string, size: number): Promise<void> {
    await this.#withFile(target, name, async (fd) => {
      if ((await statsOf({ fd })).size <= size) return
      await truncateDescriptor(fd, size)
      await syncDescriptor(fd)
    })
  }

  async commit(target: VirtualPath, name: string, mode: WriteMode): Promise<Written> {
    return await this.#withFile(target, name, async (fd, folder) => {
      using place = this.#placeOf(folder, splitTarget(target).last, mode)
      const old = await requireWritable(place, mode.replace)
      if (old) await takeOver(fd, old)
      const { size } = await statsOf({ fd })
      if (Number(size) !== mode.length) fail('CONFLICT', 'the upload is not complete')
      await syncDescriptor(fd)
      await (mode.replace ? placeOver : placeFile)({ folder, name }, place)
      // Not before: what stays aside is told from what was given up by the time of its last byte.
      if (mode.modified !== undefined) await changeTimes(fd, mode.modified / 1000, mode.modified / 1000)
      await syncFolder(place.folder)
      this.#claims.drop(name)
      return writtenOf(await statsOf({ fd }))
    })
  }

  async discard(target: VirtualPath, name: string): Promise<void> {
    await this.#runner.run(target, async () => {
      requireStaged(name)
      this.#claims.drop(name)
      try {
        using folder = await pinFolder(this.#runner.ground, splitTarget(target).parents)
        await unlink(at(folder, name))
      } catch (error) {
        if (errorWord(error) !== 'ENOENT' && errorWord(error) !== 'ENOTDIR') throw error
      }
    })
  }

  async #withFile<T>(target: VirtualPath, name: string, work: (fd: number, folder: Pin) => Promise<T>): Promise<T> {
    return await this.#runner.run(target, async () => {
      requireStaged(name)
      using folder = await pinFolder(this.#runner.ground, splitTarget(target).parents)
      const fd = await openDescriptor(at(folder, name), O_WRONLY | O_NOFOLLOW)
      try {
        return await work(fd, folder)
      } finally {
        await closeDescriptor(fd)
      }
    })
  }

  /** Of two that come at once, the second sees what the first has claimed: nothing waits between the look and the claim. */
  async #claim(folder: Pin, name: string, length: number): Promise<void> {
    const { dev } = await statsOf(folder)
    const free = await freeSpace(folder)
    requireEnough(free - BigInt(this.#claims.on(dev)), length)
    this.#claims.set(name, dev, length)
  }

  /** Writing to a link changes what it leads to; where a link may not be replaced, nothing may be written at all. */
  #placeOf(folder: Pin, name: string, { replace }: WriteMode): Place {
    return replace ? destinationOf(this.#runner.ground, folder, name) : new Place(folder.retain(), name)
  }
}

function splitTarget(target: VirtualPath): { parents: readonly string[]; last: string } {
  const segments = makeable(target)
  return { parents: segments.slice(0, -1), last: segments.at(-1) ?? fail('CONFLICT', 'a folder is in the way') }
}

/** Names come back from a record on the disk: whatever was written into it by hand, no other file may be touched. */
function requireStaged(name: string): void {
  if (!isStagedName(name)) fail('NOT_FOUND', 'there is no such upload')
}
