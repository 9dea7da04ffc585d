import { queryOptions } from '@tanstack/react-query'
import { getPasswordRules } from '../../../src/api/accounts/auth.ts'
import type { Client } from './client.ts'

/** What a new password must be. The server says it again when one is refused, so nothing breaks without. */
export function passwordRulesQuery(client: Client) {
  return queryOptions({
    queryKey: ['password-rules'],
    queryFn: async ({ signal }) => await client.call(getPasswordRules, { signal }),
    staleTime: 0,
    throwOnError: false,
  })
}
