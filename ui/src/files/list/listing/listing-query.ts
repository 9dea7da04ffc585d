import { queryOptions } from '@tanstack/react-query'
import { getResource } from '../../../../../src/api/files/files.ts'
import type { Listing, Resource } from '../../../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../../api/api-error.ts'
import type { Client } from '../../../api/client.ts'

/** Milliseconds between two tries while the server cannot be reached. */
const RETRY_WITHOUT_CONNECTION = 5000
const STALE_TIME = 2000

/** A folder with its entries, or a file if the path names one. */
export type Found = Listing | Resource

export const listingKey = (folder: VirtualPath) => ['listing', folder] as const

export function listingQuery(client: Client, folder: VirtualPath) {
  return queryOptions({
    queryKey: listingKey(folder),
    queryFn: ({ signal }): Promise<Found> => client.call(getResource, { params: { '*': folder }, signal }),
    staleTime: STALE_TIME,
    // Comparing a hundred thousand entries with the previous ones costs more than rendering forty rows.
    structuralSharing: false,
    retry: false,
    refetchInterval: (query) => isOffline(query.state.error) && RETRY_WITHOUT_CONNECTION,
  })
}

export function isListing(found: Found): found is Listing {
  return 'items' in found
}

function isOffline(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0
}
