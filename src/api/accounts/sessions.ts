import { Type } from 'typebox'
import { SessionView } from '../../domain/accounts/session.ts'
import { operation } from '../operation.ts'

export const listSessions = operation({
  id: 'sessions.list',
  method: 'GET',
  path: '/api/sessions',
  access: 'user',
  summary: 'Signed-in devices: own ones; with all=true everybody’s, for administrators',
  query: Type.Object({ all: Type.Optional(Type.Boolean()) }),
  replies: { 200: Type.Array(SessionView), 400: null, 403: null },
})

export const revokeSession = operation({
  id: 'sessions.revoke',
  method: 'DELETE',
  path: '/api/sessions/:id',
  access: 'user',
  summary: 'Sign a device out; takes effect on its next request',
  params: Type.Object({ id: Type.String({ minLength: 16, maxLength: 64 }) }),
  replies: { 204: null, 403: null, 404: null },
})

export const revokeSessions = operation({
  id: 'sessions.revokeAll',
  method: 'DELETE',
  path: '/api/sessions',
  access: 'user',
  summary: 'Sign out all own devices but this one; for administrators those of a user, or everybody’s',
  query: Type.Object({ userId: Type.Optional(Type.Integer({ minimum: 1 })), all: Type.Optional(Type.Boolean()) }),
  replies: { 200: Type.Object({ revoked: Type.Integer() }), 400: null, 403: null },
})
