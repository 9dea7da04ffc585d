import { queryOptions } from '@tanstack/react-query'
import { listNotices } from '../../../../src/api/automation/notices.ts'
import type { Client } from '../../api/client.ts'

/** Milliseconds. No event tells that a link is about to expire, or a quota nearly full. */
const INTERVAL = 60 * 60 * 1000

/** What the user may have missed, new ones first. Live events refetch it. */
export function noticesQuery(client: Client) {
  return queryOptions({
    queryKey: ['notices'],
    queryFn: ({ signal }) => client.call(listNotices, { signal }),
    refetchInterval: INTERVAL,
    throwOnError: false,
  })
}
