import { queryOptions } from '@tanstack/react-query'
import { listPlaces } from '../../../../src/api/files/places.ts'
import type { PlaceView } from '../../../../src/domain/accounts/place.ts'
import type { Client } from '../../api/client.ts'

/** Milliseconds until a place that is away is looked for again. */
const LOOK_AGAIN = 30_000

/** The places of the user, in the order of "/". */
export function placesQuery(client: Client) {
  return queryOptions({
    queryKey: ['places'],
    queryFn: async ({ signal }): Promise<PlaceView[]> => await client.call(listPlaces, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ state }) => state === 'away') === true ? LOOK_AGAIN : false),
    throwOnError: false,
  })
}
