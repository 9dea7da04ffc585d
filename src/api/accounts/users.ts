import { Type } from 'typebox'
import { UserView } from '../../domain/accounts/user.ts'
import { IdParams, operation } from '../operation.ts'
/** The body for writing users. The service validates only the fields of `data` that `which` names. */
const UserWrite = Type.Object({
  what: Type.Optional(Type.Unknown()),
  which: Type.Optional(Type.Unknown()),
  current_password: Type.Optional(Type.Unknown()),
  data: Type.Optional(Type.Unknown()),
})

export const listUsers = operation({
  id: 'users.list',
  method: 'GET',
  path: '/api/users',
  access: 'admin',
  tokens: true,
  summary: 'All users, by id',
  replies: { 200: Type.Array(UserView), 403: null },
})

export const getUser = operation({
  id: 'users.get',
  method: 'GET',
  path: '/api/users/:id',
  access: 'user',
  summary: 'One user: yourself, or any for administrators',
  params: IdParams,
  replies: { 200: UserView, 403: null, 404: null },
})

export const createUser = operation({
  id: 'users.create',
  method: 'POST',
  path: '/api/users',
  access: 'admin',
  summary: 'Create a user',
  body: UserWrite,
  replies: { 201: null, 400: null, 403: null, 409: null, 429: null },
})

export const updateUser = operation({
  id: 'users.update',
  method: 'PUT',
  path: '/api/users/:id',
  access: 'user',
  summary: 'Change the fields that `which` names',
  params: IdParams,
  body: UserWrite,
  replies: { 200: null, 400: null, 403: null, 404: null, 409: null, 429: null },
})

export const deleteUser = operation({
  id: 'users.delete',
  method: 'DELETE',
  path: '/api/users/:id',
  access: 'user',
  summary: 'Delete a user with their links and sessions',
  params: IdParams,
  body: Type.Object({ current_password: Type.Optional(Type.Unknown()) }),
  replies: { 200: null, 400: null, 403: null, 404: null, 429: null },
})

export const resetFactors = operation({
  id: 'users.resetFactors',
  method: 'DELETE',
  path: '/api/users/:id/factors',
  access: 'admin',
  summary: 'Remove all second factors of a user, whose devices must sign in again',
  params: IdParams,
  body: Type.Object({ current_password: Type.Optional(Type.String({ maxLength: 4096 })) }),
  replies: { 204: null, 400: null, 403: null, 404: null, 429: null },
})
