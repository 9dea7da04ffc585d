import { queryOptions } from '@tanstack/react-query'
import { listGrants, listShared } from '../../../../../src/api/shares/grants.ts'
import type { Client } from '../../../api/client.ts'

/** What others share with the user. */
export function sharedQuery(client: Client) {
  return queryOptions({
    queryKey: ['shares', 'mine'],
    queryFn: async ({ signal }) => await client.call(listShared, { signal }),
  })
}

/** With whom the user shares one file or folder. */
export function grantsQuery(client: Client, path: string) {
  return queryOptions({
    queryKey: ['shares', 'people', path],
    queryFn: async ({ signal }) => await client.call(listGrants, { query: { path }, signal }),
    staleTime: 0,
  })
}
