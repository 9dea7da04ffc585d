import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { getFactors } from '../../../../../src/api/accounts/factors.ts'
import { ApiError } from '../../../api/api-error.ts'
import { type Client, useClient } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'

/** The user's second factors. */
function factorsQuery(client: Client) {
  return queryOptions({
    queryKey: ['factors'],
    queryFn: ({ signal }) => client.call(getFactors, { signal }),
    staleTime: 0,
  })
}

export function useFactors() {
  return useQuery({ ...factorsQuery(useClient()), throwOnError: false })
}

/** Fetches again what a change of the factors may have changed: the list, the devices, and what the token says. */
export function useFactorsChanged(): () => Promise<void> {
  const queries = useQueryClient()
  const session = useSession()
  return async () => {
    await session.renew().catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
    })
    // Whatever was refused until now may be allowed.
    await queries.invalidateQueries()
  }
}

/** Reports a failure that no form shows. */
export function useReportProblem(): (error: unknown) => void {
  const t = useText()
  const toasts = useToasts()
  return (error) => toasts.error(problemText(t, problemOf(error)))
}
