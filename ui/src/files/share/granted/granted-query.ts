import { queryOptions } from '@tanstack/react-query'
import { listGrants, listShared } from '../../../../../src/api/shares/grants.ts'
import type { GrantKind } from '../../../../../src/domain/shares/grant.ts'
import type { Client } from '../../../api/client.ts'
import type { MessageId } from '../../../i18n/use-text.tsx'

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

/** What recipients may do. */
export const GIVEN: Readonly<Record<GrantKind, MessageId>> = {
  view: 'shares.allowView',
  download: 'shares.allowDownload',
  edit: 'shares.allowEdit',
  upload: 'shares.allowUpload',
}
