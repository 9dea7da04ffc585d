import { type BigIntStats, constants } from 'node:fs'
import { DEFAULT_LIST, folderAttributePath, hasAttribute } from './attributes.ts'
import { statsOf } from './disk.ts'
import { chmod, chown, close, fchmod, fchown, lchown, mkdir, open, rmdir, symlink, unlink } from './gated-calls.ts'
import { at, type Handle, hold, HOLD_FOLDER_ITSELF, type Location } from './handle.ts'
import { errnoCode } from './os-error.ts'

/*
 * Only this file creates entries, so that an upload, a copy and everything else get the same owner, group, mode and access list:
 *
 * - the owner is this process's account; if that is root, who owns the folder
 * - the group is that of the folder if it has the setgid bit, which new folders inherit; otherwise that of the account
 * - the mode is what the settings say, whatever the umask; a copy has the permissions of its original
 * - if the folder has a default access list, the entry gets it, and it limits the mode
 */

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
/** O_EXCL refuses anything planted under the name, even a broken link, which open() would otherwise follow. */
const NEW_FILE = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW

const SET_GROUP = 0o2000
const PERMISSIONS = 0o777
const OWNER = 0o700
const OWNER_WRITES = 0o200
/** Also setuid, setgid and sticky bits. */
const ALL_BITS = 0o7777n

export interface NewFile {
  /** Open for writing. */
  readonly fd: number
  /** With the owner, group and mode that it got. */
  readonly stats: BigIntStats
}

/** @throws EEXIST */
export async function createFile({ folder, name }: Location, mode: number): Promise<NewFile> {
  const fd = await open(at(folder, name), NEW_FILE, mode)
  const file: Created = {
    fd,
    chown: async (uid, gid) => await fchown(fd, uid, gid),
    chmod: async (bits) => await fchmod(fd, bits),
  }
  try {
    return { fd, stats: await setOwnerAndMode(file, folder, mode) }
  } catch (error) {
    await close(fd)
    await unlink(at(folder, name))
    throw error
  }
}

/** @param around the folder whose owner it gets @returns the new folder, open @throws EEXIST */
export async function createFolder({ folder, name }: Location, mode: number, around = folder): Promise<Handle> {
  const path = at(folder, name)
  await mkdir(path, mode & PERMISSIONS)
  try {
    // The attack: another user of the folder swaps the new folder for a link, and root would give away its target.
    using made = await hold(path, HOLD_FOLDER_ITSELF)
    const created: Created = {
      fd: made.fd,
      chown: async (uid, gid) => await chown(at(made), uid, gid),
      chmod: async (bits) => await chmod(at(made), bits),
    }
    await setOwnerAndMode(created, around, mode)
    return made.retain()
  } catch (error) {
    await rmdir(path)
    throw error
  }
}

/** Creates a link with this text. @throws EEXIST */
export async function createLink({ folder, name }: Location, text: Buffer): Promise<void> {
  await symlink(text, at(folder, name))
  const owner = await ownerToGive(folder)
  if (owner !== undefined) await ifPermitted(lchown(at(folder, name), Number(owner.uid), Number(owner.gid)))
}

/** Creates a file that nobody but this process's account may open, such as a record of ours. @throws EEXIST */
export async function createPrivateFile({ folder, name }: Location): Promise<number> {
  return await open(at(folder, name), NEW_FILE, 0o600)
}

/** Opens a private file for writing, without its old content. Creates it if it is missing. */
export async function openPrivateFile({ folder, name }: Location): Promise<number> {
  return await open(at(folder, name), O_WRONLY | O_CREAT | constants.O_TRUNC | O_NOFOLLOW, 0o600)
}

/** Creates a folder that nobody but this process's account may open. @throws EEXIST */
export async function createPrivateFolder({ folder, name }: Location): Promise<void> {
  await mkdir(at(folder, name), 0o700)
}

/** The mode of a copied file that is being written: `closeFile` takes from its owner what the original does not permit. */
export function modeOfCopy({ mode }: BigIntStats): number {
  return (Number(mode) & PERMISSIONS) | OWNER_WRITES
}

export async function closeFile(fd: number, { mode }: BigIntStats): Promise<void> {
  if ((Number(mode) & OWNER_WRITES) !== 0) return
  const { mode: has } = await statsOf({ fd })
  await fchmod(fd, Number(has & ALL_BITS) & ~OWNER_WRITES)
}

/** The mode of a copied folder that is being filled, with `closeFolder`. */
export function modeOfFolderCopy({ mode }: BigIntStats, newMode: number): number {
  return (Number(mode) & PERMISSIONS) | OWNER | (newMode & ~PERMISSIONS)
}

export async function closeFolder(folder: Handle, { mode }: BigIntStats): Promise<void> {
  const missing = OWNER & ~Number(mode)
  if (missing === 0) return
  const { mode: has } = await statsOf(folder)
  await chmod(at(folder), Number(has & ALL_BITS) & ~missing)
}

/**
 * Node copies content by a call that also gives the copy the owner and the mode of the original. Whether this process could undo
 * that: it may not give files to groups that it is not in.
 */
export function mayStayAsCreated({ stats }: NewFile, source: BigIntStats): boolean {
  if (process.geteuid?.() === 0 || stats.gid === source.gid) return true
  return [process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(Number(stats.gid))
}

/** Undoes that. */
export async function stayAsCreated({ fd, stats }: NewFile, source: BigIntStats): Promise<void> {
  const isOwned = stats.uid === source.uid && stats.gid === source.gid
  if (!isOwned) await ifPermitted(fchown(fd, Number(stats.uid), Number(stats.gid)))
  const mode = stats.mode & ALL_BITS
  if (!isOwned || mode !== (source.mode & ALL_BITS)) await fchmod(fd, Number(mode))
}

interface Created {
  readonly fd: number
  readonly chown: (uid: number, gid: number) => Promise<void>
  readonly chmod: (mode: number) => Promise<void>
}

/** @returns the state after it */
async function setOwnerAndMode(created: Created, folder: Handle, mode: number): Promise<BigIntStats> {
  const [now, owner] = await Promise.all([statsOf(created), ownerToGive(folder)])
  if (owner !== undefined) await ifPermitted(created.chown(Number(owner.uid), Number(owner.gid)))
  const has = Number(now.mode)
  if ((mode & ~has) === 0) return owner === undefined ? now : await statsOf(created)
  // The kernel took bits away: for the umask, which does not count here, or for the default access list, which does.
  const isListed = await hasAttribute(folderAttributePath(folder), DEFAULT_LIST)
  const permissions = (isListed ? has : mode) & PERMISSIONS
  await created.chmod(permissions | (mode & ~PERMISSIONS) | (has & SET_GROUP))
  return await statsOf(created)
}

async function ownerToGive(folder: Handle): Promise<BigIntStats | undefined> {
  if (process.geteuid?.() !== 0) return undefined
  const stats = await statsOf(folder)
  return stats.uid === 0n ? undefined : stats
}

/** What disks and containers answer that do not let even root change owners. */
const NOT_PERMITTED = new Set(['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

/** @returns whether the change was made */
export async function ifPermitted(change: Promise<void>): Promise<boolean> {
  try {
    await change
    return true
  } catch (error) {
    if (!NOT_PERMITTED.has(errnoCode(error) ?? '')) throw error
    return false
  }
}
