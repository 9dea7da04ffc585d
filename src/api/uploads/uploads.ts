import { Type } from 'typebox'
import { DirectUpload } from '../../domain/uploads/upload.ts'
import { operation, PathParams } from '../operation.ts'
export const beginUpload = operation({
  id: 'uploads.begin',
  method: 'POST',
  path: '/api/tus/*',
  access: 'user',
  tokens: true,
  summary:
    'Start a resumable upload (tus 1.0) of Upload-Length bytes to this path, or to a folder with the filename in Upload-Metadata',
  params: PathParams,
  query: Type.Object({ override: Type.Optional(Type.String()) }),
  bodyKind: 'bytes',
  replies: {
    201: null,
    400: null,
    403: null,
    409: null,
    412: null,
    413: null,
    415: null,
    429: null,
    460: null,
    507: null,
  },
})

export const getUpload = operation({
  id: 'uploads.get',
  method: 'GET',
  path: '/api/tus/*',
  access: 'user',
  tokens: true,
  summary: 'The Upload-Offset of an upload; HEAD gives the same reply',
  params: PathParams,
  replies: { 200: null, 403: null, 404: null, 412: null, 413: null },
})

export const appendUpload = operation({
  id: 'uploads.append',
  method: 'PATCH',
  path: '/api/tus/*',
  access: 'user',
  tokens: true,
  summary: 'Continue at Upload-Offset; after the last byte the file appears under its name',
  params: PathParams,
  bodyKind: 'bytes',
  replies: {
    204: null,
    400: null,
    403: null,
    404: null,
    409: null,
    412: null,
    413: null,
    415: null,
    460: null,
    507: null,
  },
})

export const continueDirectly = operation({
  id: 'uploads.direct',
  method: 'POST',
  path: '/api/direct/*',
  access: 'user',
  tokens: true,
  summary:
    'Continue an upload in the bucket itself: addresses for its next parts. Once all bytes are there, the file appears under its name',
  params: PathParams,
  replies: { 200: DirectUpload, 403: null, 404: null, 409: null, 413: null, 501: null, 507: null },
})

export const discardUpload = operation({
  id: 'uploads.discard',
  method: 'DELETE',
  path: '/api/tus/*',
  access: 'user',
  tokens: true,
  summary: 'Cancel your unfinished upload',
  params: PathParams,
  replies: { 204: null, 403: null, 404: null, 412: null, 413: null },
})
