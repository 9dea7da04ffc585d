import { Type } from 'typebox'
import { PictureEdit } from '../../domain/files/media/picture-edit.ts'
import { operation, PathParams } from '../operation.ts'

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
