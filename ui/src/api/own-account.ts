import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getUser, updateUser } from '../../../src/api/accounts/users.ts'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import type { VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import { useConfig } from './page-config.tsx'
import { type Client, useClient } from './client.ts'
import { useUser, useSession } from './session.ts'
import { useCallback } from 'react'

type FolderField = 'favourites' | 'recent'

export interface SavedFolders {
  readonly favourites: readonly VirtualPath[]
  /** Recently visited folders, latest first. */
  readonly recent: readonly VirtualPath[]
  /** Applies at once and saves in the background. Rejects if saving fails. */
  save(field: FolderField, paths: readonly VirtualPath[]): Promise<unknown>
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
export function useSavedFolders(): SavedFolders {
  const client = useClient()
  const queries = useQueryClient()
  const id = useUser()?.id
  const account = accountQuery(client, id)
  const { data } = useQuery(account)
  const { mutateAsync } = useMutation({
    scope: { id: 'saved folders' },
    mutationFn: async ({ field, paths }: { field: FolderField; paths: readonly VirtualPath[] }) => {
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

/** Changes fields of the user's own account. @throws ApiError */
export type SavePreferences = (fields: Partial<UserView>) => Promise<void>

/** Saves the user's preferences and updates all windows of this browser. */
export function useSavePreferences(): SavePreferences {
  const client = useClient()
  const session = useSession()
  return useCallback(
    async (fields) => {
      const state = session.state.get()
      if (state.status !== 'signed-in') return
      const { id } = state.user
      const body = { what: 'user', which: Object.keys(fields), data: { id, ...fields } }
      await client.call(updateUser, { params: { id: String(id) }, body })
      // The token has a copy of the user: without a new one, a reload would show the old value.
      await session.renew()
    },
    [client, session],
  )
}

/** True if maintenance is on and this user is not an administrator. */
export function useLockedOut(): boolean {
  const { Maintenance } = useConfig()
  const user = useUser()
  return Maintenance !== undefined && user?.perm.admin !== true
}
