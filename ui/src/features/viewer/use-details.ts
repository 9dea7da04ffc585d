import { queryOptions, useQuery } from '@tanstack/react-query'
import { getResource } from '../../../../src/api/files.ts'
import type { Resource } from '../../../../src/domain/resource.ts'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { Client } from '../../api/client.ts'
import { useClient } from '../../api/client-context.tsx'

/** A file with what a listing leaves out: its text, its subtitles, the measures of a picture. */
export function useDetails(path: VirtualPath, file: Resource) {
  return useQuery(detailsQuery(useClient(), path, file))
}

/** @param file its time is part of the key, so that a file that was changed is read again */
function detailsQuery(client: Client, path: VirtualPath, file: Resource) {
  return queryOptions({
    queryKey: ['file', path, file.modified, file.size],
    queryFn: async ({ signal }): Promise<Resource> =>
      await client.call(getResource, { params: { '*': path }, query: { resolution: 'true' }, signal }),
    staleTime: 60_000,
    retry: false,
  })
}
