import { fail } from '../errors.ts'

/**
 * A path as users and URLs speak it: "/" or "/a/b", without empty, "." or ".." segments and without a slash at its end.
 * Characters are kept as they came (no Unicode normalisation): names keep their bytes; only comparisons fold them.
 */
export type VirtualPath = string & { readonly __brand: 'VirtualPath' }

const LONGEST_SEGMENT = 255
const LONGEST_PATH = 4096
const encoder = new TextEncoder()

export const ROOT = '/' as VirtualPath

/**
 * The one place where text becomes a path. The caller decodes percent escapes, exactly once.
 *
 * @throws INVALID_INPUT for NUL, "." and ".." segments, segments over 255 bytes and paths over 4096 bytes
 */
export function parseVirtualPath(text: string): VirtualPath {
  // NUL ends a name for the kernel: "a.txt\0.png" would be checked as one name and opened as another.
  if (text.includes('\0')) fail('INVALID_INPUT', 'a path cannot contain a NUL character')
  const segments = text.split('/').filter((segment) => segment !== '')
  for (const segment of segments) requireSegment(segment)
  if (byteLength(text) > LONGEST_PATH) fail('INVALID_INPUT', `a path cannot be longer than ${LONGEST_PATH} bytes`)
  return `/${segments.join('/')}` as VirtualPath
}

/** Joins text cleaned against "/", so that ".." cannot leave it (query values `destination` and `files`). */
export function cleanVirtualPath(text: string): VirtualPath {
  const kept: string[] = []
  for (const segment of text.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return parseVirtualPath(kept.join('/'))
}

/** A slash at the end of the request's path means "folder". */
export function namesFolder(text: string): boolean {
  return text.endsWith('/')
}

/** The names along a path; none for the root. */
export function segmentsOf(path: VirtualPath): string[] {
  return path === ROOT ? [] : path.slice(1).split('/')
}

/** The last segment; "" for the root. */
export function nameOf(path: VirtualPath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The folder that holds the path; the root is its own parent. */
export function parentOf(path: VirtualPath): VirtualPath {
  return (path.slice(0, path.lastIndexOf('/')) || '/') as VirtualPath
}

/** The path of an entry of a folder. @throws INVALID_INPUT for what is no name of one entry */
export function childOf(folder: VirtualPath, name: string): VirtualPath {
  requireSegment(name)
  return (folder === ROOT ? `/${name}` : `${folder}/${name}`) as VirtualPath
}

/** The path seen from further out: `below('/docs', '/a')` is "/docs/a". */
export function below(folder: VirtualPath, path: VirtualPath): VirtualPath {
  if (folder === ROOT) return path
  return path === ROOT ? folder : (`${folder}${path}` as VirtualPath)
}

/** True for the folder itself and everything beneath it; "/ab" is not inside "/a" (GHSA-5q48-q4fm-g3m6). */
export function isInside(folder: VirtualPath, path: VirtualPath): boolean {
  return folder === ROOT || path === folder || path.startsWith(`${folder}/`)
}

/**
 * Names that are made anew carry no control characters: they break terminals and logs. Files that already have them stay reachable.
 *
 * @throws INVALID_INPUT
 */
export function requireNewName(path: VirtualPath): void {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0001-\u001f\u007f]/.test(path)) fail('INVALID_INPUT', 'a new name cannot contain control characters')
}

function requireSegment(segment: string): void {
  if (segment === '.' || segment === '..') fail('INVALID_INPUT', 'a path cannot contain "." or ".." segments')
  if (segment === '' || segment.includes('/') || segment.includes('\0')) fail('INVALID_INPUT', 'this is not a name')
  if (byteLength(segment) > LONGEST_SEGMENT)
    fail('INVALID_INPUT', `a name cannot be longer than ${LONGEST_SEGMENT} bytes`)
}

function byteLength(text: string): number {
  return text.length * 3 <= LONGEST_SEGMENT ? text.length : encoder.encode(text).length
}

const LONGEST = 255

/**
 * The n-th other name: "a.txt" becomes "a(1).txt", ".profile" becomes "(1).profile". A name that would become too long for a
 * disk loses letters before the number.
 */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  const end = dot < 0 ? name.length : dot
  const tail = `(${number})${name.slice(end)}`
  const letters = [...name.slice(0, end)]
  while (letters.length > 0 && isTooLong(letters.join('') + tail)) letters.pop()
  return letters.join('') + tail
}

function isTooLong(name: string): boolean {
  return name.length * 3 > LONGEST && new TextEncoder().encode(name).length > LONGEST
}
