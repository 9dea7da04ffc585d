/** How the worker handles a request. A "listing" can turn out to be a file: both have the same kind of address. */
export type RequestKind = 'page' | 'asset' | 'listing' | 'receive'

export type RequestFacts = Pick<Request, 'method' | 'mode' | 'url'> & { readonly headers: Pick<Headers, 'has'> }

/** Files with a hash of their content in the name never change. */
const HASHED = /^static\/.*-[\w-]{8}\.\w+$/
/** Addresses outside the app, and share links: what visitors see is never kept. */
const EXCLUDED = /^(api|static|share)(\/|$)/

/**
 * The kinds of requests that the worker handles; undefined for all others. File contents, sign-in, tokens and shares
 * are never kept.
 *
 * @param scope base address of the worker, ending in a slash
 */
export function kindOf({ method, mode, url, headers }: RequestFacts, scope: string): RequestKind | undefined {
  if (!url.startsWith(scope)) return undefined
  const [path = '', ...rest] = url.slice(scope.length).split(/[?#]/)
  if (mode === 'navigate') {
    if (method === 'POST') return path === 'receive' ? 'receive' : undefined
    return method === 'GET' && !EXCLUDED.test(path) ? 'page' : undefined
  }
  if (method !== 'GET') return undefined
  if (HASHED.test(path)) return 'asset'
  const isListing = path.startsWith('api/resources/') && rest.join('') === ''
  return isListing && headers.has('X-Auth') ? 'listing' : undefined
}
