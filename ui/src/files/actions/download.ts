import { getRaw, selectDownloads } from '../../../../src/api/files/downloads.ts'
import { ARCHIVE_EXTENSIONS, type ArchiveFormat } from '../../../../src/domain/files/archives/archive-format.ts'
import { encodePath } from '../../../../src/domain/files/name-text.ts'
import { ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { Client } from '../../api/client.ts'
import type { FileItem } from './model.ts'

/** Characters; servers and proxies accept URLs up to about 8 kB. */
const MAX_URL_LENGTH = 7000

type Urls = Pick<Client, 'url'>

/** The URL of the content of a file, or of an archive of a folder. */
export type RawUrl = (path: VirtualPath, query?: { readonly files?: string; readonly algo: ArchiveFormat }) => string

/** Where archives come from: the user's own files, or a link. */
export interface ArchiveSource {
  readonly download: RawUrl
  /**
   * The URL, for a while, of an archive of entries whose names are too long for a URL.
   *
   * @throws ApiError
   */
  readonly select: (folder: VirtualPath, files: string[], algo: ArchiveFormat) => Promise<string>
}

/** URLs of the content and previews of files. The session cookie or the token of a share authorises them. */
export interface FileUrls {
  /** The content, for display. */
  raw(path: string): string
  /** The content as a download; an archive for a folder. */
  readonly download: RawUrl
  /** A picture that fits into 1080 × 1080. @param modified time of the file; a changed file gets a new URL */
  picture(path: string, modified: string): string
  /** A picture of 256 × 256. */
  thumbnail(path: string, modified: string): string
  /** Subtitles as WebVTT. */
  subtitles(path: string): string
}

export function fileUrl(client: Urls, path: VirtualPath): string {
  return client.url(getRaw, { params: { '*': path } })
}

export function ownFiles(client: Pick<Client, 'url' | 'call'>): ArchiveSource {
  return {
    download: (path, query) => client.url(getRaw, { params: { '*': path }, ...(query && { query }) }),
    async select(folder, files, algo) {
      const { address } = await client.call(selectDownloads, {
        params: { '*': folder },
        query: { algo },
        body: { files },
      })
      return address
    },
  }
}

/**
 * The URL of an archive of these items.
 *
 * @param all the items are the whole folder, so they need not be named
 * @throws ApiError
 */
export async function archiveUrl(
  { download, select }: ArchiveSource,
  { folder, items, all }: { readonly folder: VirtualPath; readonly items: readonly FileItem[]; readonly all: boolean },
  algo: ArchiveFormat,
): Promise<string> {
  const [only] = items
  if (items.length === 1 && only?.isDir === true) return download(only.path, { algo })
  if (all || items.length === 0) return download(folder, { algo })
  const start = folder === ROOT ? 1 : folder.length + 1
  const names = items.map(({ path }) => path.slice(start))
  const url = download(folder, { files: names.map((name) => encodePath(name)).join(','), algo })
  return url.length > MAX_URL_LENGTH ? await select(folder, names, algo) : url
}

export const ARCHIVE_FORMATS = Object.keys(ARCHIVE_EXTENSIONS) as readonly ArchiveFormat[]

const STORAGE_KEY = 'filemgr:archive-format'

/** The format that was chosen last in this browser. */
export function lastFormat(): ArchiveFormat {
  const stored = localStorage.getItem(STORAGE_KEY)
  return ARCHIVE_FORMATS.find((value) => value === stored) ?? 'zip'
}

export function rememberFormat(format: ArchiveFormat): void {
  localStorage.setItem(STORAGE_KEY, format)
}
