import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getUser, updateUser } from '../../../src/api/accounts/users.ts'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import type { VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import { type Client, useClient } from './client.ts'
import { useUser } from './session.ts'

type PlaceField = 'favourites' | 'recent'

export interface Places {
  readonly favourites: readonly VirtualPath[]
  /** Recently visited folders, latest first. */
  readonly recent: readonly VirtualPath[]
  /** Applies at once and saves in the background. Rejects if saving fails. */
  save(field: PlaceField, paths: readonly VirtualPath[]): Promise<unknown>
}

const NONE: readonly VirtualPath[] = []

function accountQuery(client: Client, id: number | undefined) {
  return queryOptions({
    queryKey: ['account', id],
    queryFn: ({ signal }) => client.call(getUser, { params: { id: String(id) }, signal }),
    enabled: id !== undefined,
    staleTime: 60_000,
    throwOnError: false,
  })
}

/** Favourite and recent folders of the account, the same on every device. */
export function usePlaces(): Places {
  const client = useClient()
  const queries = useQueryClient()
  const id = useUser()?.id
  const account = accountQuery(client, id)
  const { data } = useQuery(account)
  const { mutateAsync } = useMutation({
    scope: { id: 'places' },
    mutationFn: async ({ field, paths }: { field: PlaceField; paths: readonly VirtualPath[] }) => {
      if (id === undefined) return
      const body = { what: 'user', which: [field], data: { id, [field]: paths } }
      await client.call(updateUser, { params: { id: String(id) }, body })
    },
    onMutate: async ({ field, paths }) => {
      await queries.cancelQueries({ queryKey: account.queryKey })
      queries.setQueryData<UserView>(account.queryKey, (known) => known && { ...known, [field]: [...paths] })
    },
    onError: () => queries.invalidateQueries({ queryKey: account.queryKey }),
  })
  return {
    favourites: (data?.favourites ?? NONE) as readonly VirtualPath[],
    recent: (data?.recent ?? NONE) as readonly VirtualPath[],
    save: (field, paths) => mutateAsync({ field, paths }),
  }
}
