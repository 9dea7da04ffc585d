import { Type } from 'typebox'
import { Job } from '../domain/job.ts'
import { FolderSize } from '../domain/resource.ts'
import { operation, PathParams } from './operation.ts'
// Not in files.ts, which the page needs for its first view.

export const measureResource = operation({
  id: 'files.measure',
  method: 'GET',
  path: '/api/measure/*',
  access: 'user',
  summary: 'How much there is beneath a folder',
  params: PathParams,
  replies: { 200: FolderSize, 400: null, 403: null, 404: null },
})

export const transferResource = operation({
  id: 'files.transfer',
  method: 'PATCH',
  path: '/api/resources/*',
  access: 'user',
  summary: 'Copy or move; what takes long is a job, which "Prefer: respond-async" does not wait for',
  params: PathParams,
  query: Type.Object({
    action: Type.Optional(Type.String({ description: 'copy or rename' })),
    destination: Type.Optional(Type.String({ description: 'percent-encoded once more than usual' })),
    override: Type.Optional(Type.String()),
    rename: Type.Optional(Type.String()),
  }),
  replies: { 200: null, 202: Job, 400: null, 403: null, 404: null, 409: null, 507: null },
})

export const removeResource = operation({
  id: 'files.remove',
  method: 'DELETE',
  path: '/api/resources/*',
  access: 'user',
  summary: 'Delete for good, or with trash=true into the trash; a folder is a job as with PATCH',
  params: PathParams,
  query: Type.Object({ trash: Type.Optional(Type.String()) }),
  replies: { 202: Job, 204: null, 403: null, 404: null },
})
