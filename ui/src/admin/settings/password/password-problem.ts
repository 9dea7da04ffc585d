import type { ApiError } from '../../../api/api-error.ts'
import type { Translate } from '../../../i18n/use-text.tsx'

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

/** What is wrong before anybody is asked. */
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
