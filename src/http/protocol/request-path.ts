import { fail } from '../../domain/errors.ts'
import { decodeName, encodeName, encodePath, markedText, unmarkedText } from '../../domain/files/name-text.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'

/** The path relative to the base URL, or undefined for an address outside it: "/fbx" is not below "/fb". */
export function pathBelow(base: string, path: string): string | undefined {
  if (path === base) return ''
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined
}

/** The path part of a request target, still percent-encoded, and the query with its "?" or "". */
export function splitTarget(target: string): { path: string; query: string } {
  const end = target.search(/[?#]/)
  return end < 0 ? { path: target, query: '' } : { path: target.slice(0, end), query: target.slice(end) }
}

/**
 * The path without "//", "." and "..", or undefined if it is already clean. Checks the decoded form: "%2e%2e" and "%2F.." mean
 * the same to a file system, and would bypass a check of the literal form.
 *
 * @throws URIError for an invalid escape
 */
export function cleanedPath(encoded: string): string | undefined {
  if (!/\/\/|\/\.|%/.test(encoded)) return undefined
  const decoded = decodeName(encoded)
  const segments = decoded.split('/').slice(1)
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const cleaned = `/${kept.join('/')}${decoded.endsWith('/') && kept.length > 0 ? '/' : ''}`
  // Each segment is encoded again, so the target of the redirect starts with exactly one "/" and stays on this host.
  return cleaned === decoded ? undefined : encodePath(cleaned)
}

/**
 * The path without unnecessary escapes, if there are any in its fixed part: "/%61pi/login" becomes "/api/login". Otherwise
 * undefined, since clients may escape file names as they like.
 */
export function plainRoute(path: string, route: string | undefined): string | undefined {
  const fixed = route?.split(/[:*]/, 1)[0]
  if (fixed === undefined || path.startsWith(fixed)) return undefined
  const plain = path.replace(/%[2-7][0-9A-F]/gi, (escape) => {
    const character = decodeURIComponent(escape)
    return /[\w.~-]/.test(character) ? character : escape
  })
  return plain === path ? undefined : plain
}

/**
 * A path for the router, which refuses bytes that are not UTF-8: they are marked instead. `sentTarget` and `restoreParams` undo
 * this, so that nothing else sees the marks.
 *
 * @param path percent-encoded
 */
export function routedPath(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const text = decodeName(run)
    const marked = markedText(text)
    return marked === text ? run : encodeURIComponent(marked)
  })
}

/** The address of a request, percent-encoded as the client sent it. */
export function sentTarget({ url = '/' }: { readonly url?: string | undefined }): { path: string; query: string } {
  const { path, query } = splitTarget(url)
  return {
    path: path.replace(/%EF%B7%90[0-9A-F]{2}/g, (mark) => encodeName(unmarkedText(decodeURIComponent(mark)))),
    query,
  }
}

/** Puts the bytes that `routedPath` marked back into the parameters of a route. */
export function restoreParams(params: unknown): void {
  if (!isRecord(params)) return
  for (const name in params) params[name] = unmarkedText(String(params[name]))
}

/** Parses a query. The first of repeated names counts. The result has no prototype, against prototype pollution. */
export function parseQuery(text: string): Record<string, unknown> {
  const query = Object.create(null) as Record<string, unknown>
  if (text === '') return query
  for (const [name, value] of new URLSearchParams(text)) query[name] ??= value
  // URLSearchParams decodes bytes that are not UTF-8 as U+FFFD.
  if (Object.values(query).some((value) => (value as string).includes('\ufffd'))) decodeBytes(text, query)
  return query
}

function decodeBytes(text: string, query: Record<string, unknown>): void {
  const seen = new Set<string>()
  for (const pair of text.split('&')) {
    const [name = '', ...rest] = pair.split('=')
    const key = formValue(name)
    if (!seen.has(key)) query[key] = formValue(rest.join('='))
    seen.add(key)
  }
}

/** Like the values of URLSearchParams: a percent sign without digits stands for itself. */
function formValue(text: string): string {
  return decodeName(text.replaceAll('+', ' ').replace(/%(?![0-9a-f]{2})/gi, '%25'))
}

/**
 * Decodes a query value a second time, since clients encode a destination twice. Done only here, before the path is parsed, so
 * that checks and disk see the same path (CVE-2026-32758).
 *
 * @throws INVALID_INPUT for an invalid escape
 */
export function decodeAgain(text: string): string {
  try {
    return decodeName(text.replaceAll('+', ' '))
  } catch (error) {
    if (error instanceof URIError) fail('INVALID_INPUT', 'the destination is not percent-encoded properly')
    throw error
  }
}
