export interface BookPlace {
  /** In the archive. */
  readonly path: string
  /** The id of an element of it; "" for its beginning. */
  readonly part: string
}

/** What an address in a file of a book names; null when it leads out of the book. @param from path of that file */
export function placeInBook(from: string, address: string): BookPlace | null {
  if (/^([a-z][a-z\d+.-]*:|\/\/)|[\p{Cc}\\]/iu.test(address)) return null
  const [written = '', part = ''] = address.split('#', 2)
  const relative = written.split('?', 1)[0] ?? ''
  if (relative === '') return { path: from, part: decoded(part) }
  const segments = relative.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const segment of relative.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(decoded(segment))
  }
  return { path: segments.join('/'), part: decoded(part) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** Where one was: the number of the chapter and how far one was in it, from 0 to 1. */
export interface BookMark {
  readonly chapter: number
  readonly share: number
}

export function writeMark({ chapter, share }: BookMark): string {
  return `${chapter}:${share.toFixed(4)}`
}

/** The beginning, unless a place of this book was kept. */
export function readMark(kept: string | undefined, chapters: number): BookMark {
  const [chapter = NaN, share = NaN] = (kept ?? '').split(':').map(Number)
  if (!Number.isInteger(chapter) || chapter < 0 || chapter >= chapters || !(share >= 0 && share <= 1)) {
    return { chapter: 0, share: 0 }
  }
  return { chapter, share }
}
