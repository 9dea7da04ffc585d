import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { getUser } from '../../../../src/api/accounts/users.ts'
import { useClient } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import { useGroups } from '../groups/use-groups.ts'
import { useRoots } from '../roots/use-roots.ts'
import { type SeenFolders, seenFolders } from './seen-folders.ts'

/** The folders of roots as the administrator sees them; undefined while it is unknown. */
export function useSeenFolders(): SeenFolders | undefined {
  const client = useClient()
  const id = useUser()?.id
  const { roots } = useRoots()
  const groups = useGroups()
  const { data: own } = useQuery({
    queryKey: ['users', id],
    queryFn: ({ signal }) => client.call(getUser, { params: { id: String(id) }, signal }),
    enabled: id !== undefined,
    throwOnError: false,
  })
  return useMemo(() => own && groups && roots && seenFolders(own, groups, roots), [own, groups, roots])
}
