import { queryOptions } from '@tanstack/react-query'
import { getPasswordRules } from '../../../src/api/accounts/auth.ts'
import type { Client } from './client.ts'

/**
 * Requirements for new passwords. The server also names them when it rejects a password, so a failure here is harmless.
 */
export function passwordRulesQuery(client: Client) {
  return queryOptions({
    queryKey: ['password-rules'],
    queryFn: async ({ signal }) => await client.call(getPasswordRules, { signal }),
    staleTime: 0,
    throwOnError: false,
  })
}
