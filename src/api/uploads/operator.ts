import { Type } from 'typebox'
import { UploadView } from '../../domain/uploads/upload.ts'
import { operatorOperation } from '../operation.ts'
import { discardUpload } from './uploads.ts'

export const listUploads = operatorOperation({
  id: 'uploads.list',
  access: 'operator',
  reads: true,
  summary: 'The unfinished uploads of all users, the oldest first',
  replies: { 200: Type.Array(UploadView) },
})

export const discardUploadAsOperator = operatorOperation({
  id: discardUpload.id,
  access: 'operator',
  summary: 'Cancel an unfinished upload of any user',
  params: Type.Object({ id: Type.String() }),
  replies: { 204: null, 404: null },
})
