/** What the worker does with a request; nothing at all with most. */
export type RequestKind = 'page' | 'asset' | 'listing' | 'receive'
// A "listing" may turn out to be a file, which is not kept: addresses do not tell.

export type RequestFacts = Pick<Request, 'method' | 'mode' | 'url'> & { readonly headers: Pick<Headers, 'has'> }

/** Names with a hash of their content never change what they mean. */
const HASHED = /^static\/.*-[\w-]{8}\.\w+$/
/** Addresses that are no place of the app, and links of shares: what visitors see is never kept. */
const NOT_THE_APP = /^(api|static|share)(\/|$)/

/**
 * Only what is named here is ever kept or answered by the worker: no content of files, no sign-in, no token, no share.
 *
 * @param scope address below which the worker works, with a slash at its end
 */
export function kindOf({ method, mode, url, headers }: RequestFacts, scope: string): RequestKind | undefined {
  if (!url.startsWith(scope)) return undefined
  const [path = '', ...rest] = url.slice(scope.length).split(/[?#]/)
  if (mode === 'navigate') {
    if (method === 'POST') return path === 'receive' ? 'receive' : undefined
    return method === 'GET' && !NOT_THE_APP.test(path) ? 'page' : undefined
  }
  if (method !== 'GET') return undefined
  if (HASHED.test(path)) return 'asset'
  const isListing = path.startsWith('api/resources/') && rest.join('') === ''
  return isListing && headers.has('X-Auth') ? 'listing' : undefined
}
