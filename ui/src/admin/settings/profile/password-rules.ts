import type { ApiError } from '../../../api/api-error.ts'
import type { Translate } from '../../../i18n/use-text.tsx'
import { isPredictable } from '../../../../../src/domain/accounts/predictable-password.ts'

export type PasswordFieldName = 'current' | 'next' | 'repeated'

export interface PasswordProblem {
  readonly text: string
  /** The field to correct; without one it is not the user's mistake. */
  readonly field?: PasswordFieldName | undefined
  /** The length that the server wants at least, when it has told. */
  readonly least?: number | undefined
}

export interface PasswordEntries {
  /** Undefined where the server does not ask for it. */
  readonly current: string | undefined
  readonly next: string
  readonly repeated: string
}

/** Errors that need no request. */
export function problemOfEntries(
  { current, next, repeated }: PasswordEntries,
  t: Translate,
): PasswordProblem | undefined {
  if (current === '') return { field: 'current', text: t('password.currentMissing') }
  if (next === '') return { field: 'next', text: t('password.newMissing') }
  if (next !== repeated) return { field: 'repeated', text: t('password.mismatch') }
  return undefined
}

/** What the refusal of the server means. */
export function problemOfAnswer(error: ApiError, t: Translate): PasswordProblem {
  const { status, field, message } = error
  if (status === 0) return { text: t('password.noConnection') }
  if (status === 429) return { text: t('password.tooManyAttempts', { seconds: error.retryAfter ?? 30 }) }
  if (status === 403) return { text: t('password.forbidden') }
  if (field === 'current_password') return { field: 'current', text: t('password.wrongCurrent') }
  if (field !== 'password') return { text: t('password.failed') }
  const least = Number(/minimum length is (\d+)/.exec(message)?.[1] ?? Number.NaN)
  if (Number.isNaN(least)) return { field: 'next', text: t('password.tooEasy') }
  return { field: 'next', text: t('password.tooShort', { least }), least }
}

export type PasswordAdvice = 'none' | 'short' | 'predictable' | 'fair' | 'good' | 'strong'

/** Signs to choose from, for each kind of sign that is used. */
const KINDS: readonly [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[^a-zA-Z0-9]/, 32],
]
const GOOD_BITS = 64
const STRONG_BITS = 90

/**
 * What can be said of a password while it is typed. `least` is in bytes of UTF-8, as the server counts; undefined where the
 * page does not know it. The server looks into lists besides.
 */
export function passwordAdvice(password: string, least: number | undefined): PasswordAdvice {
  if (password === '') return 'none'
  if (new TextEncoder().encode(password).length < (least ?? 0)) return 'short'
  if (isPredictable(password)) return 'predictable'
  const choices = KINDS.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0)
  // A repeated character adds little.
  const bits = (new Set(password).size + password.length / 2) * (2 / 3) * Math.log2(choices)
  return bits >= STRONG_BITS ? 'strong' : bits >= GOOD_BITS ? 'good' : 'fair'
}
