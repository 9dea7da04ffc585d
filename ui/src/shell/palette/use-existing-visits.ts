import { useQuery } from '@tanstack/react-query'
import { getRaw } from '../../../../src/api/files/downloads.ts'
import { type Client, useClient } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import { useRecentVisits } from '../../files/list/listing/recent-visits.ts'

/**
 * What was opened lately. Asks for the files among it whether they are still there, and forgets those that are not. Folders, which
 * would have to be listed for that, are forgotten when they are opened in vain.
 */
export function useExistingVisits(): readonly string[] {
  const client = useClient()
  const visits = useRecentVisits()
  const enabled = useUser()?.perm.download ?? false
  const files = visits.all().filter((path) => !path.endsWith('/'))
  useQuery({
    queryKey: ['visits'],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(files.map(async (path) => await isGone(client, path, signal)))
      const gone = files.filter((_, index) => found[index])
      visits.forget(gone)
      return gone
    },
    enabled,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
    throwOnError: false,
  })
  return visits.all()
}

async function isGone(client: Client, path: string, signal: AbortSignal): Promise<boolean> {
  const address = client.url(getRaw, { params: { '*': path }, query: { inline: 'true' } })
  const { status } = await fetch(address, { method: 'HEAD', headers: client.authHeaders(), signal })
  return status === 404
}
