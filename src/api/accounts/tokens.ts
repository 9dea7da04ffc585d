import { Type } from 'typebox'
import { ApiTokenView, MadeApiToken, NewApiToken } from '../../domain/accounts/api-token.ts'
import { operation } from '../operation.ts'

export const listTokens = operation({
  id: 'tokens.list',
  method: 'GET',
  path: '/api/tokens',
  access: 'user',
  summary: 'Your API tokens, latest first; those of all users with all=true, for administrators',
  query: Type.Object({ all: Type.Optional(Type.Boolean()) }),
  replies: { 200: Type.Array(ApiTokenView), 400: null, 403: null },
})

export const createToken = operation({
  id: 'tokens.create',
  method: 'POST',
  path: '/api/tokens',
  access: 'user',
  summary: 'Make an API token; the reply contains its secret, which is never shown again',
  body: Type.Object({
    ...NewApiToken.properties,
    current_password: Type.Optional(
      Type.String({ maxLength: 4096, description: 'Your password, unless another sign-in method is set' }),
    ),
  }),
  replies: { 200: MadeApiToken, 400: null, 403: null, 409: null, 429: null },
})

export const revokeToken = operation({
  id: 'tokens.revoke',
  method: 'DELETE',
  path: '/api/tokens/:id',
  access: 'user',
  summary: 'Revoke an API token; takes effect at once, also for running requests',
  params: Type.Object({ id: Type.String({ minLength: 12, maxLength: 64 }) }),
  replies: { 204: null, 403: null, 404: null },
})
