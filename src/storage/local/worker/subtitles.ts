import { constants, fstatSync, lstatSync } from 'node:fs'
import { extensionOf, isSubtitle, isSubtitleFolder } from '../../../domain/files/media/media-type.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { ScopeRoot } from '../scope/scope-root.ts'
import { HOLD_FOLDER } from '../system/handle.ts'
import { holdSync, innerPaths, type IsShown, type NameBytes, pathOf, readOpenNames, textOf } from './sync-calls.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

export interface SubtitleFolder {
  readonly scopeRoot: ScopeRoot
  /** Descriptor of the main thread. */
  readonly folder: { readonly fd: number }
  /** The visible names in it, in any order. */
  readonly names: readonly NameBytes[]
  /** Prefix for the paths of its entries, ending in a slash. */
  readonly pathPrefix: string
  /** Its paths as the rules see them. */
  readonly rulePaths: readonly VirtualPath[]
  readonly isShown: IsShown
}

/** Paths of the subtitles of a video, in byte order of the names in its folder. */
export type SubtitlesOf = (video: NameBytes) => string[]

interface Found {
  readonly name: NameBytes
  readonly path: string
}

/** A folder of subtitles. Its files belong to each video beside it; those of a subfolder, to the video that it is named after. */
interface SubtitleGroup {
  readonly name: NameBytes
  readonly entries: readonly (Found | { readonly name: NameBytes; readonly files: readonly Found[] })[]
}

/** Reads the folder once for all videos in it. */
export function createSubtitleFinder(parent: SubtitleFolder): SubtitlesOf {
  const files = filesOf(parent)
  const groups = foldersOf(parent, isSubtitleFolder, readGroup)
  return (video) => {
    const base = video.slice(0, video.length - extensionOf(video).length)
    const beside = withPrefix(files, base).map(({ name, path }) => ({ name, paths: [path] }))
    const grouped = groups.map(({ name, entries }) => ({
      name,
      paths: entries.flatMap((entry) => pathsOf(entry, base)),
    }))
    return [...beside, ...grouped].sort(byBytes).flatMap(({ paths }) => paths)
  }
}

function pathsOf(entry: SubtitleGroup['entries'][number], base: NameBytes): string[] {
  if ('path' in entry) return [entry.path]
  return entry.name.startsWith(base) ? entry.files.map(({ path }) => path) : []
}

function readGroup(folder: SubtitleFolder, name: NameBytes): SubtitleGroup {
  const nested = foldersOf(
    folder,
    () => true,
    (folder, own) => ({ name: own, files: filesOf(folder) }),
  )
  return { name, entries: [...filesOf(folder), ...nested].sort(byBytes) }
}

function filesOf({ folder, names, pathPrefix }: SubtitleFolder): Found[] {
  return names
    .filter((name) => isSubtitle(name) && kindOf(folder, name) === 'file')
    .map((name) => ({ name, path: pathPrefix + textOf(name) }))
    .sort(byBytes)
}

/** Opens folders with O_NOFOLLOW, to skip one that was swapped for a link meanwhile. */
function foldersOf<T>(
  parent: SubtitleFolder,
  isWanted: (name: NameBytes) => boolean,
  read: (folder: SubtitleFolder, name: NameBytes) => T,
): T[] {
  const { scopeRoot, folder, names, pathPrefix, isShown } = parent
  return names
    .filter((name) => isWanted(name) && kindOf(folder, name) === 'folder')
    .flatMap((name) => {
      try {
        using child = holdSync(pathOf(folder, name), HOLD_FOLDER | constants.O_NOFOLLOW)
        if (scopeRoot.protectedPaths.has(fstatSync(child.fd, { bigint: true }))) return []
        const rulePaths = innerPaths(parent.rulePaths, name)
        const shown = readOpenNames(scopeRoot, child).filter((own) => isShown(rulePaths, own))
        const inner = {
          scopeRoot,
          folder: child,
          names: shown,
          pathPrefix: `${pathPrefix}${textOf(name)}/`,
          rulePaths,
          isShown,
        }
        return [read(inner, name)]
      } catch (error) {
        // The folder is missing, was swapped or cannot be read, so it has no subtitles.
        if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return []
        throw error
      }
    })
}

function kindOf(folder: { readonly fd: number }, name: NameBytes): 'file' | 'folder' | undefined {
  const stats = lstatSync(pathOf(folder, name), { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  return stats.isDirectory() ? 'folder' : 'file'
}

/** Binary search: in a sorted list, names with the same prefix are adjacent. */
function withPrefix(sorted: readonly Found[], prefix: NameBytes): readonly Found[] {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.name ?? '') < prefix) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < sorted.length && sorted[end]?.name.startsWith(prefix)) end += 1
  return sorted.slice(low, end)
}

function byBytes(a: { readonly name: NameBytes }, b: { readonly name: NameBytes }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
