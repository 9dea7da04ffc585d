import type { TObject } from 'typebox'
import { OPERATIONS } from '../../api/index.ts'
import type { Access, Operation } from '../../api/operation.ts'
import { Job } from '../../domain/automation/job.ts'
import { FlatResource, Listing, Resource, Usage } from '../../domain/files/resource.ts'
import { Permissions } from '../../domain/access/permission-fields.ts'
import { Rule } from '../../domain/access/rule.ts'
import { ApiTokenView } from '../../domain/accounts/api-token.ts'
import { SessionView } from '../../domain/accounts/session.ts'
import { WireSettings } from '../../domain/settings/settings.ts'
import { ShareDetails, ShareView } from '../../domain/shares/share.ts'
import { KeptSorting, Sorting } from '../../domain/files/sorting.ts'
import { TrashItem } from '../../domain/files/trash.ts'
import { UserView, WireUserDefaults } from '../../domain/accounts/user.ts'
import { createReplies, ERROR_REPLIES, ERROR_SCHEMA, type JsonSchemas } from './replies.ts'
import type { HeaderExample, OperationExample, Examples } from './examples/operation-example.ts'
import { AUTH_EXAMPLES, GROUP_EXAMPLES, QUOTA_EXAMPLES, TOKEN_EXAMPLES, USER_EXAMPLES } from './examples/accounts.ts'
import { PROVIDER_EXAMPLES } from './examples/providers.ts'
import { FACTOR_EXAMPLES } from './examples/factors.ts'
import { AUTOMATION_EXAMPLES } from './examples/automation.ts'
import { FILE_EXAMPLES } from './examples/files.ts'
import { PICTURE_EXAMPLES } from './examples/pictures.ts'
import {
  EVENT_EXAMPLES,
  HOOK_EXAMPLES,
  SERVER_EXAMPLES,
  SETTINGS_EXAMPLES,
  TERMINAL_EXAMPLES,
  WEBHOOK_EXAMPLES,
} from './examples/server.ts'
import { SHARE_EXAMPLES } from './examples/shares.ts'
import { TRASH_EXAMPLES } from './examples/trash.ts'
import { UPLOAD_EXAMPLES } from './examples/uploads.ts'

/** Schemas that have a name in the document; all others are inlined. */
const SHARED = {
  Resource,
  Listing,
  FlatResource,
  Usage,
  Sorting,
  KeptSorting,
  Permissions,
  Rule,
  User: UserView,
  UserDefaults: WireUserDefaults,
  Settings: WireSettings,
  Session: SessionView,
  ApiToken: ApiTokenView,
  Job,
  TrashItem,
  Share: ShareView,
  ShareDetails,
}
const SIGNED_IN = [{ token: [] }, { cookie: [] }]
const API_TOKEN = [{ bearer: [] }, { basic: [] }]
const SECURITY: Readonly<Record<Access, readonly object[]>> = {
  public: [],
  share: [{}, { sharePassword: [] }, { shareToken: [] }],
  user: SIGNED_IN,
  admin: SIGNED_IN,
}
const SECURITY_SCHEMES = {
  token: { type: 'apiKey', in: 'header', name: 'X-Auth', description: 'The token of a sign-in, or an API token' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'auth', description: 'For GET only' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API token, for the calls that name this' },
  basic: { type: 'http', scheme: 'basic', description: 'The user name, and an API token as the password' },
  sharePassword: { type: 'apiKey', in: 'header', name: 'X-SHARE-PASSWORD', description: 'Percent-encoded' },
  shareToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'From the reply to a request with the password',
  },
}
const FILES = {
  type: 'object',
  properties: { file: { type: 'array', items: { contentMediaType: 'application/octet-stream' } } },
}

const DESCRIPTION =
  'Errors are plain text, or JSON for clients that accept it: `{"error":{"code":"NOT_FOUND","message":"…","details":{}}}`. ' +
  'Any call may also return 400 if the address cannot be decoded or the request has a Content-Range, 421 if sign-in is ' +
  'disabled and the host name is not local, and 500 for an internal error. If a query parameter is repeated, the first ' +
  'value counts. `HEAD` is answered like `GET`, without the body, by ' +
  `${withHead().join(', ')}; no archive is made for it, so its length is missing, and nothing is counted.`

function withHead(): string[] {
  return OPERATIONS.filter(({ head }) => head === true)
    .map(({ id }) => id)
    .toSorted()
}

export interface OpenapiOptions {
  /** Version of filemgr. */
  readonly version: string
  /** The prefix of all paths, without a trailing slash. */
  readonly base: string
}

/** The OpenAPI 3.1 document of all operations. */
export function openapiDocument({ version, base }: OpenapiOptions): object {
  const schemas = jsonSchemas(SHARED)
  const replies = createReplies(schemas.of)
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of OPERATIONS)
    (paths[pathOf(operation)] ??= {})[operation.method.toLowerCase()] = describe(operation)

  function describe(operation: Operation): object {
    const { id, summary, access, tokens } = operation
    const { description, headers } = EXAMPLES[id] ?? {}
    const forAdmins = access === 'admin' ? 'For administrators.' : undefined
    const texts = [description, forAdmins].filter((text) => text !== undefined)
    const parameters = parametersOf(operation, {
      schemaOf: schemas.of,
      example: EXAMPLES[id] ?? {},
      headers: headers ?? {},
    })
    return {
      operationId: id,
      summary,
      ...(texts.length === 0 ? {} : { description: texts.join(' ') }),
      tags: [id.split('.')[0] ?? id],
      security: [...SECURITY[access], ...(tokens === true ? API_TOKEN : [])],
      ...(parameters.length === 0 ? {} : { parameters }),
      ...bodyOf(operation),
      responses: replies(operation, EXAMPLES[id]?.replies ?? {}),
    }
  }

  function bodyOf({ id, body, bodyKind }: Operation): object {
    const { body: example, bodyType = 'application/octet-stream' } = EXAMPLES[id] ?? {}
    const shown = example === undefined ? {} : { example }
    // Raw bytes have no schema in OpenAPI 3.1.
    if (bodyKind === 'bytes') return { requestBody: { content: { [bodyType]: shown } } }
    if (bodyKind === 'files') return { requestBody: { content: { 'multipart/form-data': { schema: FILES } } } }
    if (body === undefined) return {}
    const type = bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
    return { requestBody: { required: true, content: { [type]: { schema: schemas.of(body), ...shown } } } }
  }

  return {
    openapi: '3.1.0',
    info: {
      title: 'filemgr',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: base === '' ? '/' : base }],
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { ...schemas.shared, Error: ERROR_SCHEMA },
      responses: ERROR_REPLIES,
    },
  }
}

/** Converts "/api/users/:id" to "/api/users/{id}"; "*" becomes "{path}", which may contain slashes. */
function pathOf({ path }: Operation): string {
  return path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')
}

/** Removes our own annotations. @param named schemas that are defined once and referenced */
function jsonSchemas(named: Readonly<Record<string, unknown>>): JsonSchemas {
  const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))

  const plain = (schema: unknown, self?: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map((item) => plain(item))
    if (typeof schema !== 'object' || schema === null) return schema
    const name = names.get(schema)
    if (name !== undefined && schema !== self) return { $ref: `#/components/schemas/${name}` }
    const kept = Object.entries(schema).filter(([key]) => key !== 'x-filemgr' && !key.startsWith('~'))
    return Object.fromEntries(kept.map(([key, value]) => [key, plain(value)]))
  }

  return {
    of: (schema) => plain(schema),
    shared: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, plain(schema, schema)])),
  }
}

interface Described {
  readonly schemaOf: JsonSchemas['of']
  readonly example: OperationExample
  readonly headers: Readonly<Record<string, HeaderExample>>
}

const REST = 'The path, with each name percent-encoded; slashes may be left as they are'

function parametersOf({ params, query }: Operation, { schemaOf, example, headers }: Described): object[] {
  const inPath = entriesOf(params).map(([name, schema]) => ({
    name: name === '*' ? 'path' : name,
    in: 'path',
    required: true,
    ...(name === '*' ? { description: REST } : {}),
    schema: schemaOf(schema),
    ...shown(example.params?.[name]),
  }))
  const needed: readonly string[] = query?.required ?? []
  const inQuery = entriesOf(query).map(([name, schema]) => ({
    name,
    in: 'query',
    required: needed.includes(name),
    schema: schemaOf(schema),
    ...shown(example.query?.[name]),
  }))
  const inHeaders = Object.entries(headers).map(([name, { description, example: value, required = false }]) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
    example: value,
  }))
  return [...inPath, ...inQuery, ...inHeaders]
}

function entriesOf(schema: TObject | undefined): [string, unknown][] {
  return Object.entries(schema?.properties ?? {})
}

function shown(example: unknown): object {
  return example === undefined ? {} : { example }
}

/** An example of every operation. Not part of the declarations, because the page does not need them. */
export const EXAMPLES: Examples = {
  ...AUTH_EXAMPLES,
  ...FACTOR_EXAMPLES,
  ...TOKEN_EXAMPLES,
  ...PROVIDER_EXAMPLES,
  ...FILE_EXAMPLES,
  ...AUTOMATION_EXAMPLES,
  ...PICTURE_EXAMPLES,
  ...UPLOAD_EXAMPLES,
  ...TRASH_EXAMPLES,
  ...SHARE_EXAMPLES,
  ...EVENT_EXAMPLES,
  ...USER_EXAMPLES,
  ...GROUP_EXAMPLES,
  ...QUOTA_EXAMPLES,
  ...SETTINGS_EXAMPLES,
  ...SERVER_EXAMPLES,
  ...HOOK_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
  ...TERMINAL_EXAMPLES,
}
