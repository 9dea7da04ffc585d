import type { Stats } from 'node:fs'
import { access, constants, opendir, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { isBucketUrl, requireLocalPath } from '../../domain/server/addresses.ts'
import { isErrno } from './error-code.ts'

/** Checks the folder to serve. @throws INVALID_INPUT if it cannot be served */
export async function checkRoot(root: string): Promise<{ writable: boolean }> {
  const problem = await problemOf(root)
  if (problem !== undefined) fail('INVALID_INPUT', `--root: ${root} ${problem}`, { field: 'root' })
  return { writable: await hasAccess(root, constants.W_OK) }
}

/** The calls that look at a path. */
export interface PathCalls {
  access(path: string, mode: number): Promise<void>
  realpath(path: string): Promise<string>
  stat(path: string): Promise<Stats>
}

const PLAIN: PathCalls = { access, realpath, stat }

/** A folder without links in its path, and whether this account may write to it; or why it cannot be served. */
export type FolderLook = { readonly real: string; readonly writable: boolean } | { readonly problem: string }

export async function lookAtFolder(path: string, calls: PathCalls): Promise<FolderLook> {
  const problem = await problemOf(path, calls)
  if (problem !== undefined) return { problem }
  return { real: await calls.realpath(path), writable: await hasAccess(path, constants.W_OK, calls) }
}

async function problemOf(root: string, calls = PLAIN): Promise<string | undefined> {
  try {
    if (!(await calls.stat(root)).isDirectory()) return 'is not a folder; choose the folder to serve'
  } catch (error) {
    if (isFilemgrError(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist; choose an existing folder'
    return `cannot be reached (${code ?? 'unknown error'})`
  }
  return (await hasAccess(root, constants.R_OK | constants.X_OK, calls)) ? undefined : 'cannot be read by this account'
}

async function hasAccess(path: string, mode: number, calls = PLAIN): Promise<boolean> {
  return await calls.access(path, mode).then(
    () => true,
    () => false,
  )
}

/** "device inode" of the file or folder at a path; undefined if there is none. */
export async function identityOf(path: string): Promise<string | undefined> {
  return await stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    () => undefined,
  )
}

/** False also for a folder that this account may not look up. */
export async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

export interface OutsideLinks {
  /** Paths relative to the folder. */
  readonly links: readonly string[]
  /** False if the search ended at a limit. */
  readonly complete: boolean
}

export interface OutsideLinksLimits {
  readonly maxLinks?: number
  /** How many entries are examined. */
  readonly maxEntries?: number
  readonly signal?: AbortSignal
}

/** Finds symbolic links that lead out of a folder. Does not follow links and skips what cannot be read. */
export async function findOutsideLinks(folder: string, limits: OutsideLinksLimits = {}): Promise<OutsideLinks> {
  const { maxLinks = 20, maxEntries = 100_000, signal } = limits
  const root = await realpath(folder)
  const links: string[] = []
  const pending = [root]
  let count = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entries = await opendir(next).catch(() => undefined)
    if (entries === undefined) continue
    for await (const entry of entries) {
      signal?.throwIfAborted()
      count += 1
      if (count > maxEntries || links.length >= maxLinks) return { links, complete: false }
      const path = join(next, entry.name)
      if (entry.isDirectory()) pending.push(path)
      else if (entry.isSymbolicLink() && (await leadsOut(root, path))) links.push(relative(root, path))
    }
  }
  return { links: links.toSorted(), complete: true }
}

async function leadsOut(root: string, link: string): Promise<boolean> {
  const target = await realpath(link).catch(() => undefined)
  return target !== undefined && !isBeneath(root, target)
}

/** True for the folder itself and everything in it. Both are real paths. */
export function isBeneath(folder: string, path: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}

/** Like `isBeneath`, but resolves links in both paths first. The folder need not exist yet. */
export async function liesBeneath(folder: string, root: string): Promise<boolean> {
  const path = relative(await realpath(root), await futureRealpath(resolve(folder)))
  return path !== '..' && !path.startsWith(`..${sep}`)
}

/** The real path that a file or folder has, or will have once it is created. */
export async function futureRealpath(path: string, calls: Pick<PathCalls, 'realpath'> = PLAIN): Promise<string> {
  try {
    return await calls.realpath(path)
  } catch (error) {
    const parent = dirname(path)
    if (!isErrno(error, 'ENOENT') || parent === path) throw error
    return join(await futureRealpath(parent, calls), path.slice(parent.length))
  }
}

/** The served folder as an absolute path. The URL of a bucket is returned unchanged. @throws INVALID_INPUT for another address */
export function absoluteRoot(workingFolder: string, root: string): string {
  if (isBucketUrl(root)) return root
  requireLocalPath(root, '--root', 'name a folder, or a bucket such as s3://BUCKET')
  return resolve(workingFolder, root)
}
