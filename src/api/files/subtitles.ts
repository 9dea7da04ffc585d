import { Type } from 'typebox'
import { FILE_REPLIES, operation, PathParams } from '../operation.ts'

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
