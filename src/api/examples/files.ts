import { type Examples, type HeaderExample, LINKS_PARTED } from './operation-example.ts'

const REPORT = {
  path: '/docs/report.txt',
  name: 'report.txt',
  size: 14,
  extension: '.txt',
  modified: '2026-03-01T09:30:00.123456789Z',
  mode: 416,
  isDir: false,
  isSymlink: false,
  type: 'text',
} as const

const FOLDER = {
  path: '/docs',
  name: 'docs',
  size: 4096,
  extension: '',
  modified: '2026-03-01T09:30:00Z',
  mode: 2_147_484_136,
  isDir: true,
  isSymlink: false,
  type: '',
} as const

const JOB = {
  id: 'mZ0cYk7vT2sQb1xW',
  kind: 'copy',
  state: 'running',
  userID: 2,
  path: '/docs',
  destination: '/backup/docs',
  progress: { bytes: 1_048_576, files: 12, totalBytes: 4_194_304, totalFiles: 50 },
  leftOut: [],
  created: '2026-03-01T09:30:00Z',
} as const

const ETAG: HeaderExample = { description: 'names this version of the file', example: '"18a2b3c4d5e6f708e"' }
const WRITTEN = {
  ETag: ETAG,
  'X-Filemgr-Links-Parted': LINKS_PARTED,
}
const JOB_REPLY = {
  description: 'It takes long and goes on as a job; ask for it at its address',
  headers: { Location: { description: 'of the job', example: '/api/jobs/mZ0cYk7vT2sQb1xW' } },
  value: JOB,
}
const PREFER: HeaderExample = {
  description: '`respond-async`: answer with the job at once instead of waiting for it',
  example: 'respond-async',
}
const NOT_DOWNLOAD = { description: 'The permission to download is missing' }

export const FILE_EXAMPLES: Examples = {
  'files.get': {
    description:
      'A folder carries its `items`, sorted as the user likes. For those who may download, a text file of up to 10 MiB ' +
      'carries its `content`, and a picture its `resolution` when asked. On the wire `asc: false` is A to Z for names.',
    params: { '*': 'docs' },
    query: { checksum: 'sha256', resolution: 'true' },
    headers: {
      'X-Encoding': { description: '`true`: the bytes of a text file instead of JSON', example: 'true' },
      Prefer: PREFER,
    },
    replies: {
      200: {
        otherTypes: ['application/octet-stream'],
        value: { items: [REPORT], numDirs: 0, numFiles: 1, sorting: { by: 'name', asc: false }, ...FOLDER },
      },
      202: {
        description: 'The permission to download is missing; or, as JSON, the job that makes the checksum',
        otherTypes: ['application/json'],
      },
    },
  },
  'files.count': {
    description: 'Reads names only, so it costs less than the listing. Hidden and denied entries do not count.',
    params: { '*': 'docs' },
    replies: { 200: { value: { items: 12 } } },
  },
  'files.measure': {
    description:
      'Reads every folder beneath, so it takes as long as that takes. Hidden and denied entries do not count.',
    params: { '*': 'docs' },
    replies: { 200: { value: { bytes: 4_194_304, files: 50, folders: 3 } } },
  },
  'files.recursive': {
    description: 'Depth first, each folder in byte order. Links are listed and not followed.',
    params: { '*': 'docs' },
    replies: {
      200: {
        value: [
          { path: '/docs/report.txt', name: 'report.txt', size: 14, modified: '2026-03-01T09:30:00Z', isDir: false },
        ],
      },
    },
  },
  'files.create': {
    description: 'Missing parents are made. An upload that breaks off leaves what was there before.',
    params: { '*': 'docs/report.txt' },
    query: { override: 'false' },
    headers: {
      'X-OC-Mtime': { description: 'the time of the file, in seconds since 1970', example: '1772357400' },
      'If-None-Match': { description: 'make it only if nothing of this name is there, no folder either', example: '*' },
    },
    body: 'Hello, world.\n',
    replies: { 200: { headers: WRITTEN }, 409: { description: 'Something of this name is there already' } },
  },
  'files.save': {
    params: { '*': 'docs/report.txt' },
    headers: { 'If-Match': { description: 'save only if this is still the version', example: ETAG.example } },
    body: 'Hello, world.\n',
    replies: { 200: { headers: WRITTEN }, 405: { description: 'The path ends in a slash' } },
  },
  'files.transfer': {
    params: { '*': 'docs/report.txt' },
    query: { action: 'copy', destination: '%2Fbackup%2Freport.txt', override: 'false', rename: 'true' },
    headers: { Prefer: PREFER },
    replies: { 202: JOB_REPLY, 409: { description: 'The destination is taken' } },
  },
  'files.remove': {
    params: { '*': 'docs/report.txt' },
    query: { trash: 'true' },
    headers: { Prefer: PREFER },
    replies: { 202: { ...JOB_REPLY, value: { ...JOB, kind: 'delete', destination: undefined } } },
  },
  'downloads.raw': {
    description:
      'A file comes with `Accept-Ranges`, `Last-Modified` and, unless `inline`, as an attachment of unknown type. A folder ' +
      'or a selection comes as an archive, made while it is sent: an archive that ends early was broken off, and one that ' +
      'lacks what could not be read says so in a file "not in this archive.txt".',
    params: { '*': 'docs' },
    query: { files: 'report.txt,pictures', algo: 'zip', inline: 'false' },
    headers: {
      Range: { description: 'one or several parts of a file', example: 'bytes=0-1023' },
      'If-Modified-Since': { description: 'answer only if it changed', example: 'Sun, 01 Mar 2026 09:30:00 GMT' },
    },
    replies: {
      200: {
        description:
          'The bytes: inline by the type of the file, else application/octet-stream; an archive by its format',
        mediaType: '*/*',
        headers: {
          'Content-Disposition': { description: 'the name', example: "attachment; filename*=utf-8''_docs.zip" },
        },
      },
      202: NOT_DOWNLOAD,
      206: {
        mediaType: '*/*',
        headers: { 'Content-Range': { description: 'which part of how many bytes', example: 'bytes 0-1023/4096' } },
      },
    },
  },
  'previews.get': {
    description: 'Files that are no pictures, and pictures that need not be made small, come as they are.',
    params: { size: 'thumb', '*': 'pictures/beach.jpg' },
    query: { inline: 'true', key: '1772357400' },
    headers: { Accept: { description: 'the kinds of pictures that are understood', example: 'image/avif,image/webp' } },
    replies: {
      200: { description: 'The picture, or the file as it is', mediaType: '*/*' },
      202: NOT_DOWNLOAD,
      206: { mediaType: '*/*' },
      501: { description: 'Not a picture' },
    },
  },
  'subtitles.get': {
    params: { '*': 'films/long.srt' },
    query: { inline: 'true' },
    replies: {
      200: {
        mediaType: 'text/vtt',
        value: 'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\nHello.\n\n',
      },
      202: NOT_DOWNLOAD,
      206: { mediaType: 'text/vtt', value: 'WEBVTT' },
    },
  },
  'usage.get': { params: { '*': '' }, replies: { 200: { value: { total: 270_553_174_016, used: 18_262_413_312 } } } },
  'search.run': {
    description:
      'A line of JSON for each hit, sent when it is found; paths are told from the folder. Skip empty lines: one may come ' +
      'first when the search takes long, and one at the end says that there are more hits than are told.',
    params: { '*': 'docs' },
    query: { query: 'type:image holiday' },
    replies: {
      200: {
        mediaType: 'text/plain',
        value: '{"dir":false,"path":"2026/holiday.jpg"}\n{"dir":true,"path":"holiday"}\n',
      },
    },
  },
  'jobs.list': { query: { all: false }, replies: { 200: { value: [JOB] } } },
  'jobs.get': { params: { id: JOB.id }, replies: { 200: { value: JOB } } },
  'jobs.cancel': { params: { id: JOB.id } },
}

const ITEM = {
  id: 'T2sQb1xWmZ0cYk7v',
  path: '/docs/old.txt',
  name: 'old.txt',
  isDir: false,
  size: 14,
  deleted: '2026-03-01T09:30:00Z',
  expires: '2026-03-31T09:30:00Z',
} as const

export const TRASH_EXAMPLES: Examples = {
  'trash.list': { replies: { 200: { value: [ITEM] } } },
  'trash.restore': {
    params: { id: ITEM.id },
    replies: { 200: { description: 'Where it is now', value: { path: '/docs/old(1).txt' } } },
  },
  'trash.remove': { params: { id: ITEM.id } },
  'trash.empty': {},
}
