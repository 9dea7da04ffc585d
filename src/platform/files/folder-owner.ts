import { closeSync, constants, fchownSync, fstatSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/**
 * Under sudo, gives a new file of ours to the account that owns its folder. Otherwise the daemon, which runs as that account,
 * could not read it.
 */
export function giveToFolderOwner(fd: number, path: string): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  if (uid !== 0) fchownSync(fd, uid, gid)
}

/**
 * The same for a new file or folder that is not open. The attack: the owner of the folder replaces the new entry by a link to
 * another file, and receives that.
 */
export function giveNewToFolderOwner(path: string): void {
  if (process.geteuid?.() !== 0) return
  const fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const found = fstatSync(fd)
    if (found.uid === 0 && (found.isDirectory() || found.nlink === 1)) giveToFolderOwner(fd, path)
  } finally {
    closeSync(fd)
  }
}
