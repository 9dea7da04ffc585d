import { Type, type Static } from 'typebox'
import { QuotaUse } from '../access/quota.ts'
import { PathPermissions } from '../access/rule.ts'
import { RESOURCE_TYPES } from './resource-type.ts'
import { KeptSorting } from './sorting.ts'
import { Job } from '../automation/job.ts'

/**
 * A file or folder on the wire. `mode` has the bits of Go's `FileMode`: 0o777, 2^31 for a folder, 2^27 for a link. `modified`
 * is RFC 3339 with nanoseconds.
 */
export const Resource = Type.Object({
  path: Type.String(),
  name: Type.String(),
  size: Type.Integer(),
  extension: Type.String(),
  modified: Type.String(),
  mode: Type.Integer(),
  isDir: Type.Boolean(),
  isSymlink: Type.Boolean(),
  type: Type.Enum(RESOURCE_TYPES),
  subtitles: Type.Optional(Type.Array(Type.String())),
  content: Type.Optional(Type.String()),
  /** The encoding of a file whose content was converted, if it is not UTF-8. Saving the content writes UTF-8. */
  encoding: Type.Optional(Type.String()),
  resolution: Type.Optional(Type.Object({ width: Type.Integer(), height: Type.Integer() })),
  checksums: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** Only in public replies: opens the other paths of a share with a password. */
  token: Type.Optional(Type.String()),
  /** Only in public replies: when the share expires, in unix seconds. */
  expire: Type.Optional(Type.Integer()),
  /** Of a place in "/" whose disk or bucket cannot be reached. */
  state: Type.Optional(Type.Literal('away')),
  /** Of the requested path only, and only where rules make it other than what the account may do. */
  permissions: Type.Optional(PathPermissions),
})
export type Resource = Static<typeof Resource>

export const Listing = Type.Object({
  items: Type.Array(Resource),
  numDirs: Type.Integer(),
  numFiles: Type.Integer(),
  sorting: KeptSorting,
  ...Resource.properties,
})
export type Listing = Static<typeof Listing>

/** An entry of a recursive listing. */
export const FlatResource = Type.Object({
  path: Type.String(),
  name: Type.String(),
  size: Type.Integer(),
  modified: Type.String(),
  isDir: Type.Boolean(),
})
export type FlatResource = Static<typeof FlatResource>

/** The total of everything beneath a folder that the user can see. Links count as files and are not followed. */
export const FolderSize = Type.Object({ bytes: Type.Integer(), files: Type.Integer(), folders: Type.Integer() })
export type FolderSize = Static<typeof FolderSize>

/** Number of entries in a listing of the folder. */
export const ItemCount = Type.Object({ items: Type.Integer() })
export type ItemCount = Static<typeof ItemCount>

/** Bytes on the disk. */
export const Usage = Type.Object({
  total: Type.Integer(),
  used: Type.Integer(),
  /** Only of a user who has one. */
  quota: Type.Optional(QuotaUse),
})
export type Usage = Static<typeof Usage>

export const CHECKSUMS = ['md5', 'sha1', 'sha256', 'sha512'] as const
export type Checksum = (typeof CHECKSUMS)[number]

/** What takes the room in a folder, as it was counted. */
export const NotableFiles = Type.Object({
  total: FolderSize,
  /** Of the files directly in it. */
  own: Type.Object({ bytes: Type.Integer(), files: Type.Integer() }),
  /** The 100 largest files at any depth, the largest first. */
  largest: Type.Array(FlatResource),
  /** The 100 files that have not been changed for the longest time. */
  oldest: Type.Array(FlatResource),
  /** When the files were read. */
  counted: Type.String(),
})
export type NotableFiles = Static<typeof NotableFiles>

/** The known sizes of the folders in a folder. Some may be from before a change. */
export const FolderSizes = Type.Object({
  sizes: Type.Array(Type.Object({ name: Type.String(), ...FolderSize.properties })),
  /** Only if it was asked for, and once it is known. */
  notable: Type.Optional(NotableFiles),
  /** The job that counts missing and changed sizes, while it is unfinished, or if it failed or was cancelled. */
  job: Type.Optional(Job),
})
export type FolderSizes = Static<typeof FolderSizes>
