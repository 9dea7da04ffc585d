import { Type } from 'typebox'
import { PictureEdit } from '../../domain/files/media/picture-edit.ts'
import { FILE_REPLIES, operation, PathParams } from '../operation.ts'

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

export const editPicture = operation({
  id: 'pictures.edit',
  method: 'POST',
  path: '/api/pictures/*',
  access: 'user',
  tokens: true,
  summary: 'Save a turned and cropped copy of a JPEG, PNG or WebP picture beside it',
  params: PathParams,
  body: PictureEdit,
  replies: {
    200: Type.Object({ path: Type.String({ description: 'The copy' }) }),
    400: null,
    403: null,
    404: null,
    413: null,
    415: null,
    501: null,
    503: null,
    507: null,
  },
})
