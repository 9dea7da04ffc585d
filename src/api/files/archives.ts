import { Type } from 'typebox'
import { ArchiveListing, CompressRequest, ExtractRequest, NameEncoding } from '../../domain/files/archives/archives.ts'
import { Job } from '../../domain/automation/job.ts'
import { FILE_REPLIES, operation, PathParams } from '../operation.ts'

export const listArchive = operation({
  id: 'archives.list',
  method: 'GET',
  path: '/api/archives/*',
  access: 'user',
  tokens: true,
  summary: 'A folder in a zip or tar archive',
  params: PathParams,
  query: Type.Object({
    inside: Type.Optional(Type.String({ description: 'Path in the archive; its top if left out' })),
    encoding: Type.Optional(NameEncoding),
  }),
  replies: { 200: ArchiveListing, 202: null, 400: null, 403: null, 404: null, 409: null, 413: null, 415: null },
})

export const getArchived = operation({
  id: 'archives.get',
  method: 'GET',
  path: '/api/archived/*',
  access: 'user',
  tokens: true,
  summary: 'The bytes of a file in an archive, whole or in ranges',
  params: PathParams,
  query: Type.Object({
    inside: Type.Optional(Type.String({ description: 'Path in the archive' })),
    encoding: Type.Optional(NameEncoding),
    inline: Type.Optional(Type.String()),
  }),
  replies: { ...FILE_REPLIES, 409: null, 413: null, 415: null, 503: null },
})

export const extractArchive = operation({
  id: 'archives.extract',
  method: 'POST',
  path: '/api/extract/*',
  access: 'user',
  tokens: true,
  summary: 'Extract an archive, or entries of it; with "Prefer: respond-async", the reply is a job',
  params: PathParams,
  body: ExtractRequest,
  replies: { 200: Job, 202: Job, 400: null, 403: null, 404: null, 409: null, 413: null, 415: null, 507: null },
})

export const compressFiles = operation({
  id: 'archives.compress',
  method: 'POST',
  path: '/api/compress/*',
  access: 'user',
  tokens: true,
  summary: 'Put entries of a folder into a new archive; with "Prefer: respond-async", the reply is a job',
  params: PathParams,
  body: CompressRequest,
  replies: { 200: Job, 202: Job, 400: null, 403: null, 404: null, 409: null, 507: null },
})
