import { queryOptions, useQuery } from '@tanstack/react-query'
import { getResource } from '../../../src/api/files.ts'
import type { Resource } from '../../../src/domain/resource.ts'
import type { VirtualPath } from '../../../src/domain/virtual-path.ts'
import type { Client } from '../api/client.ts'
import { useClient } from '../api/client-context.tsx'
import { useFileSource, type FileSource } from './file-source.ts'
import { useFileUrls } from './use-file-urls.ts'

/** A file with what a listing leaves out: its text, its subtitles, the measures of a picture. */
export function useDetails(path: VirtualPath, file: Resource) {
  const client = useClient()
  const source = useFileSource()
  const urls = useFileUrls()
  return useQuery(detailsQuery(source?.describe ?? describeOwn(client), urls.raw(path), path, file))
}

type Describe = FileSource['describe']

function describeOwn(client: Client): Describe {
  return async (path, _file, signal) =>
    await client.call(getResource, { params: { '*': path }, query: { resolution: 'true' }, signal })
}

/**
 * @param address tells the same path of one's own files and of a link apart
 * @param file its time is part of the key, so that a file that was changed is read again
 */
function detailsQuery(describe: Describe, address: string, path: VirtualPath, file: Resource) {
  return queryOptions({
    queryKey: ['file', address, file.modified, file.size],
    queryFn: async ({ signal }) => await describe(path, file, signal),
    staleTime: 60_000,
    retry: false,
  })
}
