import { constants, type BigIntStats } from 'node:fs'
import { throwIfCancelled } from '../../../domain/errors.ts'
import type { Work } from '../../storage.ts'
import { close, copyFile, fdatasync, ftruncate, read, write } from '../system/gated-calls.ts'
import { at, reopen, type Handle } from '../system/handle.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/** Bytes up to which a file is copied by one call, which is quick enough that it need not be cancellable. */
const MAX_SINGLE_CALL = 4 * 1024 * 1024
const PART = 1024 * 1024
/** Limits the unsynced bytes, so that the final sync is short even with a slow disk and much memory. */
const MAX_UNSYNCED = 64 * PART
const EMPTY_PART = Buffer.alloc(PART)

/**
 * Copies the content of one open file to another. Both ends are descriptors, so the kernel copies between exactly these two
 * files, even if their names are swapped. Unless it is copied in parts, the copy may get the owner and mode of the source.
 */
export async function copyContent(
  source: Handle,
  stats: BigIntStats,
  fd: number,
  work: Work,
  inParts: boolean,
): Promise<void> {
  const size = Number(stats.size)
  if (inParts || (size > MAX_SINGLE_CALL && !(await tryClone(source, fd)))) {
    await copyParts(source, stats, fd, work)
    return
  }
  if (size <= MAX_SINGLE_CALL) await copyFile(at(source), at({ fd }), constants.COPYFILE_FICLONE)
  work.advance?.(size, 0)
}

/** Copies a file of any size instantly, on file systems with reflinks. @returns false if that is impossible */
async function tryClone(source: Handle, fd: number): Promise<boolean> {
  try {
    await copyFile(at(source), at({ fd }), constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOTSUP', 'EOPNOTSUPP', 'EXDEV', 'EINVAL', 'ENOSYS', 'ENOTTY')) return false
    throw error
  }
}

/** Copies in parts, to report progress and to be cancellable. Keeps holes, because filling them could fill the disk. */
async function copyParts(source: Handle, stats: BigIntStats, fd: number, work: Work): Promise<void> {
  const hasHoles = stats.blocks * 512n < stats.size
  const from = await reopen(source, constants.O_RDONLY)
  try {
    const buffer = Buffer.allocUnsafeSlow(PART)
    let position = 0
    for (;;) {
      throwIfCancelled(work.signal)
      const { bytesRead } = await read(from, buffer, 0, PART, position)
      if (bytesRead === 0) break
      const part = buffer.subarray(0, bytesRead)
      if (!hasHoles || !part.equals(EMPTY_PART.subarray(0, bytesRead))) await writeAll(fd, part, position)
      position += bytesRead
      if (position % MAX_UNSYNCED === 0) await fdatasync(fd)
      work.advance?.(bytesRead, 0)
    }
    if (hasHoles) await ftruncate(fd, position)
  } finally {
    await close(from)
  }
}

async function writeAll(fd: number, part: Buffer, position: number): Promise<void> {
  let written = 0
  while (written < part.length) {
    // A nearly full disk may accept only some of the bytes.
    const { bytesWritten } = await write(fd, part, written, part.length - written, position + written)
    written += bytesWritten
  }
}
