import { Type } from 'typebox'
import { FILE_REPLIES, operation } from '../operation.ts'

export const getPreview = operation({
  id: 'previews.get',
  method: 'GET',
  path: '/api/preview/:size/*',
  access: 'user',
  tokens: true,
  summary:
    'A picture of a file: "thumb" fills 256 x 256, or 256 x 192 with a page or the cover of a book; "big" fits into 1080 x 1080; WebP or ' +
    'AVIF if "Accept" lists it; of texts SVG, only if "Accept" lists it',
  params: Type.Object({ size: Type.String({ description: 'thumb or big' }), '*': Type.String() }),
  query: Type.Object({
    inline: Type.Optional(Type.String()),
    key: Type.Optional(Type.String({ description: 'Any text that changes with the image, to bypass caches' })),
  }),
  replies: { ...FILE_REPLIES, 204: null, 413: null, 415: null, 501: null, 503: null },
})
