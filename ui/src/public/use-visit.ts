import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { getLink, getShared } from '../../../src/api/shares/public.ts'
import type { LinkView } from '../../../src/domain/shares/share-terms.ts'
import type { Listing, Resource } from '../../../src/domain/files/resource.ts'
import { ApiError } from '../api/api-error.ts'
import { useClient, type Client } from '../api/client.ts'
import { useConfig } from '../api/page-config.tsx'

export type Visit =
  | { readonly kind: 'loading' }
  /** The share needs a password. */
  | { readonly kind: 'locked'; unlock(password: string): Promise<void> }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | {
      readonly kind: 'open'
      readonly shared: Shared
      readonly token: string | undefined
      readonly link: LinkView
    }
  /** The link only receives files. */
  | { readonly kind: 'sending'; readonly link: LinkView; readonly token: string | undefined }

/**
 * What a share link shows at a path. The password of a share is exchanged for a token, kept until the tab is closed.
 *
 * @param given the token in the address
 */
export function useVisit(hash: string, path: string, given: string | undefined): Visit {
  const client = useClient()
  const queries = useQueryClient()
  const { BaseURL } = useConfig()
  const [tokens] = useState(() => createShareTokens(sessionStorage, BaseURL))
  const [token, setToken] = useState(() => given ?? tokens.get(hash))
  // First fetch what the link allows: one that only receives files refuses all other requests.
  const linkState = useQuery(linkQuery(client, hash, token))
  const link = linkState.data
  const shows = link !== undefined && link.allows !== 'upload'
  const { data: shared, ...shareState } = useQuery({ ...shareQuery(client, hash, path, token), enabled: shows })
  const error = linkState.error ?? shareState.error
  const refetch = async () => await (linkState.error === null ? shareState : linkState).refetch()
  const refused = error instanceof ApiError && error.status === 401

  const own = shared?.token ?? link?.token
  useEffect(() => {
    if (own !== undefined) tokens.set(hash, own)
    else if (refused) tokens.delete(hash)
  }, [tokens, hash, own, refused])

  const unlock = async (password: string): Promise<void> => {
    const opened = await openByPassword(client, hash, password)
    queries.setQueryData(linkQuery(client, hash, opened.token).queryKey, opened)
    setToken(opened.token)
    // The owner has removed the password in the meantime.
    if (opened.token === undefined) await refetch()
  }
  if (link?.allows === 'upload' && !refused) return { kind: 'sending', link, token }
  if (link !== undefined && shared !== undefined && !refused) return { kind: 'open', shared, token, link }
  if (refused) return { kind: 'locked', unlock }
  if (error !== null) return { kind: 'failed', error, retry: () => void refetch() }
  return { kind: 'loading' }
}

/** Milliseconds between attempts while the server cannot be reached, and between looks at how many downloads are left. */
const INTERVAL = 5000

/** Tries again by itself while the server cannot be reached. */
const UNTIL_CONNECTED = {
  refetchInterval: ({ state: { error } }: { readonly state: { readonly error: Error | null } }) =>
    error instanceof ApiError && error.status === 0 && INTERVAL,
  refetchOnReconnect: true,
} as const

/** A folder with its entries, or a file. */
type Shared = Listing | Resource

const shareKey = (hash: string, path: string, token: string | undefined) => ['share', hash, path, token ?? ''] as const

export function shareQuery(client: Client, hash: string, path: string, token: string | undefined) {
  return queryOptions({
    queryKey: shareKey(hash, path, token),
    queryFn: ({ signal }): Promise<Shared> =>
      client.call(getShared, { params: { '*': hash + path }, query: token === undefined ? {} : { token }, signal }),
    structuralSharing: false,
    ...UNTIL_CONNECTED,
  })
}

/** What visitors of a link may do, and its texts. */
export function linkQuery(client: Client, hash: string, token: string | undefined) {
  return queryOptions({
    queryKey: ['share', hash, 'link', token ?? ''],
    queryFn: ({ signal }) =>
      client.call(getLink, { params: { '*': hash }, query: token === undefined ? {} : { token }, signal }),
    ...UNTIL_CONNECTED,
    refetchInterval: (query) =>
      UNTIL_CONNECTED.refetchInterval(query) || ((query.state.data?.downloadsLeft ?? 0) > 0 && INTERVAL),
  })
}

/** @throws ApiError: 401 for a wrong password, 429 with the seconds to wait */
async function openByPassword(client: Client, hash: string, password: string): Promise<LinkView> {
  const headers = { 'X-SHARE-PASSWORD': encodeURIComponent(password) }
  return await client.call(getLink, { params: { '*': hash }, query: {}, headers })
}

export function isFolder(shared: Shared): shared is Listing {
  return 'items' in shared
}

/** Tokens of shares with a password, kept until the tab is closed. The password itself is never stored. */
function createShareTokens(storage: Storage, baseUrl: string) {
  const keyOf = (hash: string) => `filemgr:share:${baseUrl}:${hash}`
  return {
    get: (hash: string) => storage.getItem(keyOf(hash)) ?? undefined,
    set: (hash: string, token: string) => storage.setItem(keyOf(hash), token),
    delete: (hash: string) => storage.removeItem(keyOf(hash)),
  }
}
