import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client-context.tsx'
import { useConfig } from '../../api/config.tsx'
import { useUser } from '../../api/session-context.tsx'
import { createRecentQueries, type RecentQueries } from './recent-queries.ts'
import { createSearches, type Searches } from './searches.ts'

/** What outlives the overlay. Held by what is there before the overlay's code is, and filled by that code. */
export interface SearchMemory {
  searches?: Searches
}

export function useSearchMemory(kept: SearchMemory): { searches: Searches; recents: RecentQueries } {
  const client = useClient()
  const { BaseURL } = useConfig()
  const owner = useUser()?.id ?? 0
  kept.searches ??= createSearches(client, reportUnlessAnswered)
  return { searches: kept.searches, recents: createRecentQueries(localStorage, `${BaseURL}:${owner}`) }
}

/** What the server answered is shown in the list; anything else is a mistake of ours. */
function reportUnlessAnswered(error: unknown): void {
  if (!(error instanceof ApiError)) reportError(error)
}
