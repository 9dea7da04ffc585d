import { queryOptions } from '@tanstack/react-query'
import { getArchived, listArchive } from '../../../../src/api/files/archives.ts'
import { encodeName } from '../../../../src/domain/files/name-text.ts'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { Client } from '../../api/client.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'

/** An archive whose content is shown. */
export interface ShownArchive {
  readonly file: Resource
  readonly path: VirtualPath
}

/** A folder in an archive. */
export function archiveQuery(client: Client, { file, path }: ShownArchive, inside: VirtualPath) {
  return queryOptions({
    // A changed archive is read again.
    queryKey: ['archive', path, file.modified, file.size, inside],
    queryFn: ({ signal }) => client.call(listArchive, { params: { '*': path }, query: { inside }, signal }),
    staleTime: Infinity,
    retry: false,
  })
}

/** App address of a file in an archive, or of a folder, whose path ends with a slash. */
export function archiveHref({ path }: ShownArchive, inside: string): string {
  return `${filesHref(path)}${inside === '/' ? '' : `?inside=${encodeName(inside)}`}`
}

/** URL of the content of a file in an archive. */
export function archivedUrl(client: Client, { path }: ShownArchive, inside: string, isInline: boolean): string {
  return client.url(getArchived, { params: { '*': path }, query: { inside, ...(isInline && { inline: 'true' }) } })
}
