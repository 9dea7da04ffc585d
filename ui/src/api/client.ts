import { PAGE_HEADER } from '../../../src/domain/page-contract.ts'
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from '../../../src/api/operation.ts'
import { ApiError, noConnection } from './api-error.ts'
import { createContext, useContext } from 'react'

type Part<Name extends string, Value> = unknown extends Value
  ? object
  : object extends Value
    ? Partial<Record<Name, Value>>
    : Record<Name, Value>

/** Where a call goes: `params` and `query` as the operation declares them; those it does not have are left out. */
type TargetOf<O extends Operation> = Part<'params', ParamsOf<O>> & Part<'query', QueryOf<O>>

type SentBody<O extends Operation> = O extends { readonly bodyKind: 'bytes' }
  ? { body?: Blob | string }
  : O extends { readonly bodyKind: 'files' }
    ? { body: FormData }
    : Part<'body', BodyOf<O>>

type InputOf<O extends Operation> = TargetOf<O> &
  SentBody<O> & {
    signal?: AbortSignal | undefined
    /** Further ones, such as `Prefer`. */
    headers?: Readonly<Record<string, string>> | undefined
  }

export interface Client {
  /**
   * Makes one call of the wire.
   *
   * @throws ApiError for every answer that is not a success, status 0 without a connection; an abort as it comes
   */
  call<O extends Operation>(operation: O, input: InputOf<O>): Promise<ReplyOf<O>>
  /** The same, with the version of what was answered: its ETag, for If-Match. @throws as `call` does */
  versioned<O extends Operation>(operation: O, input: InputOf<O>): Promise<Versioned<ReplyOf<O>>>
  /** The address of a call, for links, pictures and requests with progress. */
  url<O extends Operation>(operation: O, target: TargetOf<O>): string
  /** What such requests must send to be let in: of this moment, since tokens are renewed. */
  authHeaders(): Record<string, string>
  /** What such requests must tell once they are answered, as calls do by themselves. */
  handleAuthHeaders(answer: Answer): void
  /** After a 401: waits while the user is asked to sign in again. Whether the request may be made once more. */
  back(sent: Record<string, string>): Promise<boolean>
}

export interface Versioned<Value> {
  readonly value: Value
  readonly etag: string | null
  /** Of what was made: its address in the page. */
  readonly location?: string | null
}

interface Answer {
  status: number
  /** Of its header X-Renew-Token. */
  renewToken: string | null
  /** What `authHeaders` gave for the request. */
  sent: Record<string, string>
}

interface ClientDependencies {
  /** Without a slash at its end; empty at the root. */
  baseUrl: string
  token: () => string | undefined
  /** The server asks for the token to be renewed. */
  onRenewHint: () => void
  /** A call with this token was answered by 401. */
  onRejected: (token: string | undefined) => void
  /** Whether the user of this token is signed in again; without it the user is not asked to. */
  back?: (token: string | undefined) => Promise<boolean>
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
    if (renewToken === 'true') onRenewHint()
    if (status === 401) onRejected(sent['X-Auth'])
  }

  const back = async (sent: Record<string, string>) => (await dependencies.back?.(sent['X-Auth'])) ?? false

  async function send(operation: Operation, input: LooseInput): Promise<Response> {
    const sent = authHeaders()
    const init = { method: operation.method, ...bodyOf(operation, input), signal: input.signal ?? null }
    const headers = { Accept: 'application/json', [PAGE_HEADER]: '1', ...sent, ...init.headers, ...input.headers }
    const url = operationUrl(baseUrl, operation, input.params, input.query)
    const response = await request(url, { ...init, headers }).catch(noConnection)
    // Of a public link 401 asks for its password, signed in or not.
    if (operation.access !== 'public' && operation.access !== 'share') {
      handleAuthHeaders({ status: response.status, renewToken: response.headers.get('X-Renew-Token'), sent })
      if (response.status === 401 && (await back(sent))) return await send(operation, input)
    }
    if (!response.ok) throw await ApiError.from(response)
    return response
  }

  return {
    authHeaders,
    handleAuthHeaders,
    back,
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

const ClientContext = createContext<Client | undefined>(undefined)

export const ClientProvider = ClientContext.Provider

export function useClient(): Client {
  const client = useContext(ClientContext)
  if (client === undefined) throw new Error('ClientProvider is missing above this component')
  return client
}

/** What goes into a path or behind the question mark. */
type Values = Readonly<Record<string, string | number | boolean | undefined>>

/** The address of a call: parameters go into the path, percent-encoded segment by segment; unset query values are left out. */
function operationUrl(baseUrl: string, operation: Operation, params: Values = {}, query: Values = {}): string {
  const path = operation.path.replace(/:(\w+)|\*/g, (_match, name?: string) =>
    name === undefined ? encodePath(String(params['*'] ?? '')) : encodeURIComponent(String(params[name] ?? '')),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  return search.size === 0 ? baseUrl + path : `${baseUrl}${path}?${search.toString()}`
}

/** Encodes what a URL may not carry as it is, but keeps the slashes. A slash at the start is dropped. */
function encodePath(path: string): string {
  return path.replace(/^\//, '').split('/').map(encodeURIComponent).join('/')
}

/** Milliseconds between requests for data that the command line may change without the server knowing. */
export const POLL_INTERVAL = 5000
