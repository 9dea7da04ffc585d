import { queryOptions } from '@tanstack/react-query'
import { getArchived, listArchive } from '../../../../src/api/files/archives.ts'
import { encodeName } from '../../../../src/domain/files/name-text.ts'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { Client } from '../../api/client.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'

/** An archive whose content is shown. */
export interface ShownArchive {
  readonly file: Resource
  readonly path: VirtualPath
  /** Chosen for names that do not say theirs; otherwise it is detected. */
  readonly encoding?: Encoding | undefined
}

/** A folder in an archive. */
export function archiveQuery(client: Client, { file, path, encoding }: ShownArchive, inside: VirtualPath) {
  return queryOptions({
    // A changed archive is read again.
    queryKey: ['archive', path, file.modified, file.size, encoding ?? '', inside],
    queryFn: ({ signal }) =>
      client.call(listArchive, { params: { '*': path }, query: { inside, ...(encoding && { encoding }) }, signal }),
    staleTime: Infinity,
    retry: false,
  })
}

/** App address of a file in an archive, or of a folder, whose path ends with a slash. */
export function archiveHref({ path, encoding }: ShownArchive, inside: string): string {
  const query = [
    ...(inside === '/' ? [] : [`inside=${encodeName(inside)}`]),
    ...(encoding === undefined ? [] : [`encoding=${encoding}`]),
  ]
  return `${filesHref(path)}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

/** URL of the content of a file in an archive. */
export function archivedUrl(
  client: Client,
  { path, encoding }: ShownArchive,
  inside: string,
  isInline: boolean,
): string {
  const query = { inside, ...(encoding && { encoding }), ...(isInline && { inline: 'true' }) }
  return client.url(getArchived, { params: { '*': path }, query })
}
