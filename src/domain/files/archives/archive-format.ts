import { fail } from '../../errors.ts'
import type { LeftOutEntry } from '../left-out.ts'
import type { VirtualPath } from '../virtual-path.ts'

/** Archive formats by their names on the wire, with their file extensions. */
export const ARCHIVE_EXTENSIONS = {
  zip: '.zip',
  tar: '.tar',
  targz: '.tar.gz',
  tarbz2: '.tar.bz2',
  tarxz: '.tar.xz',
  tarlz4: '.tar.lz4',
  tarsz: '.tar.sz',
  tarbr: '.tar.br',
  tarzst: '.tar.zst',
} as const

export type ArchiveFormat = keyof typeof ARCHIVE_EXTENSIONS

/** Old clients send nothing or "true" for a zip. @throws INVALID_INPUT for unknown formats */
export function archiveFormatOf(word = ''): ArchiveFormat {
  if (word === '' || word === 'true') return 'zip'
  if (Object.hasOwn(ARCHIVE_EXTENSIONS, word)) return word as ArchiveFormat
  return fail('INVALID_INPUT', `unknown archive format, take one of ${Object.keys(ARCHIVE_EXTENSIONS).join(', ')}`, {
    terse: true,
  })
}

/** What a member of a tar or zip can be called. */
export type MemberNames = 'tar' | 'zip'

/**
 * A name for use in an archive. Control characters could manipulate a terminal. A backslash is a folder wherever a zip is unpacked
 * on Windows (GHSA-83xp-526h-j3ww), and a zip cannot have bytes that are not UTF-8. A tar has both as they are on the disk, except
 * for backslashes that would lead out of the folder on Windows. Different names may become the same.
 */
export function safeMemberName(name: string, kind: MemberNames): string {
  const printable = name.replace(/\p{Cc}/gu, '_')
  if (kind === 'tar') return LEADS_OUT.test(printable) ? printable.replaceAll('\\', '_') : printable
  return printable.replaceAll('\\', '_').toWellFormed()
}

/** From the root, from a drive, or up. */
const LEADS_OUT = /^(?:[a-z]:)?\\|(?:^|\\)\.\.(?:\\|$)/i

/** The format by the extension of a file name. */
export function formatByName(name: string): ArchiveFormat | undefined {
  const lower = name.toLowerCase()
  if (lower.endsWith('.tgz')) return 'targz'
  return FORMATS.find((format) => lower.endsWith(ARCHIVE_EXTENSIONS[format]))
}

const FORMATS = Object.keys(ARCHIVE_EXTENSIONS) as ArchiveFormat[]

/** Formats whose content can be listed: those that Node can decompress. */
const READABLE = ['zip', 'tar', 'targz', 'tarbr', 'tarzst'] as const
export type ReadableFormat = (typeof READABLE)[number]

/** Bytes that `tarFormatOf` looks at. */
export const TAR_HEAD = 262

const MAGICS: readonly (readonly [ReadableFormat, at: number, bytes: string])[] = [
  ['targz', 0, '\x1f\x8b'],
  ['tarzst', 0, '\x28\xb5\x2f\xfd'],
  ['tar', 257, 'ustar'],
]

/** How a tar is compressed, whatever its name says: programs unpack downloads, and leave their names. */
export function tarFormatOf(head: Uint8Array, named: ReadableFormat): ReadableFormat {
  const text = String.fromCharCode(...head.subarray(0, TAR_HEAD))
  return MAGICS.find(([, at, bytes]) => text.startsWith(bytes, at))?.[0] ?? named
}

/** The others, whose entries can only be found by decompressing everything before them. */
export function isSeekable(format: ReadableFormat): format is 'zip' | 'tar' {
  return format === 'zip' || format === 'tar'
}

export function readableFormat(name: string): ReadableFormat | undefined {
  const format = formatByName(name)
  return READABLE.find((readable) => readable === format)
}

export interface ArchiveSelection {
  readonly format: ArchiveFormat
  /** Names in the archive are relative to this folder. */
  readonly base: VirtualPath
  /** Paths in the base, none inside another. The base itself means all its entries. */
  readonly items: readonly VirtualPath[]
}

/** Positions in bytes; the end is not included. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** An archive, which workers make as fast as it is read. */
export interface ArchiveContent {
  /** Only for a zip, whose members are stored uncompressed: its size in bytes, and a text that changes with its content. */
  readonly known?: { readonly size: number; readonly fingerprint: string }
  /**
   * Yields the whole archive, or a span of one whose size is known. A part is valid until the next one is requested.
   *
   * @throws CONFLICT if files have changed, so that the archive cannot match its promised size
   */
  parts(span?: Span): AsyncIterable<Uint8Array>
  /** What is not in it, or not under its own name; complete once all parts have been read. Without what its user cannot see. */
  leftOut(): readonly LeftOutEntry[]
}
