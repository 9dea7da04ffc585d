import { queryOptions } from '@tanstack/react-query'
import { listShares, listSharesOfPath } from '../../../../src/api/shares.ts'
import type { ShareDetails, ShareView } from '../../../../src/domain/share.ts'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { Client } from '../../api/client.ts'

const DETAILS = { details: 'true' } as const

/** What is told of links is asked for anew each time: how often they were opened changes without a message. */
const FRESH = { staleTime: 0, refetchOnWindowFocus: true } as const

/** All links that the user may manage. */
export function sharesQuery(client: Client) {
  return queryOptions({
    queryKey: ['shares', 'all'],
    queryFn: async ({ signal }) => detailed(await client.call(listShares, { query: DETAILS, signal })),
    ...FRESH,
  })
}

/** The same without what costs a look at each target. */
export function plainSharesQuery(client: Client) {
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
