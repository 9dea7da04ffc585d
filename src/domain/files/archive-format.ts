import { fail } from '../errors.ts'

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

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const UNSAFE = /[\\:\u0000-\u001f\u007f]/g

/**
 * A name for use in an archive. When unpacked on Windows, backslashes and colons would be folders, drives and streams
 * (GHSA-83xp-526h-j3ww), and control characters could manipulate a terminal. Nor are bytes that are not UTF-8
 * possible in a zip. Different names may become the same.
 */
export function safeMemberName(name: string): string {
  return name.replace(UNSAFE, '_').toWellFormed()
}

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

export function readableFormat(name: string): ReadableFormat | undefined {
  const format = formatByName(name)
  return READABLE.find((readable) => readable === format)
}
