import { PAGE_HEADER } from '../../../src/domain/page-contract.ts'
import { encodeName, encodePath } from '../../../src/domain/files/name-text.ts'
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from '../../../src/api/operation.ts'
import { ApiError, noConnection } from './api-error.ts'
import { requiredContext } from '../lib/hooks.ts'

type Part<Name extends string, Value> = unknown extends Value
  ? object
  : object extends Value
    ? Partial<Record<Name, Value>>
    : Record<Name, Value>

/** Path parameters and query, as the operation declares them. */
type TargetOf<O extends Operation> = Part<'params', ParamsOf<O>> & Part<'query', QueryOf<O>>

type SentBody<O extends Operation> = O extends { readonly bodyKind: 'bytes' }
  ? { body?: Blob | string }
  : O extends { readonly bodyKind: 'files' }
    ? { body: FormData }
    : Part<'body', BodyOf<O>>

type InputOf<O extends Operation> = TargetOf<O> &
  SentBody<O> & {
    signal?: AbortSignal | undefined
    /** Additional headers, such as `Prefer`. */
    headers?: Readonly<Record<string, string>> | undefined
  }

export interface Client {
  /**
   * Calls an operation of the API.
   *
   * @throws ApiError for every unsuccessful response; status 0 without a connection. Aborts are rethrown.
   */
  call<O extends Operation>(operation: O, input: InputOf<O>): Promise<ReplyOf<O>>
  /** Like `call`, with the ETag of the response for If-Match. @throws like `call` */
  versioned<O extends Operation>(operation: O, input: InputOf<O>): Promise<Versioned<ReplyOf<O>>>
  /** The URL of a call, for links, images and requests with progress. */
  url<O extends Operation>(operation: O, target: TargetOf<O>): string
  /** Auth headers for requests that bypass `call`. Read them for each request, since tokens are renewed. */
  authHeaders(): Record<string, string>
  /** Passes on the auth headers of a response to a request that bypassed `call`. */
  handleAuthHeaders(answer: Answer): void
  /** After a 401: waits until the user has signed in again. Resolves to whether to retry the request. */
  waitForSignIn(sent: Record<string, string>): Promise<boolean>
}

export interface Versioned<Value> {
  readonly value: Value
  readonly etag: string | null
  /** URL of the created resource in the page. */
  readonly location?: string | null
}

interface Answer {
  status: number
  /** Value of the X-Renew-Token header. */
  renewToken: string | null
  /** The result of `authHeaders` for the request. */
  sent: Record<string, string>
}

interface ClientDependencies {
  /** Without a trailing slash; empty at the root. */
  baseUrl: string
  token: () => string | undefined
  /** Called when the server asks to renew the token. */
  onRenewHint: () => void
  /** Called when a request with this token was answered with 401. */
  onRejected: (token: string | undefined) => void
  /** Resolves to whether the user of this token has signed in again; without it, the user is not asked. */
  waitForSignIn?: (token: string | undefined) => Promise<boolean>
  fetch?: typeof fetch | undefined
}

interface LooseInput {
  params?: Values
  query?: Values
  body?: unknown
  signal?: AbortSignal
  headers?: Readonly<Record<string, string>>
}

export function createClient(dependencies: ClientDependencies): Client {
  const { baseUrl, token, onRenewHint, onRejected, fetch: request = fetch } = dependencies
  const authHeaders = (): Record<string, string> => {
    const current = token()
    return current === undefined ? {} : { 'X-Auth': current }
  }

  function handleAuthHeaders({ status, renewToken, sent }: Answer): void {
    // A request that was sent before a renewal carries the old token, which is no reason to renew again.
    if (renewToken === 'true' && sent['X-Auth'] === token()) onRenewHint()
    if (status === 401) onRejected(sent['X-Auth'])
  }

  const waitForSignIn = async (sent: Record<string, string>) =>
    (await dependencies.waitForSignIn?.(sent['X-Auth'])) ?? false

  async function send(operation: Operation, input: LooseInput): Promise<Response> {
    const sent = authHeaders()
    const init = { method: operation.method, ...bodyOf(operation, input), signal: input.signal ?? null }
    const headers = { Accept: 'application/json', [PAGE_HEADER]: '1', ...sent, ...init.headers, ...input.headers }
    const url = operationUrl(baseUrl, operation, input.params, input.query)
    const response = await request(url, { ...init, headers }).catch(noConnection)
    // For a public link, 401 means that its password is missing.
    if (operation.access !== 'public' && operation.access !== 'share') {
      handleAuthHeaders({ status: response.status, renewToken: response.headers.get('X-Renew-Token'), sent })
      if (response.status === 401 && (await waitForSignIn(sent))) return await send(operation, input)
    }
    if (!response.ok) throw await ApiError.from(response)
    return response
  }

  return {
    authHeaders,
    handleAuthHeaders,
    waitForSignIn,
    url: (operation, target) => {
      const { params, query } = target as LooseInput
      return operationUrl(baseUrl, operation, params, query)
    },
    call: async (operation, input) => (await readReply(await send(operation, input as LooseInput))) as never,
    versioned: async (operation, input) => {
      const response = await send(operation, input as LooseInput)
      const { headers } = response
      const [etag, location] = [headers.get('ETag'), headers.get('Location')]
      return { value: (await readReply(response)) as never, etag, location }
    },
  }
}

function bodyOf(operation: Operation, { body }: LooseInput): { body?: BodyInit; headers?: Record<string, string> } {
  if (body === undefined) return {}
  if (operation.bodyKind !== undefined) return { body: body as BodyInit }
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

function readReply(response: Response): Promise<unknown> {
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') ?? false
  return isJson ? response.json() : response.text()
}

export const [ClientProvider, useClient] = requiredContext<Client>('Client')

/** Values of path parameters or of the query. */
type Values = Readonly<Record<string, string | number | boolean | undefined>>

/** URL of a call: path parameters are percent-encoded by segment, without a leading slash; undefined query values are left out. */
function operationUrl(baseUrl: string, operation: Operation, params: Values = {}, query: Values = {}): string {
  const path = operation.path.replace(/:(\w+)|\*/g, (_match, name?: string) =>
    name === undefined
      ? encodePath(String(params['*'] ?? '').replace(/^\//, ''))
      : encodeName(String(params[name] ?? '')),
  )
  // URLSearchParams would lose bytes of names that are not UTF-8.
  const search = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeName(String(value))}`,
  )
  return search.length === 0 ? baseUrl + path : `${baseUrl}${path}?${search.join('&')}`
}

/** Milliseconds between requests for data that the command line may change without the server knowing. */
export const POLL_INTERVAL = 5000
