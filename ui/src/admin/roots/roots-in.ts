import { queryOptions } from '@tanstack/react-query'
import { getServer } from '../../../../src/api/server/server-options.ts'
import type { Client } from '../../api/client.ts'

/** The folders and buckets in which administrators may add roots here. */
export function rootsInQuery(client: Client) {
  return queryOptions({
    queryKey: ['roots', 'in'],
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const { rootsIn } = await client.call(getServer, { signal })
      return Array.isArray(rootsIn.value) ? rootsIn.value.map(String) : []
    },
    throwOnError: false,
  })
}
