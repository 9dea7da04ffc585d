import { Type } from 'typebox'
import { OptionView, ServerOptions } from '../../domain/server/server-options.ts'
import { operation } from '../operation.ts'

export const getServer = operation({
  id: 'server.get',
  method: 'GET',
  path: '/api/server',
  access: 'admin',
  tokens: true,
  summary: 'Server options with source and pending changes; with an ETag',
  replies: { 200: Type.Object(mapped(ServerOptions, () => OptionView)), 403: null },
})

export const updateServer = operation({
  id: 'server.update',
  method: 'PUT',
  path: '/api/server',
  access: 'admin',
  summary: 'Replace all saved server options, null for a default; takes effect at the next start',
  body: Type.Object({
    current_password: Type.Optional(Type.String({ maxLength: 1024 })),
    values: Type.Object(
      mapped(ServerOptions, () => Type.Optional(Type.Unknown())),
      { description: 'Every option except those that can only be set at startup' },
    ),
  }),
  replies: { 200: null, 400: null, 403: null, 409: null, 412: null, 429: null },
})

/** The properties of a schema by name, each with another schema. */
function mapped<P extends object, S>({ properties }: { properties: P }, schemaOf: () => S): Record<keyof P, S> {
  return Object.fromEntries(Object.keys(properties).map((name) => [name, schemaOf()])) as Record<keyof P, S>
}
