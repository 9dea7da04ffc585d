import { Type } from 'typebox'
import { GrantChange, GrantView, NewGrant, SharedWithMe, Someone } from '../../domain/shares/grant.ts'
import { operation } from '../operation.ts'

const IdParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) })

export const listGrants = operation({
  id: 'grants.list',
  method: 'GET',
  path: '/api/grants',
  access: 'user',
  tokens: true,
  summary: 'What you share with users of this server',
  query: Type.Object({ path: Type.Optional(Type.String({ description: 'Only what is shared of this path' })) }),
  replies: { 200: Type.Array(GrantView), 400: null, 403: null },
})

export const createGrant = operation({
  id: 'grants.create',
  method: 'POST',
  path: '/api/grants',
  access: 'user',
  summary: 'Share a file or folder with a user, or with all members of a group',
  body: Type.Object(
    { path: Type.String({ minLength: 1, maxLength: 4096 }), ...NewGrant.properties },
    { additionalProperties: false },
  ),
  replies: { 200: GrantView, 400: null, 403: null, 404: null, 409: null },
})

export const updateGrant = operation({
  id: 'grants.update',
  method: 'PUT',
  path: '/api/grants/:id',
  access: 'user',
  summary: 'Change what recipients may do, or until when; omitted fields stay as they are',
  params: IdParams,
  body: GrantChange,
  replies: { 200: GrantView, 400: null, 403: null, 404: null },
})

export const removeGrant = operation({
  id: 'grants.remove',
  method: 'DELETE',
  path: '/api/grants/:id',
  access: 'user',
  summary: 'Share it no longer; what recipients are doing with it ends at once',
  params: IdParams,
  replies: { 204: null, 403: null, 404: null },
})

export const listShared = operation({
  id: 'grants.shared',
  method: 'GET',
  path: '/api/shared',
  access: 'user',
  tokens: true,
  summary: 'What others share with you, the newest first',
  replies: { 200: Type.Array(SharedWithMe) },
})

export const leaveShared = operation({
  id: 'grants.leave',
  method: 'DELETE',
  path: '/api/shared/:id',
  access: 'user',
  summary: 'Give up what others share with you',
  params: IdParams,
  replies: { 204: null, 404: null },
})

export const findPeople = operation({
  id: 'grants.people',
  method: 'GET',
  path: '/api/people',
  access: 'user',
  summary: 'Find users and groups to share with, by at least two letters of their names; up to 20',
  query: Type.Object({ q: Type.String({ maxLength: 255 }) }),
  replies: { 200: Type.Array(Someone), 400: null, 403: null },
})
