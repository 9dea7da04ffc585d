import { queryOptions } from '@tanstack/react-query'
import { listSessions } from '../../../../../src/api/sessions.ts'
import type { SessionView } from '../../../../../src/domain/session.ts'
import type { Client } from '../../../api/client.ts'

/** Where the user is signed in. The server tells when the list is another one. */
export function devicesQuery(client: Client) {
  return queryOptions({
    queryKey: ['sessions', 'own'],
    queryFn: ({ signal }) => client.call(listSessions, { query: {}, signal }),
    staleTime: 0,
  })
}

export function othersOf(devices: readonly SessionView[]): SessionView[] {
  return devices.filter(({ current }) => !current)
}
