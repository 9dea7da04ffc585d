/** Machine-readable error codes. Two tables map them: to HTTP statuses and to exit codes. */
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
  | 'QUOTA_EXCEEDED'
  | 'UNSUPPORTED'
  | 'NOT_IMPLEMENTED'
  | 'RATE_LIMITED'
  | 'BUSY'
  | 'UNAVAILABLE'
  | 'MAINTENANCE'
  | 'STORE_BUSY'
  | 'STORE_INVALID'
  | 'DAEMON_NOT_RUNNING'
  | 'CANCELLED'
  | 'INTERNAL'

export interface ErrorDetails {
  /** The invalid option or field. */
  readonly field?: string
  /** More about the code, such as "disk" or "encrypted". The page has a sentence for it, or else for the code. */
  readonly reason?: string
  /** Minimum length of the field in bytes of UTF-8, if the value is too short. */
  readonly minimum?: number
  /** Seconds to wait before trying again. */
  readonly retryAfter?: number
  /** The plain-text reply has the status only, without the message: old clients compare it literally. */
  readonly terse?: boolean
  /** The plain-text reply has the message although its status is not 400: File Browser does not send it, so no client compares it. */
  readonly explained?: boolean
  readonly [key: string]: unknown
}

/** The only error that crosses layers. The message is for people: one line, what went wrong and what to do, no server paths. */
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

/** @throws FilemgrError */
export function fail(code: ErrorCode, message: string, details?: ErrorDetails, options?: ErrorOptions): never {
  throw new FilemgrError(code, message, details, options)
}

export function cancelled(): FilemgrError {
  return new FilemgrError('CANCELLED', 'this was cancelled')
}

/** @throws CANCELLED */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled()
}

/** @param code if given, only errors with this code match */
export function isFilemgrError(error: unknown, ...codes: readonly ErrorCode[]): error is FilemgrError {
  return error instanceof FilemgrError && (codes.length === 0 || codes.includes(error.code))
}

/** Awaits work; undefined if it fails with one of these codes, or with any of them if none is given. */
export async function unlessFails<T>(work: Promise<T>, ...codes: readonly ErrorCode[]): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isFilemgrError(error, ...codes)) return undefined
    throw error
  }
}

/** The error with one of these codes that a check throws; undefined if it passes. */
export function problemIn(check: () => void, ...codes: readonly ErrorCode[]): FilemgrError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (isFilemgrError(error, ...codes)) return error
    throw error
  }
}

/** Detail of a STORE_BUSY: nothing was written, because a daemon runs on the data folder, and alone writes there. */
export const DAEMONS_TURN = { reason: 'daemon' } as const

export function isDaemonsTurn(error: unknown): boolean {
  return isFilemgrError(error, 'STORE_BUSY') && error.details.reason === DAEMONS_TURN.reason
}
