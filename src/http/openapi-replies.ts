import { STATUS_CODES } from 'node:http'
import type { ReplyExample } from '../api/examples/operation-example.ts'
import type { Operation } from '../api/operation.ts'
import { statusLine } from './error-status.ts'

/** The default description of each status. */
const MEANINGS: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Made',
  202: 'It goes on by itself',
  204: 'Done; there is no body',
  206: 'A part of the bytes',
  301: 'The same under the address as it is spelled here',
  304: 'It has not changed',
  400: 'Something in the request is not valid; the text says what',
  401: 'Not signed in, or the session has ended',
  403: 'Not permitted, or denied by a rule',
  404: 'Nothing is there that this user may know of',
  405: 'Not to be done with this kind of thing',
  408: 'The body did not arrive in time',
  409: 'It does not go with what is there',
  412: 'It has changed meanwhile: the condition of the request does not hold',
  413: 'Too large',
  415: 'Of a type that is not taken here, or with a Content-Encoding',
  416: 'The range lies outside of the file',
  460: 'The bytes that arrived do not have the checksum that was sent with them',
  429: 'Too often; `Retry-After` says when to try again',
  501: 'Not possible with this kind of file',
  503: 'Busy; try again',
  507: 'Too little space on the disk',
}

const LOCATION = { description: 'the right address', schema: { type: 'string' }, example: '/api/raw/' }
const HTML = { 'text/html': { schema: { type: 'string' } } }

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

/** By name: every operation refers to them. */
export const ERROR_REPLIES = Object.fromEntries(ERRORS.map((status) => [nameOf(status), errorReply(status)]))

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
    const told = Object.entries(headers ?? {}).map(([name, header]) => [
      name,
      { description: header.description, schema: { type: 'string' }, example: header.example },
    ])
    if (status === 301) return { description: meaning, headers: { Location: LOCATION }, content: HTML }
    const type = mediaType ?? (schema === null ? 'text/plain' : 'application/json')
    const isText = schema === null && value === undefined && type === 'text/plain'
    const shown = isText ? { example: `${statusLine(status)}\n` } : value === undefined ? {} : { example: value }
    return {
      description: meaning,
      ...(told.length === 0 ? {} : { headers: Object.fromEntries(told) as object }),
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

/** The replies of an operation, those sent before it runs, and those for its errors. */
function repliesOf({ replies, access, path, body, bodyKind }: Operation): Readonly<Record<number, unknown>> {
  const takesBody = body !== undefined || bodyKind !== undefined
  return {
    ...(path.endsWith('/*') && { 301: null, 400: null, 503: null }),
    ...((access === 'user' || access === 'admin') && { 401: null }),
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

/** "404 Not Found" is "NotFound". */
function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? String(status)).replaceAll(/\W/g, '')
}

/** Schemas of ours as plain JSON Schema. */
export interface JsonSchemas {
  /** The schema, or a reference to it where it has a name. */
  readonly of: (schema: unknown) => unknown
  /** Those with a name, written out. */
  readonly shared: Readonly<Record<string, unknown>>
}
