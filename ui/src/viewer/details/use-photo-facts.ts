import { useQuery } from '@tanstack/react-query'
import type { Resource } from '../../../../src/domain/resource.ts'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useClient } from '../../api/client-context.tsx'
import { useFileUrls } from '../use-file-urls.ts'
import type { PhotoFacts } from './photo-facts.ts'

/** The facts of a photograph; only the start of the file is fetched for them. */
export function usePhotoFacts(path: VirtualPath, file: Resource, enabled: boolean): PhotoFacts {
  const client = useClient()
  const urls = useFileUrls()
  const { data } = useQuery({
    queryKey: ['photo', urls.raw(path), file.modified, file.size],
    enabled,
    staleTime: 'static',
    retry: false,
    queryFn: async ({ signal }) => {
      const { HEAD_BYTES, photoFacts } = await import('./photo-facts.ts')
      const headers = { ...client.authHeaders(), Range: `bytes=0-${Math.max(0, Math.min(HEAD_BYTES, file.size) - 1)}` }
      const response = await fetch(urls.raw(path), { headers, signal })
      return response.ok ? await photoFacts(await response.arrayBuffer()) : {}
    },
  })
  return data ?? {}
}
