import { type Examples, type HeaderExample, LINKS_PARTED, TIME_HELD } from './operation-example.ts'

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

const LISTED = {
  path: '/docs/report.txt',
  name: 'report.txt',
  size: 14,
  modified: '2026-03-01T09:30:00Z',
  isDir: false,
}

const PHOTOS = {
  name: 'Photos',
  path: '/Photos',
  kind: 'folder',
  isOwn: false,
  state: 'here',
  readOnly: false,
  permissions: { download: true, create: true, modify: false, rename: false, delete: false, share: true },
  total: 1_000_000_000_000,
  free: 400_000_000_000,
} as const

export const JOB = {
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

const ETAG: HeaderExample = { description: 'Version of the file', example: '"18a2b3c4d5e6f708e"' }
const WRITTEN = {
  ETag: ETAG,
  'X-Filemgr-Links-Parted': LINKS_PARTED,
  'X-OC-Mtime': TIME_HELD,
}
export const JOB_REPLY = {
  description: 'The operation continues as a job; poll its address',
  headers: { Location: { description: 'Address of the job', example: '/api/jobs/mZ0cYk7vT2sQb1xW' } },
  value: JOB,
}
export const PREFER: HeaderExample = {
  description: '`respond-async`: reply with the job immediately instead of waiting for it',
  example: 'respond-async',
}
export const NO_DOWNLOAD = { description: 'No permission to download' }

export const FILE_EXAMPLES: Examples = {
  'places.list': {
    description: 'The folders that the user sees, as "/" lists them. A place whose disk cannot be reached is `away`.',
    replies: { 200: { value: [PHOTOS] } },
  },
  'files.get': {
    description:
      'A folder has `items` in the sort order of the user. With the permission to download, a text file of up to 10 MiB has ' +
      'its `content`, and an image its `resolution` if requested. Note that `asc: false` means A to Z for names.',
    params: { '*': 'docs' },
    query: { checksum: 'sha256', resolution: 'true' },
    headers: {
      'X-Encoding': { description: '`true` returns the bytes of a text file instead of JSON', example: 'true' },
      Prefer: PREFER,
    },
    replies: {
      200: {
        otherTypes: ['application/octet-stream'],
        value: { items: [REPORT], numDirs: 0, numFiles: 1, sorting: { by: 'name', asc: false }, ...FOLDER },
      },
      202: {
        description: 'No permission to download; or, as JSON, the job that computes the checksum',
        otherTypes: ['application/json'],
      },
    },
  },
  'files.count': {
    description: 'Reads only names, so it is cheaper than a listing. Hidden and denied entries do not count.',
    params: { '*': 'docs' },
    replies: { 200: { value: { items: 12 } } },
  },
  'files.measure': {
    description: 'Reads all folders below, so it can take long. Hidden and denied entries do not count.',
    params: { '*': 'docs' },
    replies: { 200: { value: { bytes: 4_194_304, files: 50, folders: 3 } } },
  },
  'files.sizes': {
    description:
      'Sizes are remembered until something changes; those from before a change are included. `measure=true` counts what is ' +
      'missing or outdated; if that takes long, by a job, which goes on without you: ask again without `measure` while `job` is ' +
      'waiting or running. A job in another state was cancelled or has failed. `notable=true` adds the largest and the oldest ' +
      'files once they are known; after a change, they are read again when twenty times as long as that takes has passed.',
    params: { '*': 'docs' },
    query: { measure: 'true', notable: 'true' },
    replies: {
      200: {
        value: {
          sizes: [{ name: 'drafts', bytes: 4_194_304, files: 50, folders: 3 }],
          notable: {
            total: { bytes: 5_242_880, files: 51, folders: 4 },
            own: { bytes: 1_048_576, files: 1 },
            largest: [LISTED],
            oldest: [LISTED],
            counted: '2026-03-01T09:45:00.000Z',
          },
          job: { ...JOB, kind: 'measure', destination: undefined, progress: { bytes: 1_048_576, files: 12 } },
        },
      },
    },
  },
  'files.recursive': {
    description: 'Depth first, each folder sorted by bytes. Links are listed but not followed.',
    params: { '*': 'docs' },
    replies: {
      200: {
        value: [LISTED],
      },
    },
  },
  'files.create': {
    description: 'Creates missing parent folders. An interrupted upload leaves an existing file unchanged.',
    params: { '*': 'docs/report.txt' },
    query: { override: 'false' },
    headers: {
      'X-OC-Mtime': {
        description: 'Modification time, in Unix seconds, with decimals, negative before 1970',
        example: '1772357400',
      },
      'If-None-Match': { description: '`*`: fail if the name exists, even as a folder', example: '*' },
    },
    body: 'Hello, world.\n',
    replies: { 200: { headers: WRITTEN }, 409: { description: 'The name already exists' } },
  },
  'files.save': {
    params: { '*': 'docs/report.txt' },
    headers: { 'If-Match': { description: 'Save only if the file still has this version', example: ETAG.example } },
    body: 'Hello, world.\n',
    replies: { 200: { headers: WRITTEN }, 405: { description: 'The path ends in a slash' } },
  },
  'files.transfer': {
    params: { '*': 'docs/report.txt' },
    query: { action: 'copy', destination: '%2Fbackup%2Freport.txt', override: 'false', rename: 'true' },
    headers: { Prefer: PREFER },
    replies: { 202: JOB_REPLY, 409: { description: 'The destination already exists' } },
  },
  'files.planRenames': {
    description: 'Send `renames` of the reply to `/api/rename` to get exactly these names.',
    params: { '*': 'photos' },
    body: { names: ['DSC_1.JPG', 'DSC_2.JPG'], pattern: { template: 'Beach {n}', digits: 2 } },
    replies: {
      200: {
        value: {
          renames: [
            { from: 'DSC_1.JPG', to: 'Beach 01.JPG' },
            { from: 'DSC_2.JPG', to: 'Beach 02.JPG', problem: 'taken' },
          ],
        },
      },
    },
  },
  'files.renameMany': {
    description:
      'Takes what `/api/rename-plan` takes. Nothing is renamed if any name has a problem. What fails later, such as for a file ' +
      'that was deleted meanwhile, is in `failed`. To undo it, send `renamed` as `renames` with `from` and `to` exchanged.',
    params: { '*': 'photos' },
    headers: { Prefer: PREFER },
    body: { renames: [{ from: 'DSC_1.JPG', to: 'Beach 01.JPG' }] },
    replies: {
      200: { value: { renamed: [{ from: 'DSC_1.JPG', to: 'Beach 01.JPG' }], failed: [] } },
      202: { ...JOB_REPLY, value: { ...JOB, kind: 'rename', path: '/photos', destination: undefined } },
      409: { description: 'A new name exists, or several entries would get it' },
    },
  },
  'files.changeMany': {
    description:
      'Each entry is judged and changed by itself, as by a request of its own, several at the same time; entries that depend on each ' +
      'other are changed in the order of the list. What takes long, such as a folder, goes on as a job, which is in the entry of the reply. ' +
      'After two seconds, and when there are too many jobs, the error of the rest is `BUSY`: send them again.',
    params: { '*': 'photos' },
    body: {
      action: 'move',
      items: [
        { path: 'a.jpg', destination: '/old/a.jpg' },
        { path: 'b.jpg', destination: '/old/b.jpg' },
      ],
    },
    replies: {
      200: {
        value: [
          { path: 'a.jpg' },
          { path: 'b.jpg', error: { code: 'CONFLICT', message: 'there is something of this name already' } },
        ],
      },
    },
  },
  'files.createMany': {
    description:
      'Each file part follows its optional fields: `path` below the folder (else the file name of the part counts) and ' +
      '`modified` in seconds since 1970. At most 100 files of at most 1 MiB. Each is checked by itself and has its entry in the reply.',
    params: { '*': 'notes' },
    replies: {
      200: {
        value: [
          { path: 'a.txt', status: 200 },
          { path: '2026/b.txt', status: 409, message: 'there is something of this name already' },
        ],
      },
    },
  },
  'archives.list': {
    description:
      'Zip, tar, and tar compressed by gzip, Brotli or Zstandard. Like a folder in `files.get`, with paths in the archive. Links, ' +
      'devices and names that a file cannot have are in `leftOut`. Names that do not say their encoding are UTF-8 if they are valid; ' +
      'otherwise it is detected from all names of a zip, and a tar keeps their bytes. A bomb is refused with 413: more than 100,000 ' +
      'entries, 1 TiB unpacked, 64 folders inside each other, or a compressed tar of 64 GiB and 200 times its size.',
    params: { '*': 'docs/old.zip' },
    query: { inside: '/letters' },
    replies: {
      200: {
        value: {
          items: [{ ...REPORT, path: '/letters/report.txt', mode: 420, modified: '2026-03-01T09:30:00.000Z' }],
          numDirs: 0,
          numFiles: 1,
          sorting: { by: 'name', asc: false },
          ...FOLDER,
          path: '/letters',
          name: 'letters',
          size: 0,
          leftOut: [{ name: 'letters/link', reason: 'link' }],
        },
      },
      202: NO_DOWNLOAD,
      413: { description: 'A bomb' },
      415: { description: 'Not an archive that can be read' },
    },
  },
  'archives.get': {
    description:
      'Like `downloads.raw` for a file. Ranges of entries without compression are read directly; for others, everything before ' +
      'the range is decompressed. If the checksum of the content is wrong, the connection is closed early.',
    params: { '*': 'docs/old.zip' },
    query: { inside: '/letters/report.txt', inline: 'false' },
    headers: { Range: { description: 'One or more ranges', example: 'bytes=0-1023' } },
    replies: {
      200: { description: 'The bytes', mediaType: '*/*' },
      202: NO_DOWNLOAD,
      206: { mediaType: '*/*' },
      415: { description: 'Not an archive that can be read, or the file is encrypted' },
    },
  },
  'archives.extract': {
    description:
      'Without `items`, everything is extracted, into a new folder named after the archive unless the archive has only one entry at ' +
      'the top. Nothing appears before everything is unpacked; a job that fails or is cancelled leaves nothing. New paths are in `made`. ' +
      'Files that are encrypted, damaged or compressed in another way are in `leftOut`, and so are links, devices and files under ' +
      'another name; if nothing can be extracted, that is an error.',
    params: { '*': 'docs/old.zip' },
    headers: { Prefer: PREFER },
    body: { destination: '/docs', items: ['/letters'], rename: true },
    replies: {
      200: { value: { ...JOB, kind: 'extract', state: 'done', path: '/docs/old.zip', made: ['/docs/letters'] } },
      202: { ...JOB_REPLY, value: { ...JOB, kind: 'extract', path: '/docs/old.zip', destination: '/docs' } },
      409: { description: 'A name is taken, and neither `override` nor `rename` is true' },
    },
  },
  'archives.compress': {
    description: 'The archive has what a download of these entries would have, and appears once it is complete.',
    params: { '*': 'docs' },
    headers: { Prefer: PREFER },
    body: { names: ['report.txt'], destination: '/docs/old.zip', rename: true },
    replies: {
      200: {
        value: { ...JOB, kind: 'compress', state: 'done', destination: '/docs/old.zip', made: ['/docs/old.zip'] },
      },
      202: { ...JOB_REPLY, value: { ...JOB, kind: 'compress', destination: '/docs/old.zip' } },
      409: { description: 'The name is taken, and neither `override` nor `rename` is true' },
    },
  },
  'files.remove': {
    params: { '*': 'docs/report.txt' },
    query: { trash: 'true' },
    headers: { Prefer: PREFER },
    replies: {
      202: { ...JOB_REPLY, value: { ...JOB, kind: 'delete', destination: undefined } },
      409: {
        description: 'The entry or a folder around it is being moved to another disk, or contains a mounted disk',
      },
    },
  },
  'downloads.select': {
    description:
      'For items whose names are too long for an address. `files` are paths inside the folder. The address is for `downloads.raw`, for half an ' +
      'hour, and only for the same user or link; permissions are checked again when it is used.',
    params: { '*': 'docs' },
    query: { algo: 'zip' },
    body: { files: ['report.txt', 'pictures'] },
    replies: {
      200: { value: { address: '/api/raw/docs?selection=kUuqK5dE2Yb8Zr3VxJw1Qn0T&algo=zip' } },
      202: NO_DOWNLOAD,
      413: { description: 'More than 3 MiB of names' },
      503: { description: 'Too many selections of others are being kept' },
    },
  },
  'downloads.raw': {
    description:
      'A file is sent with `Accept-Ranges` and `Last-Modified`, and unless `inline` as an attachment of unknown type. A folder ' +
      'or a selection is sent as an archive, created on the fly: if it fails, the connection is closed early. Entries that ' +
      'could not be read are listed in a file "not in this archive.txt".',
    params: { '*': 'docs' },
    query: { files: 'report.txt,pictures', algo: 'zip', inline: 'false' },
    headers: {
      Range: { description: 'One or more ranges', example: 'bytes=0-1023' },
      'If-Modified-Since': {
        description: 'Reply with 304 if the file has not changed since',
        example: 'Sun, 01 Mar 2026 09:30:00 GMT',
      },
    },
    replies: {
      200: {
        description: 'The bytes, as application/octet-stream; with `inline`, or for an archive, with their own type',
        mediaType: '*/*',
        headers: {
          'Content-Disposition': { description: 'The file name', example: "attachment; filename*=utf-8''_docs.zip" },
        },
      },
      202: NO_DOWNLOAD,
      206: {
        mediaType: '*/*',
        headers: { 'Content-Range': { description: 'The range and the total size', example: 'bytes 0-1023/4096' } },
      },
    },
  },
  'encodings.detect': {
    description:
      'For programs that read texts as bytes: the first encoding in which the whole text is valid is the likeliest. Nothing is ' +
      'said about UTF-8 and UTF-16, which the bytes prove themselves.',
    body: { sample: 'xO6w4MfSvLK0+g==' },
    replies: { 200: { value: { encodings: ['gbk', 'gb18030', 'windows-1252'] } } },
  },
  'usage.get': {
    description: 'For a user with a quota, also how much of it is used. A limit of 0 means no limit.',
    params: { '*': '' },
    replies: {
      200: {
        value: {
          total: 270_553_174_016,
          used: 18_262_413_312,
          quota: { used: { bytes: 5_368_709_120, files: 1200 }, limit: { bytes: 21_474_836_480, files: 0 } },
        },
      },
    },
  },
  'search.run': {
    description:
      'One line of JSON per result, sent as soon as it is found, with a path relative to the folder. Skip empty lines: a slow ' +
      'search may start with one, and one at the end means that there are more results. ' +
      'The header `X-Places-Away` names the places of the user that are left out because they are away, percent-encoded and ' +
      'separated by commas.',
    params: { '*': 'docs' },
    query: { query: 'type:image holiday' },
    replies: {
      200: {
        mediaType: 'text/plain',
        value: '{"dir":false,"path":"2026/holiday.jpg"}\n{"dir":true,"path":"holiday"}\n',
      },
    },
  },
}
