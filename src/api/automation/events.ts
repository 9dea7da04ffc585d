import { Type } from 'typebox'
import { operation } from '../operation.ts'

const Folder = Type.Optional(Type.String({ description: 'Folder to watch; none if empty' }))

export const openEvents = operation({
  id: 'events.stream',
  method: 'GET',
  path: '/api/events',
  access: 'user',
  summary: 'Server-sent events until the session ends; at most 16 streams per user',
  query: Type.Object({ folder: Folder }),
  replies: { 200: null, 400: null, 403: null, 404: null },
})

export const watchFolder = operation({
  id: 'events.watch',
  method: 'PUT',
  path: '/api/events/:stream',
  access: 'user',
  summary: 'Change the watched folder of an open event stream; in effect when the reply arrives',
  params: Type.Object({ stream: Type.String({ maxLength: 64 }) }),
  body: Type.Object({ folder: Folder }, { additionalProperties: false }),
  replies: { 204: null, 400: null, 403: null, 404: null, 429: null },
})
