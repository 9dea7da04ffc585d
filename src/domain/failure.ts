import { type Static, Type } from 'typebox'
import { isFilemgrError } from './errors.ts'

/** Why a part of a request, or a job, has failed. */
export const Failure = Type.Object({
  code: Type.String(),
  message: Type.String(),
  reason: Type.Optional(Type.String({ description: 'More about the code, such as "disk" or "encrypted"' })),
})
export type Failure = Static<typeof Failure>

/** Messages of internal errors may contain paths and other secrets, and go to the log only. */
export function failureOf(error: unknown): Failure {
  if (!isFilemgrError(error) || error.code === 'INTERNAL')
    return { code: 'INTERNAL', message: 'internal error; see the log' }
  const { code, message, details } = error
  return { code, message, ...(details.reason !== undefined && { reason: details.reason }) }
}
