import { type Static, Type } from 'typebox'
import { LeftOutEntry, type LeftOutReason } from '../left-out.ts'
import { type Encoding, NAME_ENCODINGS } from '../../text/encodings.ts'
import { bytesOfText, isNameText } from '../name-text.ts'
import { Listing } from '../resource.ts'
import { parseVirtualPath, type VirtualPath } from '../virtual-path.ts'

/**
 * The limits of an archive. One that exceeds them is refused as a decompression bomb. How well it packs says nothing: an image of
 * an empty disk packs to a thousandth. Free space and quotas are checked before anything is unpacked.
 */
export const ARCHIVE_LIMITS = {
  entries: 100_000,
  /** Unpacked, all files together. */
  bytes: 1024 ** 4,
  /**
   * A compressed tar is decompressed even to be listed. The attack is one of megabytes that keeps a processor busy for an hour, so
   * above `slowFrom` unpacked bytes it must not have more than this for each byte of the archive.
   */
  slowRatio: 200,
  slowFrom: 64 * 1024 ** 3,
  /** Characters of all names together, since they stay in memory. */
  names: 16 * 1024 * 1024,
  /** Folders inside each other. */
  depth: 64,
} as const

/** Most paths in one request. */
const MAX_ITEMS = 1000

export const NameEncoding = Type.Unsafe<Encoding>(
  Type.Enum([...NAME_ENCODINGS], { description: 'Of names that do not say theirs; detected if left out' }),
)

/** A folder of an archive, with paths relative to the archive. */
export const ArchiveListing = Type.Object({
  ...Listing.properties,
  leftOut: Type.Array(LeftOutEntry, {
    description: 'The first entries of the archive that are never shown nor extracted, or not under their own names',
  }),
  encoding: Type.Optional(
    Type.Unsafe<Encoding>(
      Type.Enum([...NAME_ENCODINGS], { description: 'What names were taken for that do not say their encoding' }),
    ),
  ),
})
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
  encoding: Type.Optional(NameEncoding),
  ...OnConflict,
})
export type ExtractRequest = Static<typeof ExtractRequest>

export const CompressRequest = Type.Object({
  names: Type.Union([Paths], { description: 'Entries of the folder' }),
  destination: Type.String({ description: 'Path of the archive; its extension is the format' }),
  ...OnConflict,
})
export type CompressRequest = Static<typeof CompressRequest>

/** Bytes. */
const MAX_NAME = 255
const MAX_PATH = 4096

/**
 * The path of an entry, relative to where the archive is unpacked, or why it has none. The attack is an entry that is written
 * outside of the destination ("zip slip"): a leading slash or drive is dropped, as other programs do, and ".." is refused.
 * Control characters, which could manipulate a terminal, become underscores. Bytes that are not UTF-8 stay as they are.
 */
export function pathInArchive(name: string): { readonly path: VirtualPath } | { readonly reason: LeftOutReason } {
  const segments = name
    .replace(/^[a-z]:(?=\/)/i, '')
    .replace(/\p{Cc}/gu, '_')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  if (segments.includes('..')) return { reason: 'outside' }
  const path = segments.join('/')
  const isUsable = segments.every((segment) => isNameText(segment) && bytesOfText(segment).length <= MAX_NAME)
  const isShort = bytesOfText(path).length < MAX_PATH
  return isUsable && isShort ? { path: parseVirtualPath(path) } : { reason: 'name' }
}
