import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { parseVirtualPath, type VirtualPath } from '../domain/virtual-path.ts'
import { unlessErrno } from '../store/disk.ts'

/**
 * Where files and folders of ours lie beneath the served folder, for the rules that say so to people and keep folders around
 * them in place. Serving a home folder serves our data folder with it.
 */
export async function hiddenPaths(root: string, paths: readonly string[]): Promise<VirtualPath[]> {
  const found = await Promise.all(paths.map(async (path) => await hiddenPath(root, path)))
  return found.filter((path) => path !== undefined)
}

async function hiddenPath(root: string, folder: string): Promise<VirtualPath | undefined> {
  const [realRoot, realFolder] = await Promise.all(
    [root, folder].map(async (path) => await unlessErrno(realpath(path), 'ENOENT', 'ENOTDIR')),
  )
  if (realRoot === undefined || realFolder === undefined) return undefined
  const path = relative(realRoot, realFolder)
  return path === '..' || path.startsWith(`..${sep}`) ? undefined : parseVirtualPath(path)
}
