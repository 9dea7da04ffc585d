import { foldForSearch } from '../../../../../../src/domain/text/fold.ts'
import { nameOf, parentOf, ROOT, type VirtualPath } from '../../../../../../src/domain/files/virtual-path.ts'

/** The subfolders of each folder that was loaded, in the order of the listing. */
export type KnownFolders = ReadonlyMap<VirtualPath, readonly VirtualPath[]>

export interface TreeState {
  readonly expanded: ReadonlySet<VirtualPath>
  readonly focus: VirtualPath
}

export interface TreeRow {
  readonly path: VirtualPath
  /** 1 for the root. */
  readonly level: number
  /** undefined for a folder without subfolders. */
  readonly expanded: boolean | undefined
  /** Position among its siblings, from 1. */
  readonly position: number
  readonly siblings: number
}

const OWN_ROOT = [ROOT]

/**
 * The visible rows, the root first. With a filter only matching folders and those that contain them.
 *
 * @param roots the topmost folders
 */
export function treeRows(
  known: KnownFolders,
  { expanded }: TreeState,
  filter = '',
  roots: readonly VirtualPath[] = OWN_ROOT,
): TreeRow[] {
  const query = foldForSearch(filter.trim())
  const matching = query === '' ? null : pathsLeadingTo(known, query)
  const rows: TreeRow[] = []
  const add = (path: VirtualPath, level: number, position: number, siblings: number): void => {
    const all = known.get(path)
    const children = matching === null ? all : all?.filter((child) => matching.has(child))
    const isOpen = matching === null ? expanded.has(path) : (children?.length ?? 0) > 0
    const leaf = children?.length === 0
    rows.push({ path, level, expanded: leaf ? undefined : isOpen, position, siblings })
    if (isOpen) children?.forEach((child, index) => add(child, level + 1, index + 1, children.length))
  }
  roots.forEach((root, index) => add(root, 1, index + 1, roots.length))
  return rows
}

function pathsLeadingTo(known: KnownFolders, query: string): Set<VirtualPath> {
  const found = new Set<VirtualPath>()
  for (const children of known.values()) {
    for (const child of children) {
      if (!foldForSearch(nameOf(child)).includes(query)) continue
      for (let path = child; path !== ROOT; path = parentOf(path)) found.add(path)
    }
  }
  return found
}

/** Adds found folders, and the folders that contain them. */
export function withFound(known: KnownFolders, found: readonly VirtualPath[]): KnownFolders {
  const all = new Map(known)
  for (const folder of found) {
    for (let path = folder; path !== ROOT; path = parentOf(path)) {
      const siblings = all.get(parentOf(path)) ?? []
      if (!siblings.includes(path)) all.set(parentOf(path), [...siblings, path])
    }
  }
  return all
}

export type TreeKey = 'up' | 'down' | 'home' | 'end' | 'open' | 'close' | 'toggle'

/** The state after a key. "open" is the arrow towards the end of the line, "close" is its opposite. */
export function treeStep(state: TreeState, key: TreeKey, rows: readonly TreeRow[]): TreeState {
  const at = Math.max(
    0,
    rows.findIndex(({ path }) => path === state.focus),
  )
  const row = rows[at]
  if (row === undefined) return state
  const go = (to: TreeRow | undefined): TreeState => (to === undefined ? state : { ...state, focus: to.path })
  const open = (isOpen: boolean): TreeState => ({ ...state, expanded: withPath(state.expanded, row.path, isOpen) })
  switch (key) {
    case 'up':
      return go(rows[at - 1])
    case 'down':
      return go(rows[at + 1])
    case 'home':
      return go(rows[0])
    case 'end':
      return go(rows.at(-1))
    case 'toggle':
      return row.expanded === undefined ? state : open(!row.expanded)
    case 'open':
      if (row.expanded === false) return open(true)
      return row.expanded === true ? go(rows[at + 1]) : state
    case 'close':
      if (row.expanded === true) return open(false)
      return row.level === 1 ? state : { ...state, focus: parentOf(row.path) }
  }
}

export function withPath(paths: ReadonlySet<VirtualPath>, path: VirtualPath, present: boolean): Set<VirtualPath> {
  const changed = new Set(paths)
  if (present) changed.add(path)
  else changed.delete(path)
  return changed
}

/** The folder and all above it: they must be expanded to show it. */
export function pathsTo(folder: VirtualPath): VirtualPath[] {
  const paths = [folder]
  for (let path = folder; path !== ROOT; path = parentOf(path)) paths.unshift(parentOf(path))
  return paths
}
