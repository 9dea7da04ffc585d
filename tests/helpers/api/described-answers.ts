import { OPERATIONS } from '../../../src/api/index.ts'
import { openapiDocument } from '../../../src/http/openapi/openapi.ts'
import { isRecord } from '../../../src/domain/schema/schema-tools.ts'

interface Described {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Record<string, unknown> }>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

interface Answered {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Statuses that the document describes once for all calls, or that appear only in the log. */
const COMMON_STATUSES = [421, 499, 500]

const { paths } = openapiDocument({ version: '1.0.0', base: '' }) as Document
/** Specific patterns before more general ones that match too. */
const KNOWN = OPERATIONS.toSorted((a, b) => b.path.length - a.path.length).map(({ id, method, path }) => ({
  id,
  method,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace('/*', '(?:/.*)?')}$`),
}))
const RESPONSES = new Map(
  Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId, responses }) => [operationId, responses] as const),
  ),
)

/** Throws if the OpenAPI document does not describe this status of the call, or this media type. */
export function requireDescribed(method: string, url: string, answer: Answered): void {
  const path = url.split('?')[0] ?? ''
  const operation = KNOWN.find((known) => known.method === method && known.pattern.test(path))
  const { statusCode: status, headers } = answer
  if (operation === undefined || COMMON_STATUSES.includes(status) || (status === 400 && /%(?![\da-f]{2})/i.test(path)))
    return
  const described = RESPONSES.get(operation.id)?.[status]
  if (described === undefined) throw new Error(`${operation.id} answered ${status}, which OpenAPI does not name`)
  const header = headers['content-type']
  const type = (typeof header === 'string' ? header : '').split(';')[0] ?? ''
  const types = isRecord(described.content) ? Object.keys(described.content) : undefined
  if (answer.body === '' || types === undefined || types.includes('*/*') || types.includes(type)) return
  throw new Error(`${operation.id} ${status} came as ${type}, and OpenAPI says ${types.join(', ')}`)
}
