import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useClient } from '../api/client-context.tsx'
import { useConfig } from '../api/config.tsx'
import { createShareKeys } from './share-keys.ts'
import { isFolder, openByPassword, shareKey, shareQuery, type Shared } from './share-query.ts'

export type Visit =
  | { readonly kind: 'loading' }
  /** A password is wanted. */
  | { readonly kind: 'closed'; unlock(password: string): Promise<void> }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | { readonly kind: 'open'; readonly shared: Shared; readonly token: string | undefined }

/**
 * What a link shows at a path. A share with a password gives a token for it, which is kept until the tab is closed.
 *
 * @param given the token that came with the address
 */
export function useVisit(hash: string, path: string, given: string | undefined): Visit {
  const client = useClient()
  const queries = useQueryClient()
  const { BaseURL } = useConfig()
  const [keys] = useState(() => createShareKeys(sessionStorage, BaseURL))
  const [token, setToken] = useState(() => given ?? keys.recall(hash))
  const { data: shared, error, refetch } = useQuery(shareQuery(client, hash, path, token))
  const refused = error instanceof ApiError && error.status === 401

  const own = shared?.token
  useEffect(() => {
    if (own !== undefined) keys.keep(hash, own)
    else if (refused) keys.forget(hash)
  }, [keys, hash, own, refused])

  const unlock = async (password: string): Promise<void> => {
    // What was shared itself: whether the path beneath it is there is another question.
    const root = await openByPassword(client, hash, password)
    if (path === '/' || !isFolder(root)) queries.setQueryData(shareKey(hash, path, root.token), root)
    setToken(root.token)
    // The password was taken away meanwhile.
    if (root.token === undefined) await refetch()
  }
  if (shared !== undefined && !refused) return { kind: 'open', shared, token }
  if (refused) return { kind: 'closed', unlock }
  if (error !== null) return { kind: 'failed', error, retry: () => void refetch() }
  return { kind: 'loading' }
}
