import type { Examples } from './operation-example.ts'

const SHARE = { hash: 'Yk7vT2sQb1xWmZ0c', path: '/docs', userID: 2, expire: 1_772_443_800, hasPassword: true } as const
const DETAILS = {
  ...SHARE,
  username: 'ann',
  created: 1_772_357_400,
  openings: 3,
  lastOpened: 1_772_360_000,
  target: 'bound',
} as const

const PASSWORD = {
  'X-SHARE-PASSWORD': { description: 'Password of the link, percent-encoded', example: 'eight%20early%20otters' },
}
const NO_PASSWORD = { description: 'Missing or wrong password' }
const NO_LINK = { description: 'The link, or what it led to, no longer exists' }

export const SHARE_EXAMPLES: Examples = {
  'shares.list': { query: { details: 'true' }, replies: { 200: { value: [DETAILS] } } },
  'shares.get': { params: { hash: SHARE.hash }, replies: { 200: { value: DETAILS } } },
  'shares.update': {
    params: { hash: SHARE.hash },
    body: { expires: '7', unit: 'days' },
    replies: { 200: { value: DETAILS } },
  },
  'shares.ofPath': { params: { '*': 'docs' }, query: { details: 'false' }, replies: { 200: { value: [SHARE] } } },
  'shares.create': {
    params: { '*': 'docs' },
    query: { expires: '24', unit: 'hours' },
    body: { expires: '24', unit: 'hours', password: 'eight early otters' },
    replies: { 200: { value: SHARE } },
  },
  'shares.remove': { params: { '*': SHARE.hash } },
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
}
