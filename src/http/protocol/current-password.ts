import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '../../domain/errors.ts'

/** The own password of whoever asks, where the body is no JSON that could hold it. @throws INVALID_INPUT */
export function currentPasswordOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['x-current-password']
  if (typeof header !== 'string') return undefined
  try {
    return decodeURIComponent(header)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return fail('INVALID_INPUT', 'X-Current-Password is not percent-encoded properly', { field: 'current_password' })
  }
}
