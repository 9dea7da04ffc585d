import { useQuery } from '@tanstack/react-query'
import { listGroups } from '../../../../src/api/accounts/groups.ts'
import type { GroupSummary } from '../../../../src/domain/accounts/group.ts'
import { useClient } from '../../api/client.ts'

/** All groups, kept up to date. */
export function useGroups(): readonly GroupSummary[] | undefined {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['groups'],
    queryFn: ({ signal }) => client.call(listGroups, { signal }),
    throwOnError: (_error, query) => query.state.data === undefined,
    staleTime: 0,
  })
  return data
}
