import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getResource } from '../../../../src/api/files/files.ts'
import type { Listing, Resource } from '../../../../src/domain/files/resource.ts'
import { parseVirtualPath, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../api/api-error.ts'
import type { Client } from '../../api/client.ts'
import { keepRuled } from '../../api/ruled.ts'
import { filesPathOf } from '../../lib/navigation/app-path.ts'

/** Milliseconds between two attempts while the server cannot be reached. */
const RETRY_WITHOUT_CONNECTION = 5000
const STALE_TIME = 2000

/** A folder with its entries, or a file if the path names one. */
export type Found = Listing | Resource

/** The key of all listings, to refresh them. */
export const LISTINGS = ['listing'] as const

export const listingKey = (folder: string) => [...LISTINGS, folder] as const

/** The entries of a folder, if they have been fetched. */
export function cachedEntries(queries: QueryClient, folder: string): readonly Resource[] | undefined {
  return queries.getQueryData<Partial<Listing>>(listingKey(folder))?.items
}

export function listingQuery(client: Client, folder: VirtualPath) {
  return queryOptions({
    queryKey: listingKey(folder),
    queryFn: async ({ signal }): Promise<Found> => {
      const [found, { arrangeListing }] = await Promise.all([
        client.call(getResource, { params: { '*': folder }, signal }) as Promise<Found>,
        // Not part of what every page fetches.
        import('../list/sort/arrange.ts'),
      ])
      keepRuled(folder, found.permissions)
      return isListing(found) ? await arrangeListing(found, folder, client) : found
    },
    staleTime: STALE_TIME,
    // Comparing a hundred thousand entries with the previous ones costs more than rendering forty rows.
    structuralSharing: false,
    retry: false,
    refetchInterval: (query) => isOffline(query.state.error) && RETRY_WITHOUT_CONNECTION,
  })
}

/** Fetches the folder or file at an address before its screen does. The screen repeats a failed request and shows its error. */
export async function prefetchListing(queries: QueryClient, client: Client, pathname: string): Promise<void> {
  const path = filesPathOf(pathname)
  if (path === undefined) return
  const query = listingQuery(client, parseVirtualPath(path))
  await queries.query(query).catch((error: unknown) => {
    queries.removeQueries({ queryKey: query.queryKey, type: 'inactive' })
    throw error
  })
}

export function isListing(found: Found): found is Listing {
  return 'items' in found
}

function isOffline(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0
}
