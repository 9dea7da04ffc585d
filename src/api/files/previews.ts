import { Type } from 'typebox'
import { CacheSize } from '../../domain/cache-size.ts'
import { FILE_REPLIES, operation, PathParams } from '../operation.ts'

export const getPreview = operation({
  id: 'previews.get',
  method: 'GET',
  path: '/api/preview/:size/*',
  access: 'user',
  tokens: true,
  summary: 'A resized image: "thumb" fills 256 x 256, "big" fits into 1080 x 1080; WebP or AVIF if "Accept" lists it',
  params: Type.Object({ size: Type.String({ description: 'thumb or big' }), '*': Type.String() }),
  query: Type.Object({
    inline: Type.Optional(Type.String()),
    key: Type.Optional(Type.String({ description: 'Any text that changes with the image, to bypass caches' })),
  }),
  replies: { ...FILE_REPLIES, 413: null, 415: null, 501: null, 503: null },
})

export const getSubtitles = operation({
  id: 'subtitles.get',
  method: 'GET',
  path: '/api/subtitle/*',
  access: 'user',
  tokens: true,
  summary: 'Subtitles as WebVTT; .srt, .ass and .ssa are converted',
  params: PathParams,
  query: Type.Object({ inline: Type.Optional(Type.String()) }),
  replies: { ...FILE_REPLIES, 413: null, 415: null, 503: null },
})

export const getCache = operation({
  id: 'cache.get',
  method: 'GET',
  path: '/api/cache',
  access: 'admin',
  tokens: true,
  summary: 'Number and size of cached thumbnails',
  replies: { 200: CacheSize, 403: null },
})

export const clearCache = operation({
  id: 'cache.clear',
  method: 'DELETE',
  path: '/api/cache',
  access: 'admin',
  tokens: true,
  summary: 'Remove all cached thumbnails; they are created again when needed',
  replies: { 200: CacheSize, 403: null },
})
