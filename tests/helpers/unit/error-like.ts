import { expect } from 'vitest'
import type { ErrorCode } from '../../../src/domain/errors.ts'

/** Matches an error of ours by its code, and by its words where they matter. */
export function errorLike(code: ErrorCode, message?: string): Error {
  return expect.objectContaining({ code, ...(message === undefined ? {} : { message }) }) as Error
}
