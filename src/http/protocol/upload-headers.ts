import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '../../domain/errors.ts'
import { parseSeconds } from '../../domain/upload.ts'

/** Of the body in bytes, when it is said. */
export function lengthOf({ 'content-length': length }: IncomingHttpHeaders): number | undefined {
  return length === undefined ? undefined : Number(length)
}

/**
 * The time that a client wants to keep, in milliseconds since 1970: `X-OC-Mtime`, seconds since 1970, which sync clients of
 * ownCloud's kind and rclone send.
 *
 * @throws INVALID_INPUT
 */
export function modifiedOf(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['x-oc-mtime']
  if (text === undefined) return undefined
  const modified = typeof text === 'string' ? parseSeconds(text) : undefined
  return modified ?? fail('INVALID_INPUT', 'X-OC-Mtime must be seconds since 1970')
}
