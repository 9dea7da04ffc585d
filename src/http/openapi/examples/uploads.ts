import { LINKS_PARTED, TIME_HELD, type Examples, type HeaderExample } from './operation-example.ts'

const LENGTH: HeaderExample = { description: 'Size of the file in bytes', example: '1048576', required: true }
const OFFSET: HeaderExample = { description: 'Number of bytes received', example: '524288' }
const CHECKSUM: HeaderExample = {
  description: 'Algorithm and base64 digest of this chunk',
  example: 'sha256 RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=',
}
const PARAMS = { '*': 'films/long.mkv' }

export const UPLOAD_EXAMPLES: Examples = {
  'uploads.begin': {
    description:
      'Works with any tus 1.0 client; extensions: creation, creation-with-upload, termination, expiration, checksum. The file ' +
      'appears when its last byte has arrived. An unfinished upload is kept for 24 hours and survives a restart.',
    params: PARAMS,
    query: { override: 'false' },
    headers: {
      'Upload-Length': LENGTH,
      'Upload-Metadata': { description: 'Stored and returned', example: 'filename bG9uZy5ta3Y=' },
      'Upload-Checksum': CHECKSUM,
    },
    bodyType: 'application/offset+octet-stream',
    body: '',
    replies: {
      201: { headers: { Location: { description: 'Address of the upload', example: '/api/tus/films/long.mkv' } } },
      400: { description: 'The length is missing or not a number' },
      409: { description: 'The name already exists' },
      429: { description: 'Too many unfinished uploads' },
    },
  },
  'uploads.get': {
    params: PARAMS,
    replies: { 200: { headers: { 'Upload-Offset': OFFSET, 'Upload-Length': LENGTH } } },
  },
  'uploads.append': {
    description: 'Send chunks in order. After an interruption, get the offset with HEAD and continue from there.',
    params: PARAMS,
    headers: { 'Upload-Offset': { ...OFFSET, required: true }, 'Upload-Checksum': CHECKSUM },
    bodyType: 'application/offset+octet-stream',
    body: 'the next bytes',
    replies: {
      204: { headers: { 'Upload-Offset': OFFSET, 'X-Filemgr-Links-Parted': LINKS_PARTED, 'X-OC-Mtime': TIME_HELD } },
      409: { description: 'The offset does not match; `Upload-Offset` is the right one' },
      413: { description: 'More bytes than Upload-Length; none of this chunk is kept' },
    },
  },
  'uploads.direct': {
    description:
      'For an upload that `uploads.begin` has started, if the server serves a bucket that is open to browsers (501 otherwise). ' +
      'PUT each part to its address, then ask again, until there are no more parts.',
    params: PARAMS,
    replies: {
      200: {
        value: {
          offset: 0,
          length: 20_000_000,
          parts: [{ offset: 0, length: 16_777_216, url: 'https://s3.example.org/files/…?X-Amz-Signature=…' }],
        },
      },
      409: { description: 'Something with this name appeared meanwhile' },
      413: { description: 'More bytes have arrived than Upload-Length; the upload is removed' },
      501: { description: 'Send the next bytes by `uploads.append`' },
    },
  },
  'uploads.discard': { params: PARAMS },
}
