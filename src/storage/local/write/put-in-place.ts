import { type BigIntStats, constants } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { Written } from '../../open-file.ts'
import type { WriteMode } from '../../storage.ts'
import type { HeldLocation } from '../scope/destination.ts'
import type { Effects } from '../scope/effects.ts'
import { replaceFile } from '../system/carried-over.ts'
import { type Disk, statsOf, syncFolder } from '../system/disk.ts'
import { setFileTimes } from '../system/file-times.ts'
import { access } from '../system/gated-calls.ts'
import { identityOf, at, type Location } from '../system/handle.ts'
import { placeIfAccepted, placeIfFree } from './place-entry.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/** A complete file under a hidden name. */
interface WholeFile {
  readonly fd: number
  readonly location: Location
}

/**
 * Syncs a file to the disk and renames it to its target, if the file that is there at that moment may be replaced.
 *
 * @param known the file at the target that the caller has already checked
 */
export async function putInPlace(
  effects: Effects,
  { fd, location }: WholeFile,
  target: HeldLocation,
  known: BigIntStats | undefined,
  mode: WriteMode,
  disk: Disk,
): Promise<Written> {
  const { modified } = mode
  if (modified !== undefined) await setFileTimes(fd, { accessed: modified, modified })
  const copyMetadata = async (old: BigIntStats) => await replaceFile(fd, location, target, old)
  if (known !== undefined) await copyMetadata(known)
  if (mode.placing !== undefined) await mode.placing(identityOf(await statsOf({ fd })))
  // Before the lock, so that other writers to this name do not wait for the disk.
  await disk.sync(fd)
  let written = writtenOf(await statsOf({ fd }))
  let replaced: BigIntStats | undefined
  const accept = (present: BigIntStats | undefined) => mode.accept?.(present && writtenOf(present))
  const decide = async (present: BigIntStats | undefined) => {
    replaced = present
    if (present?.ino !== known?.ino || present?.ctimeNs !== known?.ctimeNs) {
      await requireReplaceable(target, present, mode)
      if (present !== undefined) {
        await copyMetadata(present)
        await disk.sync(fd)
      }
    }
    if (present !== undefined && modified === undefined) written = await laterThan(present, written, fd)
  }
  if (known !== undefined || !(await placeIfFree(effects, location, target, () => accept(undefined))))
    await placeIfAccepted(effects, location, target, decide, accept)
  await syncFolder(target.folder)
  // Overwriting the old file instead would keep its hard links, but lose its content if the write breaks off.
  return replaced !== undefined && replaced.nlink > 1n ? { ...written, linksParted: true } : written
}

/** Many clock ticks of the kernel. If the old file's time is later by more than this, a user has set it. */
const SAME_MOMENT_NS = 1_000_000_000n

/**
 * Makes the new file's time later than that of the old one. The kernel's clock for files advances every few milliseconds: two
 * saves of the same length within one tick would have the same ETag, and If-Match would let a writer overwrite what it has not
 * seen.
 */
async function laterThan(old: BigIntStats, written: Written, fd: number): Promise<Written> {
  const { modified } = written
  if (modified > old.mtimeNs || old.mtimeNs - modified > SAME_MOMENT_NS) return written
  // Two milliseconds later, because the time that is set is rounded.
  const later = old.mtimeNs + 2_000_000n
  await setFileTimes(fd, { accessed: later, modified: later })
  return writtenOf(await statsOf({ fd }))
}

/**
 * Called before the body is read and again right before the rename: in between, others may have created or changed the file,
 * and the writer may be permitted to create files but not to replace them.
 *
 * @throws the error of `mode.accept`, CONFLICT, FORBIDDEN
 */
export async function requireReplaceable(
  target: HeldLocation,
  old: BigIntStats | undefined,
  mode: WriteMode,
): Promise<void> {
  mode.accept?.(old && writtenOf(old))
  if (old === undefined) return
  if (!mode.replace) fail('CONFLICT', 'something with this name is already there')
  if (old.isDirectory()) fail('CONFLICT', 'a folder is in the way', { reason: 'folderInWay' })
  if (!old.isFile()) fail('FORBIDDEN', 'only regular files can be replaced')
  // rename() only needs permission for the folder, but a read-only file must not be replaced.
  await access(at(target.folder, target.name), constants.W_OK).catch((error: unknown) => {
    // The file was renamed or deleted meanwhile, so nothing is replaced.
    if (!isErrno(error, 'ENOENT')) throw error
  })
}

export function writtenOf({ size, mtimeNs, ino }: BigIntStats): Written {
  return { size: Number(size), modified: mtimeNs, inode: ino }
}
