import type { ApiError } from '../api/api-error.ts'
import type { Translate } from '../i18n/use-text.tsx'
import type { LoginMode } from './login-mode.ts'

export type LoginField = 'username' | 'password' | 'repeated'

export interface Problem {
  text: string
  /** The field to correct; without one it is not the user's mistake. */
  field?: LoginField | undefined
}

/** Seconds to wait when the server refuses further tries and does not say for how long. */
export const USUAL_WAIT = 30

/** What a refusal of the server means for whoever stands before the form. */
export function problemOf(error: ApiError, mode: LoginMode, t: Translate): Problem {
  if (error.status === 0) return { text: t('login.noConnection') }
  if (error.status === 429) return { text: t('login.tooManyAttempts', { seconds: error.retryAfter ?? USUAL_WAIT }) }
  if (mode === 'signup') return problemOfSignUp(error, t)
  if (error.status === 403) return { field: 'password', text: t('login.wrongCredentials') }
  return { text: t('login.failed') }
}

function problemOfSignUp({ status, message, field }: ApiError, t: Translate): Problem {
  if (status === 409) return { field: 'username', text: t('login.nameTaken') }
  if (status === 405) return { text: t('login.signUpOff') }
  if (status === 403) return { text: t('login.captchaRefused') }
  if (status !== 400) return { text: t('login.signUpFailed') }
  const least = /minimum length is (\d+)/.exec(message)?.[1]
  if (least !== undefined) return { field: 'password', text: t('login.tooShort', { count: Number(least) }) }
  if (field === 'password') return { field, text: t('login.tooEasy') }
  return { field: 'username', text: t('login.nameUnusable') }
}
