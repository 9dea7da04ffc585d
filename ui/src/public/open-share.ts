import { downloadShared, getSharedPreview, getSharedSubtitles, selectShared } from '../../../src/api/shares/public.ts'
import type { Resource } from '../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../src/domain/files/sorting.ts'
import type { VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import type { Client } from '../api/client.ts'
import type { ArchiveSource, FileUrls } from '../files/actions/download.ts'
import { useText } from '../i18n/use-text.tsx'
import { useToasts } from '../kit/feedback/toast.tsx'
import { copyText } from '../lib/copy-text.ts'

/** Props of the file viewer. */
export interface FileViewerProps {
  readonly share: OpenShare
  readonly file: Resource
  readonly path: VirtualPath
  /** All entries of the folder, in any order. */
  readonly entries: readonly Resource[]
  readonly sorting: Sorting
  readonly onShow: (entry: Resource) => void
  readonly onClose: () => void
  readonly onCopyLink: () => void
}

/** A share that has been opened. */
export interface OpenShare {
  readonly hash: string
  readonly token: string | undefined
  /** False for a link that is only for viewing. */
  readonly mayDownload: boolean
  /** Null for no limit. Then nothing but what the visitor asks for may fetch the content of files: all of it counts. */
  readonly downloadsLeft: number | null
  readonly urls: FileUrls & ArchiveSource
  /** The display name of its root. */
  readonly name: string
  /** The page of the app that shows a path. */
  appPathOf(path: string): string
  /** The full address of that page, without the token, for sharing. */
  linkTo(path: string): string
}

/** @param token authorises the addresses of a share with a password */
export function createShareUrls(
  client: Pick<Client, 'url' | 'call'>,
  hash: string,
  token: string | undefined,
): FileUrls & ArchiveSource {
  const at = (path: string) => hash + (path === '/' ? '' : path)
  const key = token === undefined ? {} : { token }
  const shown = { inline: 'true', ...key }
  const preview = (size: 'big' | 'thumb', path: string, modified: string) => {
    const query = { ...shown, key: String(Date.parse(modified)) }
    return client.url(getSharedPreview, { params: { size, '*': at(path) }, query })
  }
  return {
    raw: (path) => client.url(downloadShared, { params: { '*': at(path) }, query: shown }),
    download: (path, query) => client.url(downloadShared, { params: { '*': at(path) }, query: { ...query, ...key } }),
    async select(folder, files, algo) {
      const query = { algo, ...key }
      const { address } = await client.call(selectShared, { params: { '*': at(folder) }, query, body: { files } })
      return address
    },
    picture: (path, modified) => preview('big', path, modified),
    thumbnail: (path, modified) => preview('thumb', path, modified),
    subtitles: (path) => client.url(getSharedSubtitles, { params: { '*': at(path) }, query: shown }),
  }
}

/** Copies the link of a path and confirms it. */
export function useCopyLink(share: OpenShare): (path: string) => void {
  const t = useText()
  const toasts = useToasts()
  return (path) => {
    const link = share.linkTo(path)
    void copyText(link).then((copied) =>
      copied ? toasts.success(t('public.linkCopied')) : toasts.error(t('public.linkNotCopied', { link })),
    )
  }
}

type PublicView = 'list' | 'mosaic gallery'

/** Entries shown at first, and added by each press of "+ N". */
export const PAGE_SIZE = 100

export interface FolderPosition {
  /** Number of entries shown. */
  readonly limit: number
  /** Scroll position in pixels. */
  readonly offset: number
}

/** The visitor's choices, kept for the visit and shared by all folders. */
export interface FolderChoices {
  readonly sorting: Sorting
  /** Undefined: chosen for each folder by its content. */
  readonly view: PublicView | undefined
}

export const NO_CHOICE: FolderChoices = { sorting: { by: 'name', asc: false }, view: undefined }

/** A gallery for folders of at least 70 % pictures, else a list. */
export function viewOf(entries: readonly Resource[]): PublicView {
  const files = entries.filter(({ isDir }) => !isDir)
  const pictures = files.filter(({ type }) => type === 'image').length
  return files.length >= 3 && pictures * 10 >= files.length * 7 ? 'mosaic gallery' : 'list'
}

/** The entry of a folder that leads to a path below it; null for other paths. Folders may end with a slash. */
export function entryTowards(folder: string, path: string | null): string | null {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`
  if (path?.startsWith(prefix) !== true) return null
  return path.slice(prefix.length).split('/')[0] || null
}
