import { Type } from 'typebox'
import { ChangeOutcome, ChangeRequest } from '../../domain/files/change-many.ts'
import { Job } from '../../domain/automation/job.ts'
import { FolderSizes, FlatResource, FolderSize, ItemCount, Listing, Resource } from '../../domain/files/resource.ts'
import { operation, PathParams } from '../operation.ts'
import { RenameOutcome, RenamePlan, RenameRequest } from '../../domain/files/renames/renames.ts'

export const getResource = operation({
  id: 'files.get',
  method: 'GET',
  path: '/api/resources/*',
  access: 'user',
  tokens: true,
  summary: 'A folder with its entries, or a file with its text content or checksum',
  params: PathParams,
  query: Type.Object({
    checksum: Type.Optional(Type.String()),
    resolution: Type.Optional(Type.String({ description: 'true adds the width and height of an image' })),
  }),
  replies: { 200: Type.Union([Listing, Resource]), 202: null, 400: null, 403: null, 404: null, 413: null, 503: null },
})

export const getRecursive = operation({
  id: 'files.recursive',
  method: 'GET',
  path: '/api/resources/recursive/*',
  access: 'user',
  tokens: true,
  summary: 'Everything below a folder as one flat list',
  params: PathParams,
  replies: { 200: Type.Array(FlatResource), 400: null, 403: null, 404: null },
})

export const countItems = operation({
  id: 'files.count',
  method: 'GET',
  path: '/api/count/*',
  access: 'user',
  tokens: true,
  summary: 'Number of entries of a folder',
  params: PathParams,
  replies: { 200: ItemCount, 400: null, 403: null, 404: null },
})

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

export const measureResource = operation({
  id: 'files.measure',
  method: 'GET',
  path: '/api/measure/*',
  access: 'user',
  tokens: true,
  summary: 'Number and size of all files below a folder',
  params: PathParams,
  replies: { 200: FolderSize, 400: null, 403: null, 404: null },
})

export const getFolderSizes = operation({
  id: 'files.sizes',
  method: 'GET',
  path: '/api/sizes/*',
  access: 'user',
  tokens: true,
  summary: 'Sizes of the folders in a folder, as far as they are known; a job counts the rest if that takes long',
  params: PathParams,
  query: Type.Object({
    measure: Type.Optional(Type.String({ description: 'true counts those that are unknown or outdated' })),
  }),
  replies: { 200: FolderSizes, 400: null, 403: null, 404: null },
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
