import { access, constants, opendir, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fail } from '../../domain/errors.ts'

/** Whether the folder that is to be served can be written to. @throws INVALID_INPUT when it cannot be served at all */
export async function checkRoot(root: string): Promise<{ writable: boolean }> {
  const problem = await problemOf(root)
  if (problem !== undefined) fail('INVALID_INPUT', `--root: ${root} ${problem}`, { field: 'root' })
  return { writable: await may(root, constants.W_OK) }
}

async function problemOf(root: string): Promise<string | undefined> {
  try {
    if (!(await stat(root)).isDirectory()) return 'is not a folder; name the folder to serve'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist; name an existing folder'
    return `cannot be reached (${code ?? 'unknown error'})`
  }
  return (await may(root, constants.R_OK | constants.X_OK)) ? undefined : 'may not be read by this account'
}

async function may(path: string, mode: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  )
}

/** "device inode" of what lies at a path; undefined for nothing. */
export async function identityOf(path: string): Promise<string | undefined> {
  return await stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    () => undefined,
  )
}

/** Whether there is a folder that can be looked at. */
export async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

export interface OutsideLinks {
  /** Paths beneath the folder, at most `most`. */
  readonly links: readonly string[]
  /** False when there was more to look at. */
  readonly complete: boolean
}

export interface OutsideLinksLimits {
  readonly most?: number
  /** Entries that are looked at. */
  readonly looks?: number
  readonly signal?: AbortSignal
}

/** Symbolic links in a folder that lead out of it. Links are not followed, and what cannot be read is passed over. */
export async function findOutsideLinks(folder: string, limits: OutsideLinksLimits = {}): Promise<OutsideLinks> {
  const { most = 20, looks = 100_000, signal } = limits
  const root = await realpath(folder)
  const links: string[] = []
  const left = [root]
  let looked = 0
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const entries = await opendir(next).catch(() => undefined)
    if (entries === undefined) continue
    for await (const entry of entries) {
      signal?.throwIfAborted()
      looked += 1
      if (looked > looks || links.length >= most) return { links, complete: false }
      const path = join(next, entry.name)
      if (entry.isDirectory()) left.push(path)
      else if (entry.isSymbolicLink() && (await leadsOut(root, path))) links.push(relative(root, path))
    }
  }
  return { links: links.toSorted(), complete: true }
}

async function leadsOut(root: string, link: string): Promise<boolean> {
  const target = await realpath(link).catch(() => undefined)
  return target !== undefined && !isBeneath(root, target)
}

/** True for the folder itself and for what lies in it; both are real paths. */
export function isBeneath(folder: string, path: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}

/** Whether a folder, which need not be there yet, is another one or lies beneath it, by whatever links it is called. */
export async function liesBeneath(folder: string, root: string): Promise<boolean> {
  const path = relative(await realpath(root), await realFuture(resolve(folder)))
  return path !== '..' && !path.startsWith(`..${sep}`)
}

/** Where something is, or would be. */
async function realFuture(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    return join(await realFuture(parent), path.slice(parent.length))
  }
}
