import { opendir, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'

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
