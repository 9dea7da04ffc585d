import { type Static, Type } from 'typebox'
import { nameProblem } from './new-name.ts'
import { Listing } from './resource.ts'
import { parseVirtualPath, type VirtualPath } from './virtual-path.ts'

/** The limits of an archive. One that exceeds them is refused as a decompression bomb. */
export const ARCHIVE_LIMITS = {
  entries: 100_000,
  /** Unpacked, all files together. */
  bytes: 1024 ** 4,
  /** Unpacked bytes for each byte of the archive. Applies from `ratioFrom` unpacked bytes, since small files may pack well. */
  ratio: 200,
  ratioFrom: 256 * 1024 * 1024,
  /** Characters of all names together, since they stay in memory. */
  names: 16 * 1024 * 1024,
  /** Folders inside each other. */
  depth: 64,
} as const

/** Most paths in one request. */
const MAX_ITEMS = 1000

/**
 * A folder of an archive, with paths relative to the archive. `leftOut` has the first names that are never shown nor extracted:
 * links, devices, and names that a file cannot have.
 */
export const ArchiveListing = Type.Object({ ...Listing.properties, leftOut: Type.Array(Type.String()) })
export type ArchiveListing = Static<typeof ArchiveListing>

const Paths = Type.Array(Type.String(), { minItems: 1, maxItems: MAX_ITEMS })
const OnConflict = {
  override: Type.Optional(Type.Boolean({ description: 'Replace files, and merge folders' })),
  rename: Type.Optional(Type.Boolean({ description: 'Use another name if one is taken' })),
}

export const ExtractRequest = Type.Object({
  destination: Type.String({ description: 'An existing folder' }),
  items: Type.Optional(
    Type.Union([Paths], {
      description:
        'Paths in the archive; by default everything, in a folder of its own unless the archive has only one entry at the top',
    }),
  ),
  ...OnConflict,
})
export type ExtractRequest = Static<typeof ExtractRequest>

export const CompressRequest = Type.Object({
  names: Type.Union([Paths], { description: 'Entries of the folder' }),
  destination: Type.String({ description: 'Path of the archive; its extension is the format' }),
  ...OnConflict,
})
export type CompressRequest = Static<typeof CompressRequest>

const MAX_PATH = 4096

/**
 * The path of an entry, checked like any new path. Undefined for a name that cannot be a path: absolute names, ".." segments,
 * NUL and control characters, names that are too long or not valid text. The attack is an entry that is written outside of the
 * destination ("zip slip").
 */
export function pathInArchive(name: string): VirtualPath | undefined {
  if (name.startsWith('/') || /^[a-z]:\//i.test(name)) return undefined
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.')
  const path = segments.join('/')
  if (segments.some((segment) => nameProblem(segment) !== undefined)) return undefined
  return new TextEncoder().encode(path).length < MAX_PATH ? parseVirtualPath(path) : undefined
}
