import { extensionOf, isSubtitle, isSubtitleFolder } from '../../domain/files/media/media-type.ts'
import { below, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { ListingView } from '../storage.ts'
import { type BucketRoot, isShownIn, keyOf, withoutRules } from './bucket-root.ts'
import type { Entry } from './read-folder.ts'

/** How many files of one subtitle folder are considered. */
const MAX_FILES = 1000

interface Candidate {
  /** A name that must begin with that of the video; undefined if the file belongs to every video. */
  readonly start: string | undefined
  /** Sort key: the bytes of the names, separated by NUL, which is lower than any character in a name. */
  readonly order: string
  readonly path: string
}

/**
 * Finds the subtitles of videos in a folder: beside them, in subtitle folders, and in subfolders of these named after the video.
 * Sends one request for each subtitle folder.
 */
export async function subtitlesOf(
  root: BucketRoot,
  folder: VirtualPath,
  view: ListingView,
  entries: readonly Entry[],
): Promise<(video: string) => string[]> {
  const prefix = view.shownPath.endsWith('/') ? view.shownPath : `${view.shownPath}/`
  const candidateOf = (path: string, start: string | undefined): Candidate => ({
    start,
    path: prefix + path,
    order: Buffer.from(path.replaceAll('/', '\0')).toString('latin1'),
  })
  const files = entries.filter(({ name, object }) => object !== undefined && isSubtitle(name))
  const candidates = files.map(({ name }) => candidateOf(name, name))
  for (const { name } of entries.filter((entry) => entry.object === undefined && isSubtitleFolder(entry.name))) {
    for (const path of await filesIn(root, below(folder, `/${name}` as VirtualPath), view)) {
      const [own = '', file] = path.split('/')
      candidates.push(candidateOf(`${name}/${path}`, file === undefined ? undefined : own))
    }
  }
  candidates.sort((one, other) => (one.order < other.order ? -1 : 1))
  return (video) => {
    const base = video.slice(0, video.length - extensionOf(video).length)
    return candidates.filter(({ start }) => start?.startsWith(base) !== false).map(({ path }) => path)
  }
}

/** Paths of the subtitles in a folder and in its folders, but not deeper. */
async function filesIn(root: BucketRoot, folder: VirtualPath, view: ListingView): Promise<string[]> {
  const isShown = isShownIn(view)
  const prefix = `${keyOf(withoutRules(root), folder)}/`
  const found: string[] = []
  for await (const { objects } of root.bucket.pages(prefix, { max: MAX_FILES })) {
    for (const { key } of objects) {
      const path = key.slice(prefix.length)
      const names = path.split('/')
      const isVisible = names.every((name, depth) =>
        isShown(below(folder, `/${names.slice(0, depth).join('/')}` as VirtualPath), name),
      )
      if (names.length <= 2 && isSubtitle(path) && isVisible) found.push(path)
    }
  }
  return found
}
