import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { parseVirtualPath, type VirtualPath } from '../domain/virtual-path.ts'
import { unlessErrno } from '../store/disk.ts'

/**
 * Where a folder lies beneath the served one; undefined when it lies elsewhere. Whoever serves a home folder serves our
 * data folder with it, and must not hand out the hashes of the passwords.
 */
export async function hiddenPath(root: string, folder: string): Promise<VirtualPath | undefined> {
  const [realRoot, realFolder] = await Promise.all(
    [root, folder].map(async (path) => await unlessErrno(realpath(path), 'ENOENT', 'ENOTDIR')),
  )
  if (realRoot === undefined || realFolder === undefined) return undefined
  const path = relative(realRoot, realFolder)
  return path === '..' || path.startsWith(`..${sep}`) ? undefined : parseVirtualPath(path)
}
