import type { Resource } from '../../../src/domain/resource.ts'
import type { Sorting } from '../../../src/domain/sorting.ts'

export type PublicView = 'list' | 'mosaic gallery'

/** So many entries are shown at first, and with each "+ N". */
export const STEP = 100

export interface LeftFolder {
  /** Entries shown. */
  readonly limit: number
  /** Pixels scrolled. */
  readonly offset: number
}

/** What a visitor has chosen, for as long as he stays: the same in every folder of the share. */
export interface FolderChoices {
  readonly sorting: Sorting
  /** Undefined: as it suits each folder. */
  readonly view: PublicView | undefined
}

export const NO_CHOICE: FolderChoices = { sorting: { by: 'name', asc: false }, view: undefined }

/** Pictures are looked at, everything else is read. */
export function viewOf(entries: readonly Resource[]): PublicView {
  const files = entries.filter(({ isDir }) => !isDir)
  const pictures = files.filter(({ type }) => type === 'image').length
  return files.length >= 3 && pictures * 10 >= files.length * 7 ? 'mosaic gallery' : 'list'
}

/** The entry of a folder that leads to a path below it; null for paths elsewhere. Folders may end in a slash. */
export function entryTowards(folder: string, path: string | null): string | null {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`
  if (path?.startsWith(prefix) !== true) return null
  return path.slice(prefix.length).split('/')[0] || null
}
