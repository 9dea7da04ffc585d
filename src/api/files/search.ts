import { Type } from 'typebox'
import { operation, PathParams } from '../operation.ts'

export const runSearch = operation({
  id: 'search.run',
  method: 'GET',
  path: '/api/search/*',
  access: 'user',
  tokens: true,
  summary:
    'Entries below a folder whose names match; at most 10,000, with an empty last line if there are more; 256 levels deep',
  params: PathParams,
  query: Type.Object({
    query: Type.Optional(
      Type.String({
        description:
          'Words, one of which is part of the name, or one phrase in quotes; case:sensitive; type:image, type:pdf',
      }),
    ),
    details: Type.Optional(Type.String({ description: 'true adds size, modified and type to each result' })),
  }),
  replies: { 200: null, 400: null, 404: null },
})
