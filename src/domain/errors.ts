/** What can go wrong, as a machine-readable word. Only two tables know what a code means: HTTP status and exit code. */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'UNAUTHENTICATED'
  | 'WRONG_CREDENTIALS'
  | 'FORBIDDEN'
  | 'NOT_PERMITTED_HERE'
  | 'NOT_FOUND'
  | 'METHOD_REFUSED'
  | 'REQUEST_TIMEOUT'
  | 'CONFLICT'
  | 'PRECONDITION_FAILED'
  | 'TOO_LARGE'
  | 'CHECKSUM_MISMATCH'
  | 'NO_SPACE'
  | 'UNSUPPORTED'
  | 'NOT_IMPLEMENTED'
  | 'RATE_LIMITED'
  | 'BUSY'
  | 'UNAVAILABLE'
  | 'STORE_BUSY'
  | 'STORE_INVALID'
  | 'DAEMON_NOT_RUNNING'
  | 'CANCELLED'
  | 'INTERNAL'

export interface ErrorDetails {
  /** The option or field that is wrong. */
  readonly field?: string
  /** Seconds to wait before the next try. */
  readonly retryAfter?: number
  /** The plain reply contains the status only, without the message, as old clients compare it literally. */
  readonly terse?: boolean
  readonly [key: string]: unknown
}

/** The only error that crosses a layer. The message is for people: what went wrong and what to do, one line, no paths of the disk. */
export class FilemgrError extends Error {
  override readonly name = 'FilemgrError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.details = details
  }
}

/** Throws the error that crosses layers. @param message what went wrong and what to do, for people */
export function fail(code: ErrorCode, message: string, details?: ErrorDetails, options?: ErrorOptions): never {
  throw new FilemgrError(code, message, details, options)
}

/** The error for work that its caller has cancelled. */
export function cancelled(): FilemgrError {
  return new FilemgrError('CANCELLED', 'this was cancelled')
}

/** @throws CANCELLED */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled()
}

/** True for an error of ours, of this code when one is given. */
export function isFilemgrError(error: unknown, code?: ErrorCode): error is FilemgrError {
  return error instanceof FilemgrError && (code === undefined || error.code === code)
}
