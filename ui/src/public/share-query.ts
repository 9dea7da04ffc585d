import { queryOptions } from '@tanstack/react-query'
import { getShared } from '../../../src/api/public.ts'
import type { Listing, Resource } from '../../../src/domain/resource.ts'
import { ApiError } from '../api/api-error.ts'
import type { Client } from '../api/client.ts'

/** While the server cannot be reached, it is asked again this often. */
const RETRY_WITHOUT_CONNECTION = 5000

/** A folder with its entries, or the one file. */
export type Shared = Listing | Resource

export const shareKey = (hash: string, path: string, token: string | undefined) =>
  ['share', hash, path, token ?? ''] as const

export function shareQuery(client: Client, hash: string, path: string, token: string | undefined) {
  return queryOptions({
    queryKey: shareKey(hash, path, token),
    queryFn: ({ signal }): Promise<Shared> =>
      client.call(getShared, { params: { '*': hash + path }, query: token === undefined ? {} : { token }, signal }),
    structuralSharing: false,
    refetchInterval: ({ state: { error } }) =>
      error instanceof ApiError && error.status === 0 && RETRY_WITHOUT_CONNECTION,
    refetchOnReconnect: true,
  })
}

/** @throws ApiError: 401 for a wrong password, 429 with the seconds to wait */
export async function openByPassword(client: Client, hash: string, password: string): Promise<Shared> {
  const headers = { 'X-SHARE-PASSWORD': encodeURIComponent(password) }
  return await client.call(getShared, { params: { '*': hash }, headers })
}

export function isFolder(shared: Shared): shared is Listing {
  return 'items' in shared
}
