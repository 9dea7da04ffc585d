import { readdir } from '../gated-calls.ts'
import { createHash } from 'node:crypto'
import { isOwnName } from '../own-names.ts'
import { at, type Handle } from '../handle.ts'
import { statsOf } from '../resolve.ts'

/** What a folder looked like. */
export interface FolderMark {
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  /** Stands for the names that are not the storage's own. */
  readonly names: string
}

/** The names are read only when the time is not that of `before`: names of our own change it too. */
export async function markOf(folder: Handle, before: FolderMark | undefined): Promise<FolderMark> {
  using held = folder.retain()
  const { mtimeNs: modified } = await statsOf(held)
  if (modified === before?.modified) return before
  const hash = createHash('sha256')
  const names = await readdir(at(held)).catch(() => [])
  for (const name of names.toSorted()) if (!isOwnName(name)) hash.update(`${name}/`)
  return { modified, names: hash.digest('base64') }
}
