import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { Staging } from '../../storage.ts'
import { isStagedName, creatableSegments } from '../../reserved-names.ts'
import { holdFolder, targetLocation } from '../scope/resolve.ts'
import type { OperationRunner } from '../scope/run-operation.ts'
import { type Disk, requireSpace, statsOf, syncFolder } from '../system/disk.ts'
import { close, ftruncate, open, unlink } from '../system/gated-calls.ts'
import { at, type Handle, type Location } from '../system/handle.ts'
import { createFile } from '../system/new-entry.ts'
import { putInPlace, requireReplaceable } from './put-in-place.ts'
import { receiveBody } from './receive-body.ts'
import { folderToWriteIn } from './write-file.ts'
import { unlessErrno } from '../../../platform/files/error-code.ts'

const { O_NOFOLLOW, O_WRONLY } = constants

/** Files that arrive in parts, beside their targets. Nothing stays open between calls, so any number of them can exist. */
export function localStaging(runner: OperationRunner, disk: Disk): Staging {
  const { scopeRoot } = runner

  async function trySync(fd: number): Promise<boolean> {
    return await disk.syncData(fd).then(
      () => true,
      () => false,
    )
  }

  /** Removes a file that cannot be truncated, so that the upload starts again instead of keeping bytes that may be wrong. */
  async function cutBack(fd: number, { folder, name }: Location, size: number): Promise<void> {
    try {
      await ftruncate(fd, size)
      await trySync(fd)
    } catch {
      await unlink(at(folder, name))
    }
  }

  async function withFile<T>(
    target: VirtualPath,
    name: string,
    work: (fd: number, folder: Handle) => Promise<T>,
  ): Promise<T> {
    return await runner.run(target, async () => {
      requireStaged(name)
      using folder = await holdFolder(scopeRoot, splitTarget(target).parents)
      const fd = await open(at(folder, name), O_WRONLY | O_NOFOLLOW)
      try {
        return await work(fd, folder)
      } finally {
        await close(fd)
      }
    })
  }

  return {
    newName: () => scopeRoot.staged.next(),

    async create(target, name, mode) {
      await runner.run(target, async () => {
        requireStaged(name)
        const { parents, last } = splitTarget(target)
        using folder = await folderToWriteIn(scopeRoot, parents, mode)
        using location = await targetLocation(scopeRoot, folder, last, mode.replace)
        await requireReplaceable(location, location.found, mode)
        await requireSpace(folder, mode.length)
        const { fd } = await createFile({ folder, name }, mode.fileMode)
        await close(fd)
        try {
          await syncFolder(folder)
        } catch (error) {
          // The caller forgets the name. If removing the file fails too, the next run has to sweep it.
          await unlink(at(folder, name)).catch(() => scopeRoot.staged.leaveBehind(name))
          throw error
        }
      })
    },

    state: async (target, name) =>
      await withFile(target, name, async (fd) => {
        const { size, ctimeMs } = await statsOf({ fd })
        return { size: Number(size), touched: Number(ctimeMs) }
      }),

    async append(target, name, source, part) {
      const { offset, length, signal, remainder, checksum } = part
      return await withFile(target, name, async (fd, folder) => {
        const { size } = await statsOf({ fd })
        if (Number(size) !== offset) fail('CONFLICT', 'the upload does not continue at this offset')
        await requireSpace(folder, length - offset)
        const hash = checksum && createHash(checksum.algorithm)
        let durable = offset
        try {
          const onSynced = (bytes: number) => (durable = offset + bytes)
          const requireRoom = async () => await requireSpace(folder, 0)
          const options = { max: length - offset, start: offset, signal, hash, onSynced, requireRoom }
          const reached = offset + (await receiveBody(source, fd, disk, options))
          if (hash?.digest('base64') !== checksum?.digest)
            fail('CHECKSUM_MISMATCH', 'the part does not match its checksum: send it again')
          await disk.syncData(fd)
          return reached
        } catch (error) {
          const decision = remainder?.()
          if (decision === 'leave') throw error
          // An incomplete part cannot be verified against its checksum.
          const isWorthless = isFilemgrError(error, 'TOO_LARGE') || checksum !== undefined || decision === 'drop'
          if (isWorthless) durable = offset
          else if (isFilemgrError(error) && (await trySync(fd))) throw error
          // Bytes that may not be on the disk must not count: the client would continue after bytes that may get lost.
          await cutBack(fd, { folder, name }, durable)
          throw error
        }
      })
    },

    cut: async (target, name, size) =>
      await withFile(target, name, async (fd) => {
        if ((await statsOf({ fd })).size <= size) return
        await ftruncate(fd, size)
        await disk.sync(fd)
      }),

    commit: async (target, name, mode) =>
      await withFile(target, name, async (fd, folder) => {
        using location = await targetLocation(scopeRoot, folder, splitTarget(target).last, mode.replace)
        const { size } = await statsOf({ fd })
        if (Number(size) !== mode.length) fail('CONFLICT', 'the upload is not complete')
        const old = location.found
        await requireReplaceable(location, old, mode)
        return await putInPlace(scopeRoot.effects, { fd, location: { folder, name } }, location, old, mode, disk)
      }),

    async discard(target, name) {
      await runner.run(target, async () => {
        requireStaged(name)
        using folder = await unlessErrno(holdFolder(scopeRoot, splitTarget(target).parents), 'ENOENT', 'ENOTDIR')
        const removal = folder && unlink(at(folder, name)).then(() => true)
        const isRemoved = removal && (await unlessErrno(removal, 'ENOENT', 'ENOTDIR'))
        // The folder may have been renamed with the file in it, so the next run has to sweep it.
        if (isRemoved !== true) scopeRoot.staged.leaveBehind(name)
      })
    },
  }
}

function splitTarget(target: VirtualPath): { parents: readonly string[]; last: string } {
  const segments = creatableSegments(target)
  return {
    parents: segments.slice(0, -1),
    last: segments.at(-1) ?? fail('CONFLICT', 'a folder is in the way', { reason: 'folderInWay' }),
  }
}

/** The name comes from an upload record on the disk. The attack is an edited record that names another file. */
function requireStaged(name: string): void {
  if (!isStagedName(name)) fail('NOT_FOUND', 'there is no such upload')
}
