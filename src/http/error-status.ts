import { STATUS_CODES } from 'node:http'
import type { ErrorCode } from '../domain/errors.ts'

/** The only table from error codes to HTTP status codes. */
export const ERROR_STATUS = {
  INVALID_INPUT: 400,
  UNAUTHENTICATED: 401,
  WRONG_CREDENTIALS: 403,
  FORBIDDEN: 403,
  // Old clients expect 202 if the download permission is missing, and show any other status as an error.
  NOT_PERMITTED_HERE: 202,
  NOT_FOUND: 404,
  METHOD_REFUSED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  TOO_LARGE: 413,
  // Defined by the checksum extension of tus.
  CHECKSUM_MISMATCH: 460,
  NO_SPACE: 507,
  QUOTA_EXCEEDED: 507,
  UNSUPPORTED: 415,
  NOT_IMPLEMENTED: 501,
  RATE_LIMITED: 429,
  BUSY: 503,
  UNAVAILABLE: 503,
  MAINTENANCE: 503,
  STORE_BUSY: 503,
  STORE_INVALID: 503,
  DAEMON_NOT_RUNNING: 503,
  // The client is gone: this status appears in the log only.
  CANCELLED: 499,
  INTERNAL: 500,
} as const satisfies Record<ErrorCode, number>

const OWN_PHRASES: Readonly<Record<number, string>> = {
  413: 'Request Entity Too Large',
  460: 'Checksum Mismatch',
  499: 'Client Closed Request',
}

/** The text of a plain reply, such as "404 Not Found". */
export function statusLine(status: number): string {
  return `${status} ${OWN_PHRASES[status] ?? STATUS_CODES[status] ?? 'Unknown'}`
}
