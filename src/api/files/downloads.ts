import { Type } from 'typebox'
import { ARCHIVE_EXTENSIONS } from '../../domain/files/archives/archive-format.ts'
import { FILE_REPLIES, operation, PathParams } from '../operation.ts'

export const getRaw = operation({
  id: 'downloads.raw',
  method: 'GET',
  head: true,
  path: '/api/raw/*',
  access: 'user',
  tokens: true,
  summary: 'The bytes of a file, whole or in ranges; an archive for a folder or several items',
  params: PathParams,
  query: Type.Object({
    inline: Type.Optional(Type.String()),
    files: Type.Optional(
      Type.String({
        description: 'Paths inside the folder, each percent-encoded, separated by commas; everything if empty',
      }),
    ),
    selection: Type.Optional(
      Type.String({
        description: 'From `downloads.select`',
      }),
    ),
    algo: Type.Optional(
      Type.String({
        description: `Format: ${Object.keys(ARCHIVE_EXTENSIONS).join(', ')}. A zip has a Content-Length; to resume one, send Range with its ETag in If-Range`,
      }),
    ),
    direct: Type.Optional(
      Type.String({
        description:
          'true to accept a redirect to the bucket for a large file, if the server has one that is open to browsers. Do not send X-Auth or Authorization there',
      }),
    ),
  }),
  replies: { ...FILE_REPLIES, 302: null, 503: null },
})

/** As many as a person may select. */
const MAX_SELECTED = 10_000

const DownloadSelection = Type.Object({
  files: Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
    minItems: 1,
    maxItems: MAX_SELECTED,
  }),
})

export const selectDownloads = operation({
  id: 'downloads.select',
  method: 'POST',
  path: '/api/selections/*',
  access: 'user',
  tokens: true,
  summary: 'Get an address of an archive of many items of a folder',
  params: PathParams,
  query: Type.Object({ algo: getRaw.query.properties.algo }),
  body: DownloadSelection,
  replies: {
    200: Type.Object({
      address: Type.String(),
    }),
    202: null,
    400: null,
    403: null,
    404: null,
    413: null,
    503: null,
  },
})
