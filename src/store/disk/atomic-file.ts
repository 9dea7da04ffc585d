import { mkdir, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isErrno, unlessErrno } from '../../platform/files/error-code.ts'
import { giveNewToFolderOwner } from '../../platform/files/folder-owner.ts'
import { nodeDisk, type Disk } from './disk.ts'

/** Ending of temporary names. */
export const TEMPORARY = '.tmp'

/** The content of a file, in one piece or several. */
export type FileContent = Uint8Array | readonly Uint8Array[]

/** How many bytes of a file are compared at a time. */
const COMPARED = 256 * 1024

interface AtomicWrite {
  readonly disk?: Disk
  /** False to skip fsync, for a copy that may get lost in a power cut. */
  readonly durable?: boolean
  /** Called just before the rename; an error leaves the old file in place. */
  readonly confirm?: () => Promise<void>
  /** The current content, restored if the folder cannot be synced, so that a failed write changes nothing. */
  readonly previous?: FileContent | undefined
}

/**
 * Replaces a file atomically, mode 0600: readers and a crash see the old or the new content, never a mix. When it
 * resolves, the new content is durable; when it rejects, the old one is in place and no temporary file is left.
 *
 * Only the holder of the data lock may call it, and one call at a time for each path: the temporary name is fixed, so that
 * the next write replaces what a killed writer left.
 */
export async function writeAtomic(path: string, content: FileContent, options: AtomicWrite = {}): Promise<void> {
  const { disk = nodeDisk, durable = true } = options
  await replace(path, content, { ...options, disk, durable })
  if (!durable) return
  try {
    await syncFolder(dirname(path), disk)
  } catch (error) {
    if (options.previous) await replace(path, options.previous, { disk, durable })
    else await disk.unlink(path)
    throw error
  }
}

async function replace(path: string, content: FileContent, options: AtomicWrite & { disk: Disk; durable: boolean }) {
  const temporary = `${path}${TEMPORARY}`
  await unlessErrno(options.disk.unlink(temporary), 'ENOENT')
  try {
    const file = await createPrivate(temporary, options.disk)
    try {
      await file.writeFile(content)
      if (options.durable) await file.sync()
    } finally {
      await file.close()
    }
    await options.confirm?.()
    await options.disk.rename(temporary, path)
  } catch (error) {
    await unlessErrno(options.disk.unlink(temporary), 'ENOENT')
    throw error
  }
}

/** Creates a new file of mode 0600. O_EXCL: a symbolic link planted under that name is not followed. */
async function createPrivate(path: string, disk: Disk): Promise<FileHandle> {
  const file = await disk.open(path, 'wx', 0o600)
  // Under sudo, the file must belong to the daemon's account, or the daemon is locked out.
  if (process.geteuid?.() === 0) {
    const folder = await stat(dirname(path))
    if (folder.uid !== 0) await file.chown(folder.uid, folder.gid)
  }
  return file
}

/** Whether a file has this content. Reads it in small parts: memory for all of it would trigger a long garbage collection. */
export async function hasContent(path: string, pieces: readonly Uint8Array[]): Promise<boolean> {
  await using file = await nodeDisk.open(path, 'r')
  const part = Buffer.allocUnsafe(COMPARED)
  for (const piece of pieces)
    for (let at = 0; at < piece.length;) {
      const { bytesRead } = await file.read(part, 0, Math.min(COMPARED, piece.length - at))
      if (bytesRead === 0 || !part.subarray(0, bytesRead).equals(piece.subarray(at, at + bytesRead))) return false
      at += bytesRead
    }
  return (await file.read(part, 0, 1)).bytesRead === 0
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string, disk: Disk = nodeDisk): Promise<void> {
  const folder = await disk.open(path, 'r')
  try {
    await folder.sync()
  } catch (error) {
    // Some network and FUSE file systems do not support this.
    if (!isErrno(error, 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error
  } finally {
    await folder.close()
  }
}

/** Makes a folder, and its missing parents, in the data folder, for its account only. Its name is durable; it may exist. */
export async function makeDurableFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    giveNewToFolderOwner(made)
    await syncFolder(dirname(made))
  }
}
