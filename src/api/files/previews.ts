import { Type } from 'typebox'
import { CacheSize } from '../../domain/maintenance.ts'
import { FILE_REPLIES, operation, PathParams } from '../operation.ts'

export const getPreview = operation({
  id: 'previews.get',
  method: 'GET',
  path: '/api/preview/:size/*',
  access: 'user',
  summary:
    'A picture made small: "thumb" fills 256 x 256, "big" fits into 1080 x 1080; WebP or AVIF where "Accept" names it',
  params: Type.Object({ size: Type.String({ description: 'thumb or big' }), '*': Type.String() }),
  query: Type.Object({
    inline: Type.Optional(Type.String()),
    key: Type.Optional(Type.String({ description: 'Anything: another address for another state of the picture' })),
  }),
  replies: { ...FILE_REPLIES, 413: null, 415: null, 501: null, 503: null },
})

export const getSubtitles = operation({
  id: 'subtitles.get',
  method: 'GET',
  path: '/api/subtitle/*',
  access: 'user',
  summary: 'Subtitles as WebVTT: .srt, .ass and .ssa are converted, .vtt comes as it is',
  params: PathParams,
  query: Type.Object({ inline: Type.Optional(Type.String()) }),
  replies: { ...FILE_REPLIES, 413: null, 415: null },
})

export const getCache = operation({
  id: 'cache.get',
  method: 'GET',
  path: '/api/cache',
  access: 'admin',
  summary: 'How many thumbnails are kept, and their bytes',
  replies: { 200: CacheSize, 403: null },
})

export const clearCache = operation({
  id: 'cache.clear',
  method: 'DELETE',
  path: '/api/cache',
  access: 'admin',
  summary: 'Remove all thumbnails that are kept; they are made again when they are asked for',
  replies: { 200: CacheSize, 403: null },
})
