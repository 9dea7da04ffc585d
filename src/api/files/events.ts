import { Type } from 'typebox'
import { operation } from '../operation.ts'

const Folder = Type.Optional(Type.String({ description: 'Path of the folder to watch; none when empty' }))

export const openEvents = operation({
  id: 'events.stream',
  method: 'GET',
  path: '/api/events',
  access: 'user',
  summary: 'What happens, as server-sent events, for as long as the session lasts; at most 16 streams of one user',
  query: Type.Object({ folder: Folder }),
  replies: { 200: null, 400: null, 403: null, 404: null },
})

export const watchFolder = operation({
  id: 'events.watch',
  method: 'PUT',
  path: '/api/events/:stream',
  access: 'user',
  summary: 'Watch another folder in an open stream of events; it is watched when the answer comes',
  params: Type.Object({ stream: Type.String({ maxLength: 64 }) }),
  body: Type.Object({ folder: Folder }, { additionalProperties: false }),
  replies: { 204: null, 400: null, 403: null, 404: null },
})
