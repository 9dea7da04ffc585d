import { Type } from 'typebox'
import { Listing, Resource } from '../../domain/files/resource.ts'
import { getRaw } from './files.ts'
import { operation, PathParams } from '../operation.ts'
import { getPreview, getSubtitles } from './previews.ts'
const Token = Type.Optional(Type.String({ description: 'Token from an earlier reply, instead of the password' }))

export const getShared = operation({
  id: 'public.get',
  method: 'GET',
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
  path: '/api/public/dl/*',
  access: 'share',
  summary: 'The bytes of a shared file; an archive for a folder or several items',
  params: PathParams,
  query: Type.Object({ ...getRaw.query.properties, token: Token }),
  replies: { ...getRaw.replies, 401: null, 429: null },
})

export const getSharedPreview = operation({
  id: 'public.preview',
  method: 'GET',
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
  path: '/api/public/subtitle/*',
  access: 'share',
  summary: 'Subtitles of a shared video as WebVTT',
  params: PathParams,
  query: Type.Object({ ...getSubtitles.query.properties, token: Token }),
  replies: { ...getSubtitles.replies, 401: null, 429: null },
})
