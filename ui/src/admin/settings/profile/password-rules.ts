import type { ApiError } from '../../../api/api-error.ts'
import type { Translate } from '../../../i18n/use-text.tsx'
import { isPredictable } from '../../../../../src/domain/accounts/predictable-password.ts'

export type PasswordFieldName = 'current' | 'next' | 'repeated'

export interface PasswordProblem {
  readonly text: string
  /** The field to correct; undefined if the user cannot fix it. */
  readonly field?: PasswordFieldName | undefined
  /** Minimum length, if the server reported it. */
  readonly least?: number | undefined
}

export interface PasswordEntries {
  /** Undefined if the server does not require it. */
  readonly current: string | undefined
  readonly next: string
  readonly repeated: string
}

/** Problems found without asking the server. */
export function problemOfEntries(
  { current, next, repeated }: PasswordEntries,
  t: Translate,
): PasswordProblem | undefined {
  if (current === '') return { field: 'current', text: t('password.currentMissing') }
  if (next === '') return { field: 'next', text: t('password.newMissing') }
  if (next !== repeated) return { field: 'repeated', text: t('password.mismatch') }
  return undefined
}

/** What a server error means for the form. */
export function problemOfAnswer(error: ApiError, t: Translate): PasswordProblem {
  const { status, field, minimum } = error
  if (status === 0) return { text: t('files.noConnection') }
  if (status === 429) return { text: t('password.tooManyAttempts', { seconds: error.retryAfter ?? 30 }) }
  if (status === 403) return { text: t('password.forbidden') }
  if (field === 'current_password') return { field: 'current', text: t('password.wrongCurrent') }
  if (field !== 'password') return { text: t('password.failed') }
  if (minimum === undefined) return { field: 'next', text: t('password.tooEasy') }
  return { field: 'next', text: t('password.tooShort', { least: minimum }), least: minimum }
}

export type PasswordAdvice = 'none' | 'short' | 'predictable' | 'fair' | 'good' | 'strong'

/** Size of the alphabet for each kind of character. */
const KINDS: readonly [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[^a-zA-Z0-9]/, 32],
]
const GOOD_BITS = 64
const STRONG_BITS = 90

/**
 * Feedback while the user types. `least` is in UTF-8 bytes, as on the server; undefined if unknown. The server also
 * checks lists of common passwords.
 */
export function passwordAdvice(password: string, least: number | undefined): PasswordAdvice {
  if (password === '') return 'none'
  if (new TextEncoder().encode(password).length < (least ?? 0)) return 'short'
  if (isPredictable(password)) return 'predictable'
  const choices = KINDS.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0)
  // Repeated characters add little.
  const bits = (new Set(password).size + password.length / 2) * (2 / 3) * Math.log2(choices)
  return bits >= STRONG_BITS ? 'strong' : bits >= GOOD_BITS ? 'good' : 'fair'
}
