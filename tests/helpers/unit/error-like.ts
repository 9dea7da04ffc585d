import { expect } from 'vitest'
import type { ErrorCode } from '../../../src/domain/errors.ts'

/** Matches a FilemgrError by its code, and by its message if given. */
export function errorLike(code: ErrorCode, message?: string): Error {
  return expect.objectContaining({ code, ...(message === undefined ? {} : { message }) }) as Error
}
