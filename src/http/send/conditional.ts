import type { IncomingHttpHeaders } from 'node:http'

export interface Validators {
  readonly etag: string
  /** Milliseconds since 1970. */
  readonly modified: number
}

interface FileStamp {
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  readonly size: number
}

/** A strong validator from a file's time and size, in the format of the original. */
export function etagOf(file: FileStamp): string {
  return `"${file.modified.toString(16)}${file.size.toString(16)}"`
}

/** The condition of an If-Match header for replacing a file; undefined without the header. */
export function expectationOf(header: string | undefined): ((current: FileStamp | undefined) => boolean) | undefined {
  if (header === undefined) return undefined
  return (current) => current !== undefined && listed(header, etagOf(current), false)
}

/** Evaluates conditional headers in the order of RFC 9110, 13.2.2. Without a `modified` time only tags are compared. */
export function evaluateConditions(
  headers: IncomingHttpHeaders,
  file: Pick<Validators, 'etag'> & Partial<Validators>,
): 'send' | 304 | 412 {
  const match = headers['if-match']
  const unmodifiedSince = dateOf(headers['if-unmodified-since'])
  if (match !== undefined) {
    if (!listed(match, file.etag, false)) return 412
  } else if (unmodifiedSince !== undefined && seconds(file.modified ?? NaN) > unmodifiedSince) {
    return 412
  }
  const noneMatch = headers['if-none-match']
  if (noneMatch !== undefined) return listed(noneMatch, file.etag, true) ? 304 : 'send'
  const modifiedSince = dateOf(headers['if-modified-since'])
  return modifiedSince !== undefined && seconds(file.modified ?? NaN) <= modifiedSince ? 304 : 'send'
}

/** False if If-Range shows that the file has changed: then the whole file is sent. */
export function rangeApplies(ifRange: string | undefined, file: Validators): boolean {
  if (ifRange === undefined) return true
  if (ifRange.startsWith('"')) return ifRange === file.etag
  return dateOf(ifRange) === seconds(file.modified)
}

/** True if the client names the version that its Range continues. */
export function continuesSame(headers: IncomingHttpHeaders, etag: string): boolean {
  const match = headers['if-match']
  return headers['if-range'] === etag || (match !== undefined && match !== '*' && listed(match, etag, false))
}

function listed(header: string, etag: string, allowWeak: boolean): boolean {
  return header.split(',').some((entry) => {
    const tag = entry.trim()
    return tag === '*' || tag === etag || (allowWeak && tag === `W/${etag}`)
  })
}

function dateOf(header: string | undefined): number | undefined {
  const time = header === undefined ? NaN : Date.parse(header)
  return Number.isNaN(time) ? undefined : seconds(time)
}

/** HTTP dates have no fractions. */
function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
