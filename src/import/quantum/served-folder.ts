import { below, isInside, parentOf, relativeTo, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'

/** The deepest folder that contains all of these; the root for none. */
export function commonFolder([first = ROOT, ...others]: readonly VirtualPath[]): VirtualPath {
  let common = first
  for (const folder of others) while (!isInside(common, folder)) common = parentOf(common)
  return common
}

/** The folders above a path, from the root on, without the path itself. */
export function foldersAbove(path: VirtualPath): VirtualPath[] {
  if (path === ROOT) return []
  const parent = parentOf(path)
  return [...foldersAbove(parent), parent]
}

/** Translates paths of sources into paths of the served folder, which contains all sources. */
export interface ServedFolder {
  /** On the disk. */
  readonly root: VirtualPath
  /** @param path in the source */
  pathOf(source: { readonly path: VirtualPath }, path: VirtualPath): VirtualPath
}

export function servedFolderOf(sources: readonly { readonly path: VirtualPath }[]): ServedFolder {
  const root = commonFolder(sources.map(({ path }) => path))
  return { root, pathOf: (source, path) => below(relativeTo(root, source.path), path) }
}
