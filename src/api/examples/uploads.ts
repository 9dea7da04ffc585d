import { LINKS_PARTED, type Examples, type HeaderExample } from './operation-example.ts'

const LENGTH: HeaderExample = { description: 'bytes of the whole file', example: '1048576', required: true }
const OFFSET: HeaderExample = { description: 'bytes that have come', example: '524288' }
const CHECKSUM: HeaderExample = {
  description: 'algorithm and base64 digest of this part',
  example: 'sha256 RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=',
}
const PARAMS = { '*': 'films/long.mkv' }

export const UPLOAD_EXAMPLES: Examples = {
  'uploads.begin': {
    description:
      'Any client of tus 1.0 works: creation, creation-with-upload, termination, expiration, checksum. The file is not ' +
      'there until its last byte is; an unfinished upload waits for 24 hours and survives a restart.',
    params: PARAMS,
    query: { override: 'false' },
    headers: {
      'Upload-Length': LENGTH,
      'Upload-Metadata': { description: 'kept and given back', example: 'filename bG9uZy5ta3Y=' },
      'Upload-Checksum': CHECKSUM,
    },
    bodyType: 'application/offset+octet-stream',
    body: '',
    replies: {
      201: { headers: { Location: { description: 'of the upload', example: '/api/tus/films/long.mkv' } } },
      400: { description: 'The length is missing or no number' },
      409: { description: 'A file of this name is there already' },
      429: { description: 'Too many unfinished uploads' },
    },
  },
  'uploads.get': {
    params: PARAMS,
    replies: { 200: { headers: { 'Upload-Offset': OFFSET, 'Upload-Length': LENGTH } } },
  },
  'uploads.append': {
    description: 'Parts are taken in order. After a break ask how far it is, and go on from there.',
    params: PARAMS,
    headers: { 'Upload-Offset': { ...OFFSET, required: true }, 'Upload-Checksum': CHECKSUM },
    bodyType: 'application/offset+octet-stream',
    body: 'the next bytes',
    replies: {
      204: { headers: { 'Upload-Offset': OFFSET, 'X-Filemgr-Links-Parted': LINKS_PARTED } },
      409: { description: 'The upload is at another offset' },
      413: { description: 'More bytes than the upload was to have; none of them is kept' },
    },
  },
  'uploads.discard': { params: PARAMS },
}
