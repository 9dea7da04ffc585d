import { STATUS_CODES } from 'node:http'
import type { ReplyExample } from '../../api/examples/operation-example.ts'
import type { Operation } from '../../api/operation.ts'
import { statusLine } from '../error-status.ts'
import type { JsonSchemas } from './json-schemas.ts'

/** What a status means unless an operation says something else. */
const MEANINGS: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Made',
  202: 'It goes on by itself',
  204: 'Done; there is no body',
  206: 'A part of the bytes',
  304: 'It has not changed',
  400: 'Something in the request is not valid; the text says what',
  401: 'Nobody is signed in, or the session is over',
  403: 'Not permitted, or denied by a rule',
  404: 'Nothing is there that this user may know of',
  405: 'Not to be done with this kind of thing',
  409: 'It does not go with what is there',
  412: 'It has changed meanwhile: the condition of the request does not hold',
  413: 'Too large',
  415: 'Of a type that is not taken here',
  416: 'The range lies outside of the file',
  429: 'Too often; `Retry-After` says when to try again',
  501: 'Not possible with this kind of file',
  503: 'Busy; try again',
  507: 'Too little space on the disk',
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

/** By name: every operation refers to them. */
export const ERROR_REPLIES = Object.fromEntries(ERRORS.map((status) => [nameOf(status), errorReply(status)]))

type Replies = (operation: Operation, examples: Readonly<Record<number, ReplyExample>>) => Record<string, object>

export function createReplies(schemaOf: JsonSchemas['of']): Replies {
  const reply = (status: number, schema: unknown, { description, mediaType, headers, value }: ReplyExample): object => {
    const meaning = description ?? MEANINGS[status] ?? statusLine(status)
    if (status >= 400)
      return { ...(description === undefined ? {} : { description }), $ref: `#/components/responses/${nameOf(status)}` }
    const told = Object.entries(headers ?? {}).map(([name, header]) => [
      name,
      { description: header.description, schema: { type: 'string' }, example: header.example },
    ])
    const type = mediaType ?? (schema === null ? 'text/plain' : 'application/json')
    const isText = schema === null && value === undefined && type === 'text/plain'
    const shown = isText ? { example: `${statusLine(status)}\n` } : value === undefined ? {} : { example: value }
    return {
      description: meaning,
      ...(told.length === 0 ? {} : { headers: Object.fromEntries(told) as object }),
      ...(hasBody(status)
        ? { content: { [type]: { ...(schema === null ? {} : { schema: schemaOf(schema) }), ...shown } } }
        : {}),
    }
  }

  return (operation, examples) => {
    const { replies, access } = operation
    const all: Readonly<Record<number, unknown>> =
      access === 'user' || access === 'admin' ? { 401: null, ...replies } : replies
    return Object.fromEntries(
      Object.entries(all).map(([status, schema]) => [
        status,
        reply(Number(status), schema, examples[Number(status)] ?? {}),
      ]),
    )
  }
}

function hasBody(status: number): boolean {
  return status !== 204 && status !== 304
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
