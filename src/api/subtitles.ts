import { Type } from 'typebox'
import { operation } from './operation.ts'
import { PathParams } from './parameters.ts'

export const getSubtitles = operation({
  id: 'subtitles.get',
  method: 'GET',
  path: '/api/subtitle/*',
  access: 'user',
  summary: 'Subtitles as WebVTT: .srt, .ass and .ssa are converted, .vtt comes as it is',
  params: PathParams,
  query: Type.Object({ inline: Type.Optional(Type.String()) }),
  replies: {
    200: null,
    202: null,
    206: null,
    304: null,
    400: null,
    403: null,
    404: null,
    412: null,
    413: null,
    415: null,
    416: null,
  },
})
