import { decodeName } from '../../../../src/domain/files/name-text.ts'

/** A location in a book: a file of the archive and an element in it. */
export interface BookLocation {
  /** Path in the archive. */
  readonly path: string
  /** Id of an element; "" for the beginning of the file. */
  readonly fragment: string
}

/** Resolves a link in a file of a book; null when it leads out of the book. @param from path of that file */
export function resolveInBook(from: string, address: string): BookLocation | null {
  if (/^([a-z][a-z\d+.-]*:|\/\/)|[\p{Cc}\\]/iu.test(address)) return null
  const [written = '', fragment = ''] = address.split('#', 2)
  const relative = written.split('?', 1)[0] ?? ''
  if (relative === '') return { path: from, fragment: decoded(fragment) }
  const segments = relative.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const segment of relative.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(decoded(segment))
  }
  return { path: segments.join('/'), fragment: decoded(fragment) }
}

/** Bytes that are not UTF-8 are allowed: they may be those of a name in the archive. */
function decoded(text: string): string {
  try {
    return decodeName(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** The last reading position: index of the chapter and the fraction of it that was read, from 0 to 1. */
export interface Bookmark {
  readonly chapter: number
  readonly fraction: number
}

export function formatBookmark({ chapter, fraction }: Bookmark): string {
  return `${chapter}:${fraction.toFixed(4)}`
}

/** The beginning of the book, unless a valid bookmark was saved. */
export function parseBookmark(saved: string | undefined, chapters: number): Bookmark {
  const [chapter = NaN, fraction = NaN] = (saved ?? '').split(':').map(Number)
  if (!Number.isInteger(chapter) || chapter < 0 || chapter >= chapters || !(fraction >= 0 && fraction <= 1)) {
    return { chapter: 0, fraction: 0 }
  }
  return { chapter, fraction }
}
