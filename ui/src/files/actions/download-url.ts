import { getRaw } from '../../../../src/api/files.ts'
import type { ArchiveFormat } from '../../../../src/domain/archive-format.ts'
import { ROOT, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { Client } from '../../api/client.ts'
import type { WorkItem } from './work.ts'

/** Servers and proxies take addresses up to about 8 kB. */
const LONGEST = 7000

type Urls = Pick<Client, 'url'>

/** The address of the bytes at a path: of a file, or of an archive of a folder. */
export type RawUrl = (path: VirtualPath, query?: { readonly files?: string; readonly algo: ArchiveFormat }) => string

export function fileUrl(client: Urls, path: VirtualPath): string {
  return client.url(getRaw, { params: { '*': path } })
}

export function rawUrlOf(client: Urls): RawUrl {
  return (path, query) => client.url(getRaw, { params: { '*': path }, ...(query && { query }) })
}

/**
 * Where the archive of these things is fetched; undefined when there are too many to name in an address.
 *
 * @param all everything that the folder holds, which needs no names
 */
export function archiveUrl(
  rawUrl: RawUrl,
  { folder, items, all }: { readonly folder: VirtualPath; readonly items: readonly WorkItem[]; readonly all: boolean },
  algo: ArchiveFormat,
): string | undefined {
  const [only] = items
  if (items.length === 1 && only?.isDir === true) return rawUrl(only.path, { algo })
  if (all || items.length === 0) return rawUrl(folder, { algo })
  const start = folder === ROOT ? 1 : folder.length + 1
  const files = items.map(({ path }) => path.slice(start).split('/').map(encodeURIComponent).join('/'))
  const url = rawUrl(folder, { files: files.join(','), algo })
  return url.length > LONGEST ? undefined : url
}
