import { Type } from 'typebox'
import { operation, PathParams } from '../operation.ts'
export const runSearch = operation({
  id: 'search.run',
  method: 'GET',
  path: '/api/search/*',
  access: 'user',
  summary:
    'Names beneath a folder that fit; 10,000 at most, and an empty last line when there are more; 256 levels deep',
  params: PathParams,
  query: Type.Object({
    query: Type.Optional(
      Type.String({
        description:
          'Words, one of which is part of the name, or one phrase in quotes; case:sensitive; type:image, type:pdf',
      }),
    ),
    details: Type.Optional(
      Type.String({ description: 'true: each hit is told with size, modified and type, as a listing does' }),
    ),
  }),
  replies: { 200: null, 400: null, 404: null },
})
