import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Operation } from '../api/operation.ts'
import { Job } from '../domain/job.ts'
import { FlatResource, Listing, Resource, Usage } from '../domain/resource.ts'
import { Permissions } from '../domain/permissions.ts'
import { Rule } from '../domain/rule.ts'
import { SessionView } from '../domain/session.ts'
import { WireSettings } from '../domain/settings.ts'
import { ShareDetails, ShareView } from '../domain/share.ts'
import { KeptSorting, Sorting } from '../domain/sorting.ts'
import { TrashItem } from '../domain/trash.ts'
import { UserDefaults, UserView } from '../domain/user.ts'
import { statusLine } from './error-status.ts'

/** Schemas that have a name in the document; everything else is written out where it is used. */
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
  UserDefaults,
  Settings: WireSettings,
  Session: SessionView,
  Job,
  TrashItem,
  Share: ShareView,
  ShareDetails,
}
const NAMES = new Map<unknown, string>(Object.entries(SHARED).map(([name, schema]) => [schema, name]))

const SIGNED_IN = [{ token: [] }, { cookie: [] }]
const SECURITY = {
  public: [],
  share: [{}, { sharePassword: [] }, { shareToken: [] }],
  user: SIGNED_IN,
  admin: SIGNED_IN,
}
const BYTES = { type: 'string', format: 'binary' }
const FILES = { type: 'object', properties: { file: { type: 'array', items: BYTES } } }

/** Collects the routes into an OpenAPI 3.1 document. Registered only in an app that is built to be described. */
export const openapi = fastifyPlugin(async (app: FastifyInstance, { version }: { version: string }) => {
  for (const [name, schema] of Object.entries(SHARED))
    app.addSchema({ ...(plain(schema, schema) as object), $id: name })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'filemgr', version, description: 'Errors are plain text, or JSON for clients that accept it.' },
      components: {
        securitySchemes: {
          token: { type: 'apiKey', in: 'header', name: 'X-Auth' },
          sharePassword: { type: 'apiKey', in: 'header', name: 'X-SHARE-PASSWORD', description: 'Percent-encoded' },
          shareToken: {
            type: 'apiKey',
            in: 'query',
            name: 'token',
            description: 'As the answer to the password says it',
          },
          cookie: { type: 'apiKey', in: 'cookie', name: 'auth', description: 'For GET only' },
        },
      },
    },
    refResolver: { buildLocalReference: ({ $id }) => $id as string },
    transform: ({ schema, url, route }) => {
      const operation = route.config?.operation
      const isHidden = operation === undefined || (schema as { hide?: boolean } | undefined)?.hide === true
      return { url, schema: isHidden ? { hide: true } : describe(operation) }
    },
  })
})

function describe(operation: Operation): FastifySchema {
  const { id, summary, params, query, body, bodyKind, access } = operation
  return {
    operationId: id,
    summary,
    tags: [id.split('.')[0] ?? id],
    security: SECURITY[access],
    ...(params === undefined ? {} : { params: plain(params) }),
    ...(query === undefined ? {} : { querystring: plain(query) }),
    ...(body === undefined ? {} : { body: plain(body) }),
    ...(bodyKind === 'bytes' ? { consumes: ['application/octet-stream'], body: BYTES } : {}),
    ...(bodyKind === 'files' ? { consumes: ['multipart/form-data'], body: FILES } : {}),
    response: Object.fromEntries(
      Object.entries(operation.replies).map(([status, reply]) => [status, replyOf(status, reply)]),
    ),
  }
}

function replyOf(status: string, reply: unknown): object {
  const description = statusLine(Number(status))
  return reply === null ? { description, type: 'null' } : { description, ...(plain(reply) as object) }
}

/** The schema without what only our own tools read, and with names in place of shared schemas. */
function plain(schema: unknown, self?: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => plain(item))
  if (typeof schema !== 'object' || schema === null) return schema
  const name = NAMES.get(schema)
  if (name !== undefined && schema !== self) return { $ref: `${name}#` }
  const kept = Object.entries(schema).filter(([key]) => key !== 'x-filemgr' && !key.startsWith('~'))
  return Object.fromEntries(kept.map(([key, value]) => [key, plain(value)]))
}
