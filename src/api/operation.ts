import { type Static, type TObject, type TSchema, Type } from 'typebox'

type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call an operation at all; 'share' is a visitor with a public link. The services check permissions. */
export type Access = 'public' | 'share' | 'user' | 'admin'

/**
 * JSON, parsed whatever the Content-Type says, because File Browser's clients send none; the raw bytes as a stream; files as
 * multipart/form-data; or the fields of a form, as other servers send them.
 */
type BodyKind = 'json' | 'bytes' | 'files' | 'form'

/** What an operation takes and returns, however it is called. */
export interface Declaration {
  /** Noun and verb, such as "users.create": the name of the route, of the OpenAPI operation and in the activity log. */
  readonly id: string
  readonly summary: string
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  readonly bodyKind?: BodyKind
  /** Status to schema; `null` for a reply without a schema (plain text, a stream, no body). */
  readonly replies: Readonly<Record<number, TSchema | null>>
}

/** A call of the API. */
export interface Operation extends Declaration {
  readonly method: HttpMethod
  /** Fastify pattern, such as "/api/users/:id" or "/api/resources/*". */
  readonly path: string
  readonly access: Access
  /** API tokens may call it too. Without this, it needs a person who has signed in. */
  readonly tokens?: true
  /** It may be called although a second factor is required and missing: without it, nothing may but what sets one up. */
  readonly setsUpFactor?: true
  /** HEAD is answered like GET: what download managers and previews of chats ask for. */
  readonly head?: true
  /** Any method works, as old clients expect; `method` is the documented one. */
  readonly anyMethod?: true
}

/**
 * What only the operator may do, by a command: never mounted by HTTP. One with the id of a call of the API is the same call with
 * what only the operator may give or see, such as the hash of a password.
 */
export interface OperatorOperation extends Declaration {
  readonly access: 'operator'
  /** Changes nothing, so the activity log does not have it. */
  readonly reads?: true
  /** The reply is bytes instead of JSON. */
  readonly replyKind?: 'bytes'
}

type Shape<S> = S extends TSchema ? Static<S> : unknown

export type ParamsOf<O extends Declaration> = Shape<O['params']>
export type QueryOf<O extends Declaration> = Shape<O['query']>
type Bytes = AsyncIterable<Uint8Array>
/** HTTP takes bytes from the request instead, and sends them itself. */
export type BodyOf<O extends Declaration> = O extends { readonly access: 'operator'; readonly bodyKind: 'bytes' }
  ? Bytes
  : Shape<O['body']>
export type ReplyOf<O extends Declaration> = O extends { readonly replyKind: 'bytes' }
  ? Bytes
  : O['replies'] extends { readonly 200: infer S }
    ? Shape<S>
    : undefined

/** Declares one API call. Routes, the page's client, OpenAPI and the parity test are derived from it. */
export function operation<const O extends Operation>(declaration: O): O {
  return declaration
}

export function operatorOperation<const O extends OperatorOperation>(declaration: O): O {
  return declaration
}

/** The rest of the URL after a prefix, percent-decoded once by the router. */
export const PathParams = Type.Object({ '*': Type.String() })

/** How the operator names a user. */
export const UserName = Type.String({ description: 'User name, or "id:7"' })

/** How the operator names a group. */
export const GroupName = Type.String({ description: 'Name of a group, or "id:f3JkQ0aZ"' })

/** For what may be asked of one user. */
export const OfUser = Type.Object({ user: Type.Optional(UserName) })

export const IdParams = Type.Object({ id: Type.String({ pattern: '^[0-9]+$' }) })

/** The replies of calls that send a file or parts of it. */
export const FILE_REPLIES = {
  200: null,
  202: null,
  206: null,
  304: null,
  400: null,
  403: null,
  404: null,
  412: null,
  416: null,
} as const
