import { Type } from 'typebox'
import { operation } from '../operation.ts'

const Watched = {
  folder: Type.Optional(Type.String({ description: 'Folder to watch; none if empty' })),
  beside: Type.Optional(Type.String({ description: 'Another folder to watch, such as the one in a second pane' })),
}

export const openEvents = operation({
  id: 'events.stream',
  method: 'GET',
  path: '/api/events',
  access: 'user',
  summary: 'Server-sent events until the session ends; at most 16 streams per user',
  query: Type.Object(Watched),
  replies: { 200: null, 400: null, 403: null, 404: null },
})

export const watchFolder = operation({
  id: 'events.watch',
  method: 'PUT',
  path: '/api/events/:stream',
  access: 'user',
  summary: 'Change the watched folders of an open event stream; in effect when the reply arrives',
  params: Type.Object({ stream: Type.String({ maxLength: 64 }) }),
  body: Type.Object(Watched, { additionalProperties: false }),
  replies: { 204: null, 400: null, 403: null, 404: null, 429: null },
})
