import { fail, isFilemgrError } from '../errors.ts'
import { bytesOfText, isNameText } from './name-text.ts'

/**
 * A path inside a scope: "/" or "/a/b", without empty, "." or ".." segments and without a trailing slash. Not normalized to one
 * Unicode form, since names must keep their bytes; only comparisons fold them.
 */
export type VirtualPath = string & { readonly __brand: 'VirtualPath' }

export const MAX_NAME_BYTES = 255
const MAX_PATH_BYTES = 4096

export const ROOT = '/' as VirtualPath

/**
 * The only place where text becomes a path. The caller decodes percent escapes, exactly once.
 *
 * @throws INVALID_INPUT for NUL, "." and ".." segments, segments over 255 bytes, paths over 4096 bytes and texts that are no bytes
 */
export function parseVirtualPath(text: string): VirtualPath {
  // NUL ends a name for the kernel: "a.txt\0.png" would be checked as one name and opened as another.
  if (text.includes('\0')) fail('INVALID_INPUT', 'a path cannot contain a NUL character')
  const segments = text.split('/').filter((segment) => segment !== '')
  for (const segment of segments) requireSegment(segment)
  if (byteLength(text) > MAX_PATH_BYTES) fail('INVALID_INPUT', `a path cannot be longer than ${MAX_PATH_BYTES} bytes`)
  return `/${segments.join('/')}` as VirtualPath
}

/** Like `parseVirtualPath`, but undefined for a text that is not a path. */
export function tryParseVirtualPath(text: string): VirtualPath | undefined {
  try {
    return parseVirtualPath(text)
  } catch (error) {
    if (isFilemgrError(error)) return undefined
    throw error
  }
}

const DOT_SEGMENT = /(?:^|\/)\.\.?(?:\/|$)/

/** Resolves "." and ".." against "/", so that they cannot leave it (query values `destination` and `files`). */
export function cleanVirtualPath(text: string): VirtualPath {
  if (!DOT_SEGMENT.test(text)) return parseVirtualPath(text)
  const kept: string[] = []
  for (const segment of text.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return parseVirtualPath(kept.join('/'))
}

/** On the wire, a trailing slash means a folder. */
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

/** The parent folder; the root is its own parent. */
export function parentOf(path: VirtualPath): VirtualPath {
  return (path.slice(0, path.lastIndexOf('/')) || '/') as VirtualPath
}

/** The path of an entry of a folder. @throws INVALID_INPUT if `name` is not a single valid segment */
export function childOf(folder: VirtualPath, name: string): VirtualPath {
  requireSegment(name)
  return (folder === ROOT ? `/${name}` : `${folder}/${name}`) as VirtualPath
}

/** Prefixes a path with a folder: `below('/docs', '/a')` is "/docs/a". */
export function below(folder: VirtualPath, path: VirtualPath): VirtualPath {
  if (folder === ROOT) return path
  return path === ROOT ? folder : (`${folder}${path}` as VirtualPath)
}

/** The path relative to a folder that contains it, the reverse of `below`: `/docs/a` in `/docs` is "/a". */
export function relativeTo(folder: VirtualPath, path: VirtualPath): VirtualPath {
  if (folder === ROOT) return path
  return path === folder ? ROOT : (path.slice(folder.length) as VirtualPath)
}

/** True for the folder itself and everything beneath it; "/ab" is not inside "/a" (GHSA-5q48-q4fm-g3m6). */
export function isInside(folder: VirtualPath, path: VirtualPath): boolean {
  return folder === ROOT || path === folder || path.startsWith(`${folder}/`)
}

/**
 * New names must not contain control characters, which break terminals and logs, and must be UTF-8, which every program can show.
 * Existing files with such names stay reachable.
 *
 * @param present the name of what is copied or moved, which may keep bytes that are not UTF-8
 * @throws INVALID_INPUT
 */
export function requireNewName(path: VirtualPath, present?: string): void {
  const name = nameOf(path)
  if (name !== present) requireNewText(name)
  if (/\p{Cc}/u.test(path)) fail('INVALID_INPUT', 'a new name cannot contain control characters')
}

/** @throws INVALID_INPUT for bytes that are not UTF-8 */
export function requireNewText(name: string): void {
  if (!name.isWellFormed()) fail('INVALID_INPUT', 'a new name must be valid text')
}

function requireSegment(segment: string): void {
  if (segment === '.' || segment === '..') fail('INVALID_INPUT', 'a path cannot contain "." or ".." segments')
  if (segment === '' || segment.includes('/') || segment.includes('\0')) fail('INVALID_INPUT', 'this is not a name')
  if (!isNameText(segment)) fail('INVALID_INPUT', 'a path must be valid text')
  if (byteLength(segment) > MAX_NAME_BYTES)
    fail('INVALID_INPUT', `a name cannot be longer than ${MAX_NAME_BYTES} bytes`)
}

/** Exact only for texts that could exceed `MAX_NAME_BYTES`; for shorter ones the number of UTF-16 units is enough. */
function byteLength(text: string): number {
  return text.length * 3 <= MAX_NAME_BYTES ? text.length : bytesOfText(text).length
}

/**
 * An alternative name: "a.txt" becomes "a(1).txt", ".profile" becomes "(1).profile". The part before the number is shortened
 * if the name would be too long for a disk.
 *
 * @param end where the number goes; before the last dot, if left out
 */
export function numberedName(name: string, number: number, end = name.lastIndexOf('.')): string {
  if (end < 0) return numberedName(name, number, name.length)
  const tail = `(${number})${name.slice(end)}`
  const letters = [...name.slice(0, end)]
  while (letters.length > 0 && byteLength(letters.join('') + tail) > MAX_NAME_BYTES) letters.pop()
  return letters.join('') + tail
}
