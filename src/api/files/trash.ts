import { Type } from 'typebox'
import { Job } from '../../domain/automation/job.ts'
import { TrashOutcome, TrashRequest } from '../../domain/files/change-many.ts'
import { TrashId, TrashItem } from '../../domain/files/trash.ts'
import { operation } from '../operation.ts'

const TrashParams = Type.Object({ id: TrashId })

export const listTrash = operation({
  id: 'trash.list',
  method: 'GET',
  path: '/api/trash',
  access: 'user',
  tokens: true,
  summary: 'Your trash, most recent first',
  replies: { 200: Type.Array(TrashItem), 403: null },
})

export const restoreTrash = operation({
  id: 'trash.restore',
  method: 'POST',
  path: '/api/trash/:id',
  access: 'user',
  tokens: true,
  summary: 'Restore an item to where it was, under a new name if that one is taken; a folder may become a job',
  params: TrashParams,
  replies: { 200: Type.Object({ path: Type.String() }), 202: Job, 403: null, 404: null, 409: null, 507: null },
})

export const changeTrash = operation({
  id: 'trash.changeMany',
  method: 'POST',
  path: '/api/trash',
  access: 'user',
  tokens: true,
  summary: 'Restore or permanently delete many items with one request; each for itself, and long ones as jobs',
  body: TrashRequest,
  replies: { 200: Type.Array(TrashOutcome), 400: null },
})

export const removeTrash = operation({
  id: 'trash.remove',
  method: 'DELETE',
  path: '/api/trash/:id',
  access: 'user',
  tokens: true,
  summary: 'Permanently delete an item in the trash',
  params: TrashParams,
  replies: { 204: null, 403: null, 404: null, 409: null },
})

export const emptyTrash = operation({
  id: 'trash.empty',
  method: 'DELETE',
  path: '/api/trash',
  access: 'user',
  tokens: true,
  summary: 'Empty the trash',
  replies: { 204: null, 403: null, 409: null },
})
