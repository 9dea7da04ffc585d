import type { ARCHIVE_EXTENSIONS, ArchiveFormat } from '../../../../src/domain/archive-format.ts'

// The same as in the domain, as the types see to: what the first view imports as well would come into it.
export const EXTENSIONS: typeof ARCHIVE_EXTENSIONS = {
  zip: '.zip',
  tar: '.tar',
  targz: '.tar.gz',
  tarbz2: '.tar.bz2',
  tarxz: '.tar.xz',
  tarlz4: '.tar.lz4',
  tarsz: '.tar.sz',
  tarbr: '.tar.br',
  tarzst: '.tar.zst',
}

export const FORMATS = Object.keys(EXTENSIONS) as readonly ArchiveFormat[]

const REMEMBERED = 'filemgr:archive-format'

/** The format that was chosen last in this browser. */
export function lastFormat(): ArchiveFormat {
  const kept = localStorage.getItem(REMEMBERED)
  return FORMATS.find((value) => value === kept) ?? 'zip'
}

export function rememberFormat(format: ArchiveFormat): void {
  localStorage.setItem(REMEMBERED, format)
}
