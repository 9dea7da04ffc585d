import { fail } from '../../domain/errors.ts'

/**
 * Decodes a query value once more: clients send the already encoded path of a destination encoded again. The one place for
 * it, before the path is made, so that no check sees another path than the disk (CVE-2026-32758).
 *
 * @throws INVALID_INPUT for an escape that is none
 */
export function decodeAgain(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (error) {
    if (error instanceof URIError) fail('INVALID_INPUT', 'the destination is not percent-encoded properly')
    throw error
  }
}
