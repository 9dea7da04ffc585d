import type { ErrorCode } from '../../domain/errors.ts'

export const EXIT = { success: 0, internal: 1, usage: 2, interrupted: 130 } as const

/** The only place that maps errors to exit codes. */
const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  INTERNAL: EXIT.internal,
  BUSY: EXIT.internal,
  RATE_LIMITED: EXIT.internal,
  REQUEST_TIMEOUT: EXIT.internal,
  MAINTENANCE: EXIT.internal,
  CHECKSUM_MISMATCH: EXIT.internal,
  INVALID_INPUT: EXIT.usage,
  UNSUPPORTED: EXIT.usage,
  NOT_IMPLEMENTED: EXIT.usage,
  TOO_LARGE: EXIT.usage,
  METHOD_REFUSED: EXIT.usage,
  NOT_FOUND: 3,
  UNAVAILABLE: 3,
  UNAUTHENTICATED: 4,
  WRONG_CREDENTIALS: 4,
  FORBIDDEN: 4,
  NOT_PERMITTED_HERE: 4,
  CONFLICT: 5,
  PRECONDITION_FAILED: 5,
  STORE_BUSY: 6,
  STORE_INVALID: 6,
  DAEMON_NOT_RUNNING: 7,
  NO_SPACE: 8,
  QUOTA_EXCEEDED: 8,
  CANCELLED: EXIT.interrupted,
}

export function exitCodeOf(code: ErrorCode): number {
  return EXIT_CODES[code]
}
