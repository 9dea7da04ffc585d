import { Type } from 'typebox'
import { Job } from '../../domain/automation/job.ts'
import { ChangeOutcome, ChangeRequest } from '../../domain/files/change-many.ts'
import { RenameOutcome, RenamePlan, RenameRequest } from '../../domain/files/renames/renames.ts'
import { operation, PathParams } from '../operation.ts'

export const createResource = operation({
  id: 'files.create',
  method: 'POST',
  path: '/api/resources/*',
  access: 'user',
  tokens: true,
  summary: 'Upload a file, or create a folder if the path ends in a slash; If-None-Match: * replaces nothing',
  params: PathParams,
  query: Type.Object({ override: Type.Optional(Type.String()) }),
  bodyKind: 'bytes',
  replies: { 200: null, 403: null, 404: null, 409: null, 412: null, 507: null },
})

/** The result for one file: the status and message that it would get in a request of its own. */
const Created = Type.Object({
  path: Type.String({ description: 'Below the folder, as sent' }),
  status: Type.Integer({ description: '200 if the file is stored' }),
  message: Type.Optional(Type.String()),
})

export const createMany = operation({
  id: 'files.createMany',
  method: 'POST',
  path: '/api/upload/*',
  access: 'user',
  tokens: true,
  summary: 'Upload many small files into a folder with one request; multipart/form-data',
  params: PathParams,
  query: Type.Object({ override: Type.Optional(Type.String()) }),
  bodyKind: 'files',
  replies: { 200: Type.Array(Created), 400: null, 415: null },
})

export const saveResource = operation({
  id: 'files.save',
  method: 'PUT',
  path: '/api/resources/*',
  access: 'user',
  tokens: true,
  summary: 'Save a file; If-Match protects the changes of others',
  params: PathParams,
  bodyKind: 'bytes',
  replies: { 200: null, 403: null, 404: null, 405: null, 409: null, 412: null, 507: null },
})

export const transferResource = operation({
  id: 'files.transfer',
  method: 'PATCH',
  path: '/api/resources/*',
  access: 'user',
  tokens: true,
  summary: 'Copy or move; with "Prefer: respond-async", the reply to a long operation is a job',
  params: PathParams,
  query: Type.Object({
    action: Type.Optional(Type.String({ description: 'copy or rename' })),
    destination: Type.Optional(Type.String({ description: 'percent-encoded twice' })),
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
  tokens: true,
  summary: 'Delete, or move to the trash with trash=true; folders may become a job',
  params: PathParams,
  query: Type.Object({ trash: Type.Optional(Type.String()) }),
  replies: { 202: Job, 204: null, 403: null, 404: null, 409: null },
})

export const changeMany = operation({
  id: 'files.changeMany',
  method: 'POST',
  path: '/api/changes/*',
  access: 'user',
  tokens: true,
  summary: 'Copy, move or delete many entries with one request; each for itself, and long ones as jobs',
  params: PathParams,
  body: ChangeRequest,
  replies: { 200: Type.Array(ChangeOutcome), 400: null },
})

export const planRenames = operation({
  id: 'files.planRenames',
  method: 'POST',
  path: '/api/rename-plan/*',
  access: 'user',
  tokens: true,
  summary: 'The new names that entries of a folder would get, and what is in the way; renames nothing',
  params: PathParams,
  body: RenameRequest,
  replies: { 200: RenamePlan, 400: null, 403: null, 404: null },
})

export const renameMany = operation({
  id: 'files.renameMany',
  method: 'POST',
  path: '/api/rename/*',
  access: 'user',
  tokens: true,
  summary: 'Rename several entries of a folder; with "Prefer: respond-async", the reply to many is a job',
  params: PathParams,
  body: RenameRequest,
  replies: { 200: RenameOutcome, 202: Job, 400: null, 403: null, 404: null, 409: null },
})
