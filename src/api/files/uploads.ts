import { Type } from 'typebox'
import { operation, PathParams } from '../operation.ts'
export const beginUpload = operation({
  id: 'uploads.begin',
  method: 'POST',
  path: '/api/tus/*',
  access: 'user',
  summary: 'Begin a resumable upload (tus 1.0) of "Upload-Length" bytes; its address is the path of the file',
  params: PathParams,
  query: Type.Object({ override: Type.Optional(Type.String()) }),
  bodyKind: 'bytes',
  replies: { 201: null, 400: null, 403: null, 409: null, 413: null, 429: null, 460: null, 507: null },
})

export const getUpload = operation({
  id: 'uploads.get',
  method: 'GET',
  path: '/api/tus/*',
  access: 'user',
  summary: 'How far an upload is, in "Upload-Offset"; HEAD answers the same',
  params: PathParams,
  replies: { 200: null, 403: null, 404: null },
})

export const appendUpload = operation({
  id: 'uploads.append',
  method: 'PATCH',
  path: '/api/tus/*',
  access: 'user',
  summary: 'Go on at "Upload-Offset"; with the last byte the file takes its place',
  params: PathParams,
  bodyKind: 'bytes',
  replies: { 204: null, 400: null, 403: null, 404: null, 409: null, 413: null, 415: null, 460: null, 507: null },
})

export const discardUpload = operation({
  id: 'uploads.discard',
  method: 'DELETE',
  path: '/api/tus/*',
  access: 'user',
  summary: 'Give up an unfinished upload of one’s own',
  params: PathParams,
  replies: { 204: null, 403: null, 404: null },
})
