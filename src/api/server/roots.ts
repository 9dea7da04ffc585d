import { Type } from 'typebox'
import { RootChange, RootView } from '../../domain/server/root.ts'
import { operation } from '../operation.ts'

const params = Type.Object({ id: Type.String({ maxLength: 64 }) })
const password = { current_password: Type.Optional(Type.String({ maxLength: 1024 })) }

export const listRoots = operation({
  id: 'roots.list',
  method: 'GET',
  path: '/api/roots',
  access: 'admin',
  tokens: true,
  summary: 'All roots, and which of them are away; the first is the served folder itself',
  replies: { 200: Type.Array(RootView), 403: null },
})

export const createRoot = operation({
  id: 'roots.create',
  method: 'POST',
  path: '/api/roots',
  access: 'admin',
  summary: 'Add a folder or bucket that accounts can live in',
  body: Type.Object({ ...RootChange.properties, ...password }),
  replies: { 200: RootView, 400: null, 403: null, 409: null, 429: null },
})

export const changeRoot = operation({
  id: 'roots.change',
  method: 'PATCH',
  path: '/api/roots/:id',
  access: 'admin',
  summary: 'Set the values that are given; takes effect at once',
  params,
  body: Type.Object({ ...RootChange.properties, ...password }),
  replies: { 200: RootView, 400: null, 403: null, 404: null, 409: null, 429: null },
})

export const removeRoot = operation({
  id: 'roots.remove',
  method: 'DELETE',
  path: '/api/roots/:id',
  access: 'admin',
  summary: 'Remove a root; its files stay where they are',
  params,
  body: Type.Object(password),
  replies: { 204: null, 400: null, 403: null, 404: null, 429: null },
})
