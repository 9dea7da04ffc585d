import { STATUS_CODES } from 'node:http'
import type { ReplyExample } from './examples/operation-example.ts'
import type { Operation } from '../../api/operation.ts'
import { statusLine } from '../error-status.ts'

/** The default description of each status. */
const MEANINGS: Readonly<Record<number, string>> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted; it continues in the background',
  204: 'Success, without a body',
  206: 'Part of the content',
  301: 'Redirect to the normalized address',
  302: 'Redirect to the file in the bucket, for a minute',
  304: 'Not changed',
  400: 'The request is invalid; the text says why',
  401: 'Not signed in, or the session or API token has ended',
  403: 'Not permitted, or denied by a rule',
  404: 'Not found, or hidden from this user',
  405: 'Not allowed for this resource',
  408: 'The body did not arrive in time',
  409: 'Conflict with the current state',
  412: 'The condition of the request failed: the resource has changed',
  413: 'Too large',
  415: 'Unsupported media type, or a Content-Encoding',
  416: 'The range is outside the file',
  460: 'The received bytes do not match the checksum',
  429: 'Too many requests; `Retry-After` says when to try again',
  501: 'Not supported for this kind of file',
  503: 'Busy, or under maintenance; `Retry-After` says when to try again',
  507: 'Not enough space on the disk, or in the quota of the user',
}

const LOCATIONS: Readonly<Record<number, object>> = {
  301: locationOf('the normalized address', '/api/raw/'),
  302: locationOf('the address of the file in the bucket', 'https://s3.example.org/files/film.mp4?X-Amz-Signature=…'),
}

const DETAILS = { field: 'name', reason: 'why', retryAfter: 10 }

export const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'details'],
      properties: {
        code: { type: 'string', examples: ['NOT_FOUND'] },
        message: { type: 'string', description: 'What went wrong and what to do' },
        details: { type: 'object', description: `Such as ${Object.keys(DETAILS).join(', ')}` },
      },
    },
  },
}

const ERRORS = Object.keys(MEANINGS)
  .map(Number)
  .filter((status) => status >= 400)

/** Shared components that all operations refer to. */
export const ERROR_REPLIES = Object.fromEntries(ERRORS.map((status) => [nameOf(status), errorReply(status)]))

function locationOf(description: string, example: string): object {
  return { description, schema: { type: 'string' }, example }
}

type Replies = (operation: Operation, examples: Readonly<Record<number, ReplyExample>>) => Record<string, object>

export function createReplies(schemaOf: JsonSchemas['of']): Replies {
  const reply = (
    status: number,
    schema: unknown,
    { description, mediaType, otherTypes = [], headers, value }: ReplyExample,
  ): object => {
    const meaning = description ?? MEANINGS[status] ?? statusLine(status)
    if (status >= 400)
      return { ...(description === undefined ? {} : { description }), $ref: `#/components/responses/${nameOf(status)}` }
    const described = Object.entries(headers ?? {}).map(([name, header]) => [
      name,
      { description: header.description, schema: { type: 'string' }, example: header.example },
    ])
    const location = LOCATIONS[status]
    if (location !== undefined)
      return {
        description: meaning,
        headers: headers === undefined ? { Location: location } : (Object.fromEntries(described) as object),
      }
    const type = mediaType ?? (schema === null ? 'text/plain' : 'application/json')
    const isText = schema === null && value === undefined && type === 'text/plain'
    const shown: object = isText
      ? { example: `${statusLine(status)}\n` }
      : value === undefined
        ? {}
        : { example: value }
    return {
      description: meaning,
      ...(described.length === 0 ? {} : { headers: Object.fromEntries(described) as object }),
      ...(hasBody(status)
        ? {
            content: {
              [type]: { ...(schema === null ? {} : { schema: schemaOf(schema) }), ...shown },
              ...Object.fromEntries(otherTypes.map((other) => [other, { schema: {} }])),
            },
          }
        : {}),
    }
  }

  return (operation, examples) => {
    return Object.fromEntries(
      Object.entries(repliesOf(operation)).map(([status, schema]) => [
        status,
        reply(Number(status), schema, examples[Number(status)] ?? {}),
      ]),
    )
  }
}

/** The declared replies of an operation, and those that the framework sends before it runs. */
function repliesOf({ replies, access, path, body, bodyKind }: Operation): Readonly<Record<number, unknown>> {
  const takesBody = body !== undefined || bodyKind !== undefined
  return {
    ...(path.endsWith('/*') && { 301: null, 400: null, 503: null }),
    ...((access === 'user' || access === 'share') && { 503: null }),
    // 403 for an API token where none may be used, 429 after too many wrong ones.
    ...((access === 'user' || access === 'admin') && { 401: null, 403: null, 429: null }),
    ...(takesBody && { 415: null }),
    ...(body !== undefined && { 408: null, 413: null }),
    ...replies,
  }
}

function hasBody(status: number): boolean {
  return ![204, 304].includes(status)
}

function errorReply(status: number): object {
  const text = `${statusLine(status)}\n`
  return {
    description: MEANINGS[status] ?? statusLine(status),
    content: {
      'text/plain': { schema: { type: 'string' }, example: text },
      'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    },
  }
}

/** The component name of a status: "NotFound" for 404. */
function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? String(status)).replaceAll(/\W/g, '')
}

/** Our schemas as plain JSON Schema. */
export interface JsonSchemas {
  /** The schema, or a reference if it has a name. */
  readonly of: (schema: unknown) => unknown
  /** The named schemas in full. */
  readonly shared: Readonly<Record<string, unknown>>
}
