import { useQuery } from '@tanstack/react-query'
import { listQuotas } from '../../../../src/api/access/quotas.ts'
import { listSessions } from '../../../../src/api/accounts/sessions.ts'
import { listUsers } from '../../../../src/api/accounts/users.ts'
import type { SessionView } from '../../../../src/domain/accounts/session.ts'
import type { UserView } from '../../../../src/domain/accounts/user.ts'
import type { QuotaView } from '../../../../src/domain/access/quota.ts'
import { useClient } from '../../api/client.ts'

/** Milliseconds between two requests: the server sends no event about other users' devices. */
const POLL_INTERVAL = 60_000

/** All accounts, kept up to date. */
export function useUsers(): readonly UserView[] | undefined {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => client.call(listUsers, { signal }),
    throwOnError: (_error, query) => query.state.data === undefined,
    staleTime: 0,
  })
  return data
}

/** The quotas of all users that have one. */
export function useQuotas(): readonly QuotaView[] | undefined {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['quotas'],
    queryFn: ({ signal }) => client.call(listQuotas, { signal }),
    throwOnError: false,
    staleTime: 0,
  })
  return data
}

/** The sessions of all users. */
export function useAllSessions(): readonly SessionView[] | undefined {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['sessions', 'all'],
    queryFn: ({ signal }) => client.call(listSessions, { query: { all: true }, signal }),
    throwOnError: false,
    staleTime: 0,
    refetchInterval: POLL_INTERVAL,
  })
  return data
}
