import { Type } from 'typebox'
import { TrashItem } from '../../domain/files/trash.ts'
import { OfUser, operatorOperation } from '../operation.ts'
import { emptyTrash, listTrash, restoreTrash } from './trash.ts'

export const listTrashAsOperator = operatorOperation({
  id: listTrash.id,
  access: 'operator',
  reads: true,
  summary: 'The trash of all users, or of one, most recent first',
  query: OfUser,
  replies: { 200: Type.Array(Type.Object({ ...TrashItem.properties, username: Type.String() })), 404: null },
})

export const restoreTrashAsOperator = operatorOperation({
  id: restoreTrash.id,
  access: 'operator',
  summary: 'Restore an item of any user; a folder that becomes a job is waited for',
  params: Type.Object({ id: Type.String() }),
  replies: { 200: Type.Object({ path: Type.String(), username: Type.String() }), 404: null, 409: null, 507: null },
})

export const emptyTrashAsOperator = operatorOperation({
  id: emptyTrash.id,
  access: 'operator',
  summary: 'Permanently delete these items, of whichever users',
  query: OfUser,
  body: Type.Object({ ids: Type.Array(Type.String()) }),
  replies: { 200: Type.Object({ removed: Type.Integer() }), 404: null, 409: null },
})

export const listOrphanedTrash = operatorOperation({
  id: 'trash.listOrphaned',
  access: 'operator',
  reads: true,
  summary: 'Folders with trash whose user was deleted or has another folder',
  replies: { 200: Type.Array(Type.Object({ path: Type.String(), owner: Type.String() })) },
})

export const emptyOrphanedTrash = operatorOperation({
  id: 'trash.emptyOrphaned',
  access: 'operator',
  summary: 'Permanently delete these folders, except those that belong to a user by now',
  body: Type.Object({ paths: Type.Array(Type.String()) }),
  replies: { 200: Type.Object({ removed: Type.Integer() }), 409: null },
})
