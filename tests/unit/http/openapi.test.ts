import { Validator } from '@seriousme/openapi-schema-validator'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { EXAMPLES, openapiDocument } from '../../../src/http/openapi/openapi.ts'
import { OPERATIONS } from '../../../src/api/index.ts'
import type { Operation } from '../../../src/api/operation.ts'

interface Reply {
  readonly description?: string
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema?: unknown; readonly example?: unknown }>>
}

interface Described {
  readonly operationId: string
  readonly responses: Readonly<Record<string, Reply>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly responses: Readonly<Record<string, Reply>> }
}

const openDocument = (base = '') => openapiDocument({ version: '1.0.0', base }) as Document

/** The mistakes in an example, such as "users.create body: /data must be …". */
function problemsOf({ id, params, query, body, replies, bodyKind }: Operation): string[] {
  const example = EXAMPLES[id]
  if (example === undefined) return [`${id}: add a call of it to src/api/examples`]
  const parts: [string, TSchema | null | undefined, unknown][] = [
    ['params', params, example.params],
    ['query', query, example.query ?? (query?.required === undefined ? {} : undefined)],
    ['body', body, example.body],
    ...Object.entries(replies).map(
      ([status, schema]) =>
        [`reply ${status}`, schema, example.replies?.[Number(status)]?.value] as [string, TSchema, unknown],
    ),
  ]
  const wrong = parts.flatMap(([part, schema, value]) => {
    if (schema === null || schema === undefined) return []
    if (value === undefined) return [`${id} ${part}: has a schema and no example`]
    // Undefined members and dates change when they are sent as JSON.
    const sent: unknown = JSON.parse(JSON.stringify(value))
    return Compile(schema)
      .Errors(sent)
      .map(({ instancePath, message }) => `${id} ${part}: ${instancePath} ${message}`)
  })
  const missing = bodyKind === 'bytes' && example.body === undefined ? [`${id} body: takes bytes and shows none`] : []
  const unknownNames = Object.keys(example.query ?? {}).filter((name) => !(name in (query?.properties ?? {})))
  return [...wrong, ...missing, ...unknownNames.map((name) => `${id} query: takes no "${name}"`)]
}

describe('the examples', () => {
  it('exist for every operation, and match its schemas', () => {
    expect(OPERATIONS.flatMap(problemsOf)).toEqual([])
  })

  it('belong to existing operations and statuses', () => {
    const known = new Set(
      OPERATIONS.flatMap(({ id, replies }) => Object.keys(replies).map((status) => `${id} ${status}`)),
    )
    const described = Object.entries(EXAMPLES).flatMap(([id, { replies }]) =>
      Object.keys(replies ?? {}).map((status) => `${id} ${status}`),
    )
    expect(described.filter((name) => !known.has(name))).toEqual([])
    const ids = OPERATIONS.map(({ id }) => id)
    expect(Object.keys(EXAMPLES).filter((id) => !ids.includes(id))).toEqual([])
  })
})

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(openDocument() as object as Record<string, unknown>)
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  it('describes every status, and shows its reply', () => {
    const { paths, components } = openDocument()
    const unclear = Object.values(paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ operationId, responses }) =>
        Object.entries(responses).flatMap(([status, { $ref, ...reply }]) => {
          const name = $ref?.replace('#/components/responses/', '')
          const { description = '', content = {} } = name === undefined ? reply : (components.responses[name] ?? {})
          const isShown = Object.values(content).every((body) => 'schema' in body || 'example' in body)
          return /^[A-Z].*[a-z]/.test(description) && !description.startsWith(status) && (isShown || isBytes(content))
            ? []
            : [`${operationId} ${status}: "${description}"`]
        }),
      )
    expect(unclear).toEqual([])
  })

  it('names the base URL, which the addresses begin with', () => {
    expect(openDocument('/files')).toMatchObject({ servers: [{ url: '/files' }] })
    expect(openDocument()).toMatchObject({ servers: [{ url: '/' }] })
  })
})

function isBytes(content: Readonly<Record<string, unknown>>): boolean {
  return 'application/octet-stream' in content || '*/*' in content
}

it.each([
  ...['users.create', 'users.update', 'users.delete', 'server.update', 'settings.updateSignIn', 'backup.create'].map(
    (id) => ({ id, why: 'asks for the own password', status: '429' }),
  ),
  { id: 'server.ready', why: 'says that the folder is missing', status: '503' },
  { id: 'server.health', why: 'says that the folder is missing', status: '503' },
])('$id $why, and so may answer $status', ({ id, status }) => {
  const described = Object.values(openDocument().paths).flatMap((methods) => Object.values(methods))
  expect(Object.keys(described.find(({ operationId }) => operationId === id)?.responses ?? {})).toContain(status)
})
