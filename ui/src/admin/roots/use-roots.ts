import { useQuery } from '@tanstack/react-query'
import { listRoots } from '../../../../src/api/server/roots.ts'
import type { RootId } from '../../../../src/domain/ids.ts'
import { isBucketUrl } from '../../../../src/domain/server/addresses.ts'
import { FILES_ROOT, type RootView } from '../../../../src/domain/server/root.ts'
import { useClient } from '../../api/client.ts'
import type { IconName } from '../../kit/icon/icon.tsx'

/** Milliseconds between two requests while a root is away: it comes back without an event. */
const POLL_INTERVAL = 15_000

/** All roots, the served folder first, kept up to date. */
export function useRoots() {
  const client = useClient()
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['roots'],
    queryFn: ({ signal }) => client.call(listRoots, { signal }),
    throwOnError: (_error, query) => query.state.data === undefined,
    refetchInterval: ({ state }) => state.data?.some(isAway) === true && POLL_INTERVAL,
    staleTime: 0,
  })
  return { roots: data, isFetching, lookAgain: () => void refetch() }
}

/** The root of an account or a place; undefined if it is gone. */
export function rootOfId(roots: readonly RootView[] | undefined, id: RootId = FILES_ROOT): RootView | undefined {
  return roots?.find((root) => root.id === id)
}

export function isAway({ state }: RootView): boolean {
  return state === 'away'
}

/** A disk that is mounted looks like one that can be taken away. */
export function iconOfRoot(root: Pick<RootView, 'location' | 'mountPoint'> | undefined): IconName {
  if (root !== undefined && isBucketUrl(root.location)) return 'bucket'
  return root === undefined || root.mountPoint === '' ? 'drive' : 'usb'
}
