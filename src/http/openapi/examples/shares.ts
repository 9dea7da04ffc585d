import { PLAIN_TERMS } from '../../../domain/shares/share-terms.ts'
import type { Examples } from './operation-example.ts'

const SHARE = { hash: 'Yk7vT2sQb1xWmZ0c', path: '/docs', userID: 2, expire: 1_772_443_800, hasPassword: true } as const
const DETAILS = {
  ...SHARE,
  username: 'ann',
  created: 1_772_357_400,
  openings: 3,
  lastOpened: 1_772_360_000,
  isDir: true,
  target: 'bound',
  terms: PLAIN_TERMS,
  downloads: 0,
  receivedFiles: 0,
  receivedBytes: 0,
  lastArrived: 0,
  unseenFiles: 0,
} as const

const SHA256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'
const FILE = 'Qm3xT8vL0aWcE5sZ'
const SENT = { '*': `${SHARE.hash}/${FILE}` }
const OFFSET = { description: 'Number of bytes received', example: '524288' }
const NOT_TAKEN = { description: 'The link takes no files' }

const PASSWORD = {
  'X-SHARE-PASSWORD': { description: 'Password of the link, percent-encoded', example: 'eight%20early%20otters' },
}
const NO_PASSWORD = { description: 'Missing or wrong password' }
const NO_LINK = { description: 'The link, or what it led to, no longer exists' }

const GRANT = {
  id: 'Vd8nR3kXq5TzPw1y',
  path: '/docs/photos',
  name: 'photos',
  owner: 'ann',
  to: { kind: 'user', name: 'bob' },
  allows: 'edit',
  isDir: true,
  created: 1_772_357_400,
  expires: 0,
  target: 'bound',
} as const
const OWN_GRANT = { id: GRANT.id }

export const SHARE_EXAMPLES: Examples = {
  'shares.list': { query: { details: 'true' }, replies: { 200: { value: [DETAILS] } } },
  'shares.get': { params: { hash: SHARE.hash }, replies: { 200: { value: DETAILS } } },
  'shares.arrivals': {
    params: { hash: SHARE.hash },
    replies: {
      200: {
        value: [
          {
            path: '/docs/report(1).pdf',
            name: 'report.pdf',
            from: 'Bob',
            size: 1_048_576,
            arrived: 1_772_360_000,
            sha256: SHA256,
          },
        ],
      },
    },
  },
  'shares.see': { params: { hash: SHARE.hash }, body: { until: 1_772_360_000 } },
  'shares.uploads': {
    params: { hash: SHARE.hash },
    replies: {
      200: {
        value: [
          {
            id: FILE,
            name: 'report.pdf',
            from: 'Bob',
            offset: 524_288,
            length: 1_048_576,
            created: 1_772_360_000,
            touched: 1_772_360_030,
          },
        ],
      },
    },
  },
  'shares.cancelUpload': {
    params: { hash: SHARE.hash, id: FILE },
    replies: { 404: { description: 'There is no such link, or the upload is finished or gone' } },
  },
  'shares.update': {
    params: { hash: SHARE.hash },
    body: { expires: '7', unit: 'days', terms: { note: 'for Bob' } },
    replies: { 200: { value: DETAILS } },
  },
  'shares.ofPath': { params: { '*': 'docs' }, query: { details: 'false' }, replies: { 200: { value: [SHARE] } } },
  'shares.create': {
    params: { '*': 'docs' },
    query: { expires: '24', unit: 'hours' },
    body: {
      expires: '24',
      unit: 'hours',
      password: 'eight early otters',
      terms: { allows: 'upload', title: 'Send me your photos', maxBytes: 10_000_000_000, types: ['jpg', 'png'] },
    },
    replies: { 200: { value: SHARE }, 409: { description: 'Another link has this address' } },
  },
  'shares.remove': { params: { '*': SHARE.hash } },
  'shares.removeMany': {
    body: { remove: [SHARE.hash] },
    replies: { 403: { description: 'Not permitted, or one of the links belongs to another user' } },
  },
  'public.get': {
    description:
      'Paths are relative to the shared file or folder. The reply to a password has a `token` that replaces it.',
    params: { '*': `${SHARE.hash}/report.txt` },
    query: { token: 'b1xWmZ0cYk7vT2sQ' },
    headers: PASSWORD,
    replies: {
      200: {
        value: {
          path: '/report.txt',
          name: 'report.txt',
          size: 14,
          extension: '.txt',
          modified: '2026-03-01T09:30:00Z',
          mode: 416,
          isDir: false,
          isSymlink: false,
          type: 'textImmutable',
        },
      },
      401: NO_PASSWORD,
      404: NO_LINK,
    },
  },
  'public.download': {
    description:
      'Like `/api/raw`, for visitors. The path is the hash, optionally followed by a path in the shared folder.',
    params: { '*': `${SHARE.hash}/report.txt` },
    query: { inline: 'true' },
    headers: PASSWORD,
    replies: {
      200: { description: 'The bytes', mediaType: '*/*' },
      206: { mediaType: '*/*' },
      401: NO_PASSWORD,
      404: NO_LINK,
    },
  },
  'public.select': {
    description: 'Like `POST /api/raw`, for visitors. The address contains the token of a link with a password.',
    params: { '*': SHARE.hash },
    headers: PASSWORD,
    body: { files: ['report.txt', 'pictures'] },
    replies: {
      200: { value: { address: `/api/public/dl/${SHARE.hash}?selection=kUuqK5dE2Yb8Zr3VxJw1Qn0T` } },
      401: NO_PASSWORD,
      404: NO_LINK,
    },
  },
  'public.preview': {
    description:
      'Like `/api/preview`, for visitors. The path is the hash, optionally followed by a path in the shared folder.',
    params: { size: 'thumb', '*': `${SHARE.hash}/beach.jpg` },
    query: { inline: 'true' },
    headers: PASSWORD,
    replies: {
      200: { description: 'The thumbnail, or the unchanged file', mediaType: '*/*' },
      206: { mediaType: '*/*' },
      401: NO_PASSWORD,
      404: NO_LINK,
      501: { description: 'There is no preview of this file' },
    },
  },
  'public.subtitles': {
    description:
      'Like `/api/subtitle`, for visitors. The path is the hash, followed by a path inside the shared folder.',
    params: { '*': `${SHARE.hash}/film.srt` },
    query: { inline: 'true' },
    headers: PASSWORD,
    replies: {
      200: { mediaType: 'text/vtt', value: 'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\nHello.\n\n' },
      206: { mediaType: 'text/vtt', value: 'WEBVTT' },
      401: NO_PASSWORD,
      404: NO_LINK,
    },
  },
  'public.link': {
    params: { '*': SHARE.hash },
    query: { token: 'b1xWmZ0cYk7vT2sQ' },
    headers: PASSWORD,
    replies: {
      200: {
        value: {
          allows: 'upload',
          title: 'Send me your photos',
          message: '',
          expire: 0,
          asksName: true,
          types: ['jpg', 'png'],
          maxFileBytes: 0,
          filesLeft: null,
          bytesLeft: 10_000_000_000,
          downloadsLeft: null,
        },
      },
      401: NO_PASSWORD,
      404: NO_LINK,
    },
  },
  'public.send': {
    description:
      'Like `/api/tus`, for visitors of a link that takes files. If the name is taken, the file gets a number, which the visitor ' +
      'does not learn. If the link asks for the name of the visitor, send it as `from` in Upload-Metadata.',
    params: { '*': `${SHARE.hash}/report.pdf` },
    query: { token: 'b1xWmZ0cYk7vT2sQ' },
    headers: {
      ...PASSWORD,
      'Upload-Length': { description: 'Size of the file in bytes', example: '1048576', required: true },
      'Upload-Metadata': { description: 'Stored and returned', example: 'from Qm9i' },
    },
    bodyType: 'application/offset+octet-stream',
    body: '',
    replies: {
      201: {
        headers: { Location: { description: 'Address of the file', example: `/api/public/tus/${SHARE.hash}/${FILE}` } },
      },
      400: { description: 'The link does not take files of this type, or needs the name of the visitor' },
      401: NO_PASSWORD,
      403: NOT_TAKEN,
      404: NO_LINK,
      413: { description: 'The link does not take so many files or bytes' },
      429: { description: 'Too many unfinished uploads' },
    },
  },
  'public.receipt': {
    params: SENT,
    query: { token: 'b1xWmZ0cYk7vT2sQ' },
    headers: PASSWORD,
    replies: {
      200: {
        value: {
          name: 'report.pdf',
          size: 1_048_576,
          sha256: SHA256,
          arrived: 1_772_360_000,
          removableUntil: 1_772_361_800,
        },
      },
      401: NO_PASSWORD,
      403: NOT_TAKEN,
      404: { description: 'There is no such file, or it has not arrived yet' },
    },
  },
  'public.append': {
    params: SENT,
    query: { token: 'b1xWmZ0cYk7vT2sQ' },
    headers: { ...PASSWORD, 'Upload-Offset': { ...OFFSET, required: true } },
    bodyType: 'application/offset+octet-stream',
    body: 'the next bytes',
    replies: {
      204: { headers: { 'Upload-Offset': OFFSET } },
      401: NO_PASSWORD,
      403: NOT_TAKEN,
      409: { description: 'The offset does not match' },
      413: { description: 'More bytes than Upload-Length; none of this chunk is kept' },
    },
  },
  'public.withdraw': {
    params: SENT,
    query: { token: 'b1xWmZ0cYk7vT2sQ' },
    headers: PASSWORD,
    replies: {
      401: NO_PASSWORD,
      403: { description: 'The file arrived more than half an hour ago' },
      404: { description: 'The file is not there any more' },
    },
  },
  'grants.list': { query: { path: GRANT.path }, replies: { 200: { value: [GRANT] } } },
  'grants.create': {
    body: { path: GRANT.path, to: { user: 'bob' }, allows: 'edit', expires: '7', unit: 'days' },
    replies: {
      200: { value: GRANT },
      404: { description: 'There is no such file, user or group' },
      409: { description: 'It is shared with them already' },
    },
  },
  'grants.update': { params: OWN_GRANT, body: { allows: 'download' }, replies: { 200: { value: GRANT } } },
  'grants.remove': { params: OWN_GRANT },
  'grants.shared': {
    replies: {
      200: {
        value: [
          {
            id: GRANT.id,
            name: 'photos',
            path: '/.filemgr-shared/photos (ann)',
            owner: 'ann',
            allows: 'edit',
            isDir: true,
            created: GRANT.created,
            expires: 0,
            isNew: true,
            permissions: { create: true, rename: true, modify: true, delete: false, download: true },
          },
        ],
      },
    },
  },
  'grants.leave': { params: OWN_GRANT },
  'grants.people': { query: { q: 'bo' }, replies: { 200: { value: [{ kind: 'user', name: 'bob' }] } } },
}
