import { Type } from 'typebox'
import { TrashItem } from '../../domain/files/trash.ts'
import { operation } from '../operation.ts'

const TrashParams = Type.Object({ id: Type.String({ minLength: 16, maxLength: 16 }) })

export const listTrash = operation({
  id: 'trash.list',
  method: 'GET',
  path: '/api/trash',
  access: 'user',
  summary: 'What one has moved to the trash, the latest first',
  replies: { 200: Type.Array(TrashItem), 403: null },
})

export const restoreTrash = operation({
  id: 'trash.restore',
  method: 'POST',
  path: '/api/trash/:id',
  access: 'user',
  summary: 'Put a thing back to where it was, under another name where that one is taken',
  params: TrashParams,
  replies: { 200: Type.Object({ path: Type.String() }), 403: null, 404: null },
})

export const removeTrash = operation({
  id: 'trash.remove',
  method: 'DELETE',
  path: '/api/trash/:id',
  access: 'user',
  summary: 'Delete one thing in the trash for good',
  params: TrashParams,
  replies: { 204: null, 403: null, 404: null },
})

export const emptyTrash = operation({
  id: 'trash.empty',
  method: 'DELETE',
  path: '/api/trash',
  access: 'user',
  summary: 'Delete everything in the trash for good',
  replies: { 204: null, 403: null },
})
