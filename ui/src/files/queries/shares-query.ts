import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listShares, listSharesOfPath } from '../../../../src/api/shares/shares.ts'
import type { ShareDetails, ShareView } from '../../../../src/domain/shares/share.ts'
import { mayDo } from '../../../../src/domain/access/permissions.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useClient, type Client } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import type { UserId } from '../../../../src/domain/ids.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'

const DETAILS = { details: 'true' } as const
/** Includes expired links, which can be extended. */
const ALL = { ...DETAILS, expired: 'true' } as const

/** Always refetched: no event reports how often a link was opened. */
const FRESH = { staleTime: 0, refetchOnWindowFocus: true } as const

/** All links that the user may manage. */
export function sharesQuery(client: Client) {
  return queryOptions({
    queryKey: ['shares', 'all'],
    queryFn: async ({ signal }) => detailed(await client.call(listShares, { query: ALL, signal })),
    ...FRESH,
  })
}

/** All links without details, which would make the server look up each target. */
function plainSharesQuery(client: Client) {
  return queryOptions({
    queryKey: ['shares', 'plain'],
    queryFn: ({ signal }): Promise<readonly ShareView[]> => client.call(listShares, { query: {}, signal }),
  })
}

/** The links of one file or folder. */
export function sharesOfPathQuery(client: Client, path: VirtualPath) {
  return queryOptions({
    queryKey: ['shares', 'path', path],
    queryFn: async ({ signal }) => {
      return detailed(await client.call(listSharesOfPath, { params: { '*': path }, query: DETAILS, signal }))
    },
    ...FRESH,
  })
}

function detailed(shares: readonly (ShareView | ShareDetails)[]): ShareDetails[] {
  return shares.filter((share): share is ShareDetails => 'target' in share)
}

/** Whether the link alone opens the share, or also requires a password. */
export type SharedAccess = 'open' | 'password'

/** Access to shared entries, by their address in the app. */
export type SharedEntries = ReadonlyMap<string, SharedAccess>

/** The entries that the user's own links share. Links of other users are left out: their scope is another folder. */
export function sharedEntriesOf(shares: readonly ShareView[], owner: UserId): SharedEntries {
  const access = new Map<string, SharedAccess>()
  for (const { userID, path, hasPassword } of shares) {
    if (userID !== owner) continue
    const file = path.replace(/\/$/, '')
    // The command line shares folders without the slash at their end.
    for (const href of [filesHref(file), filesHref(`${file}/`)]) {
      if (!hasPassword) access.set(href, 'open')
      else if (!access.has(href)) access.set(href, 'password')
    }
  }
  return access
}

/** What the user shares, for the marks in the file list. */
export function useSharedEntries(): SharedEntries {
  const client = useClient()
  const user = useUser()
  const enabled = user !== undefined && mayDo(user.perm, 'shares.manage')
  const { data } = useQuery({ ...plainSharesQuery(client), enabled })
  return useMemo<SharedEntries>(
    () => (enabled && data !== undefined ? sharedEntriesOf(data, user.id) : new Map()),
    [data, enabled, user],
  )
}
