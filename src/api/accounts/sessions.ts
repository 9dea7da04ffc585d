import { Type } from 'typebox'
import { SessionView } from '../../domain/accounts/session.ts'
import { operation } from '../operation.ts'

export const listSessions = operation({
  id: 'sessions.list',
  method: 'GET',
  path: '/api/sessions',
  access: 'user',
  summary: 'Your signed-in devices; those of all users with all=true, for administrators',
  query: Type.Object({ all: Type.Optional(Type.Boolean()) }),
  replies: { 200: Type.Array(SessionView), 400: null, 403: null },
})

export const revokeSession = operation({
  id: 'sessions.revoke',
  method: 'DELETE',
  path: '/api/sessions/:id',
  access: 'user',
  summary: 'Sign out a device; takes effect at its next request',
  params: Type.Object({ id: Type.String({ minLength: 16, maxLength: 64 }) }),
  replies: { 204: null, 403: null, 404: null },
})

export const revokeSessions = operation({
  id: 'sessions.revokeAll',
  method: 'DELETE',
  path: '/api/sessions',
  access: 'user',
  summary: 'Sign out all your other devices; for administrators also those of a user or of all users',
  query: Type.Object({ userId: Type.Optional(Type.Integer({ minimum: 1 })), all: Type.Optional(Type.Boolean()) }),
  replies: { 200: Type.Object({ revoked: Type.Integer() }), 400: null, 403: null },
})
