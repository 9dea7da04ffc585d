import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import { GroupedRuns } from '../../../platform/limits/grouped-runs.ts'
import { SYNC_TIMEOUT } from './device-gates.ts'
import { fdatasync, fstat, fsync, lstat, statfs, writev } from './gated-calls.ts'
import { at, type Handle } from './handle.ts'
import { unlessErrno } from '../../../platform/files/error-code.ts'

/** The calls that write bytes to a disk. An interface, so that tests can make them fail. */
export interface Disk {
  /** @returns bytes written, possibly fewer than given */
  write(fd: number, buffers: readonly Buffer[], position: number): Promise<number>
  /** Flushes the content of a file. */
  syncData(fd: number): Promise<void>
  /** Flushes content and metadata of a file or folder. */
  sync(fd: number): Promise<void>
}

export const nodeDisk: Disk = {
  write: async (fd, buffers, position) => (await writev(fd, buffers as Buffer[], position)).bytesWritten,
  syncData: fdatasync,
  sync: fsync,
}

/** Stats of the open file, even if its name now leads to another one. */
export async function statsOf(handle: { readonly fd: number }): Promise<BigIntStats> {
  return await fstat(handle.fd)
}

export type Identity = Pick<BigIntStats, 'dev' | 'ino'>

/** True for hard links of one file, and for "A" and "a" on a disk that ignores case. */
export function isSameFile(one: Identity, other: Identity): boolean {
  return one.ino === other.ino && one.dev === other.dev
}

/** Does not follow a link; undefined if nothing exists. */
export async function statsOrNothing(path: string | Buffer): Promise<BigIntStats | undefined> {
  return await unlessErrno(lstat(path, { bigint: true }), 'ENOENT')
}

/** Bytes that a write leaves free, because a full disk harms every program that uses it. */
const RESERVE = 64 * 1024 * 1024

/** With more than this, a disk is not asked again for a second: nothing fills it that fast. */
const PLENTY = 16 * 1024 * 1024 * 1024

class FreeSpace {
  /** When there was plenty, by folder: a quota of the disk may apply to some of its folders. */
  readonly #plentyAt = new WeakMap<Handle, number>()

  async require(folder: Handle, length: number): Promise<void> {
    const now = performance.now()
    if (length <= RESERVE && now - (this.#plentyAt.get(folder) ?? -Infinity) < 1000) return
    const { bavail, bsize } = await statfs(at(folder), { bigint: true })
    const free = bavail * bsize
    if (free >= PLENTY) this.#plentyAt.set(folder, now)
    if (free < BigInt(length + RESERVE)) fail('NO_SPACE', 'the disk has too little free space for this file')
  }
}

const freeSpace = new FreeSpace()

/** @throws NO_SPACE if the disk of this folder has less free space */
export async function requireSpace(folder: Handle, length: number | undefined): Promise<void> {
  if (length !== undefined) await freeSpace.require(folder, length)
}

/** What failed may have needed several, and given them back. */
const FEW_FILES = 16n

/** Whether the disk of a folder has room for bytes, but not for more files. Some disks do not count files. */
export async function lacksFiles(folder: Handle): Promise<boolean> {
  const { files, ffree, bavail, bsize } = await statfs(at(folder), { bigint: true })
  return files > 0n && ffree < FEW_FILES && bavail * bsize > BigInt(RESERVE)
}

/** Concurrent uploads of small files into one folder share its syncs. */
const folderSyncs = new GroupedRuns<Handle>(SYNC_TIMEOUT)

/** A new or changed name is durable only once its folder is synced. */
export async function syncFolder(folder: Handle): Promise<void> {
  await folderSyncs.run(folder, async () => await syncNow(folder))
}

async function syncNow(folder: Handle): Promise<void> {
  const fd = await unlessErrno(folder.readable(), 'EACCES')
  // A folder that is writable but not readable cannot be synced.
  if (fd !== undefined) await fsync(fd)
}
