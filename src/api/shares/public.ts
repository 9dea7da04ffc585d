import { Type } from 'typebox'
import { LinkView, Receipt } from '../../domain/shares/share-terms.ts'
import { Listing, Resource } from '../../domain/files/resource.ts'
import { getRaw, selectDownloads } from '../files/downloads.ts'
import { operation, PathParams } from '../operation.ts'
import { getPreview } from '../files/previews.ts'
import { getSubtitles } from '../files/subtitles.ts'
const Token = Type.Optional(Type.String({ description: 'Token from an earlier reply, instead of the password' }))

export const getShared = operation({
  id: 'public.get',
  method: 'GET',
  head: true,
  path: '/api/public/share/*',
  access: 'share',
  summary: 'What a public link shows; the path is its hash, optionally followed by a path in the shared folder',
  params: PathParams,
  query: Type.Object({ token: Token }),
  replies: { 200: Type.Union([Listing, Resource]), 401: null, 403: null, 404: null, 429: null, 503: null },
})

export const downloadShared = operation({
  id: 'public.download',
  method: 'GET',
  head: true,
  path: '/api/public/dl/*',
  access: 'share',
  summary: 'The bytes of a shared file; an archive for a folder or several items',
  params: PathParams,
  query: Type.Object({ ...getRaw.query.properties, token: Token }),
  replies: { ...getRaw.replies, 401: null, 429: null },
})

export const selectShared = operation({
  id: 'public.select',
  method: 'POST',
  path: '/api/public/selections/*',
  access: 'share',
  summary: 'Get an address of an archive of many shared items',
  params: PathParams,
  query: Type.Object({ ...selectDownloads.query.properties, token: Token }),
  body: selectDownloads.body,
  replies: { ...selectDownloads.replies, 401: null, 429: null },
})

export const getSharedPreview = operation({
  id: 'public.preview',
  method: 'GET',
  head: true,
  path: '/api/public/preview/:size/*',
  access: 'share',
  summary: 'Thumbnail of a shared image',
  params: getPreview.params,
  query: Type.Object({ ...getPreview.query.properties, token: Token }),
  replies: { ...getPreview.replies, 401: null, 429: null },
})

export const getSharedSubtitles = operation({
  id: 'public.subtitles',
  method: 'GET',
  head: true,
  path: '/api/public/subtitle/*',
  access: 'share',
  summary: 'Subtitles of a shared video as WebVTT',
  params: PathParams,
  query: Type.Object({ ...getSubtitles.query.properties, token: Token }),
  replies: { ...getSubtitles.replies, 401: null, 429: null },
})

export const getLink = operation({
  id: 'public.link',
  method: 'GET',
  head: true,
  path: '/api/public/link/*',
  access: 'share',
  summary: 'What a public link is for, and what it takes; the path is its hash',
  params: PathParams,
  query: Type.Object({ token: Token }),
  replies: { 200: LinkView, 401: null, 404: null, 429: null },
})

export const sendToLink = operation({
  id: 'public.send',
  method: 'POST',
  path: '/api/public/tus/*',
  access: 'share',
  summary: 'Start a resumable upload (tus 1.0) by a public link; the path is its hash and the name of the file',
  params: PathParams,
  query: Type.Object({ token: Token }),
  bodyKind: 'bytes',
  replies: {
    201: null,
    400: null,
    401: null,
    403: null,
    404: null,
    412: null,
    413: null,
    415: null,
    429: null,
    460: null,
    507: null,
  },
})

export const getReceipt = operation({
  id: 'public.receipt',
  method: 'GET',
  path: '/api/public/tus/*',
  access: 'share',
  summary: 'The receipt of a sent file; HEAD gives the Upload-Offset of one on its way',
  params: PathParams,
  query: Type.Object({ token: Token }),
  replies: { 200: Receipt, 401: null, 403: null, 404: null, 412: null, 429: null },
})

export const continueSending = operation({
  id: 'public.append',
  method: 'PATCH',
  path: '/api/public/tus/*',
  access: 'share',
  summary: 'Continue an upload by a public link at Upload-Offset',
  params: PathParams,
  query: Type.Object({ token: Token }),
  bodyKind: 'bytes',
  replies: {
    204: null,
    400: null,
    401: null,
    403: null,
    404: null,
    409: null,
    412: null,
    413: null,
    415: null,
    429: null,
    460: null,
    507: null,
  },
})

export const withdrawFromLink = operation({
  id: 'public.withdraw',
  method: 'DELETE',
  path: '/api/public/tus/*',
  access: 'share',
  summary: 'Cancel an upload by a public link, or remove the file within half an hour after it arrived',
  params: PathParams,
  query: Type.Object({ token: Token }),
  replies: { 204: null, 401: null, 403: null, 404: null, 409: null, 412: null, 429: null },
})
