import { Option } from 'commander'
import { parseDuration } from '../domain/units.ts'
import { fail } from '../domain/errors.ts'
import { expiryAfter } from '../domain/share.ts'
import type { Invocation } from './command.ts'
import { readLineOf } from './password.ts'
/** How a link may be guarded, for every command that makes or changes one. */
export function shareOptions(): Option[] {
  return [
    new Option('--expires <duration>', 'how long it lasts, such as 7d or 12h; 0 is for ever'),
    new Option('--share-password <text>', 'its password; visible in the process list'),
    new Option('--share-password-stdin', 'read its password from standard input'),
  ]
}

/**
 * When a share is to end, in unix seconds, 0 = never; undefined when the line does not say.
 *
 * @param now milliseconds since 1970
 * @throws INVALID_INPUT
 */
export function expiryFrom({ values }: Invocation, now: number): number | undefined {
  const text = values['expires']
  if (typeof text !== 'string') return undefined
  const duration = parseDuration(text)
  if (duration === undefined) {
    fail('INVALID_INPUT', `--expires takes a duration such as 7d, 12h or 30m, or 0, not "${text}"`, {
      field: 'expires',
    })
  }
  return expiryAfter(duration, now)
}

/** Undefined when the line names none. @throws INVALID_INPUT when it names two, or an empty one */
export async function sharePasswordFrom({ values, terminal }: Invocation): Promise<string | undefined> {
  const { sharePassword, sharePasswordStdin } = values
  if (sharePassword !== undefined && sharePasswordStdin === true) {
    fail('INVALID_INPUT', 'give one of --share-password and --share-password-stdin', { field: 'share-password' })
  }
  if (sharePasswordStdin === true) return await readLineOf(terminal.stdin)
  if (sharePassword === '') fail('INVALID_INPUT', 'the password of a link cannot be empty', { field: 'share-password' })
  return typeof sharePassword === 'string' ? sharePassword : undefined
}
