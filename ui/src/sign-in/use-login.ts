import { useEffect, useState } from 'react'
import { signup } from '../../../src/api/accounts/auth.ts'
import { ApiError, type SecondStep } from '../api/api-error.ts'
import { useClient } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { type Translate, useText } from '../i18n/use-text.tsx'
import type { Captcha } from './captcha.tsx'

interface LoginOptions {
  mode: LoginMode
  captcha: Captcha | undefined
  onSignedUp: () => void
  /** The first step is done, and another one follows. */
  onStep: (step: SecondStep) => void
  /** By default, with the form for accounts here. */
  signIn?: (credentials: Credentials) => Promise<void>
  /** Whether an error is shown by whoever uses this. */
  explain?: (error: ApiError) => boolean
}

export interface Credentials {
  username: string
  password: string
  recaptcha: string
}

type Fields = Record<LoginField, string>

export function useLogin({ mode, captcha, onSignedUp, onStep, signIn, explain }: LoginOptions) {
  const t = useText()
  const session = useSession()
  const client = useClient()
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<Problem & { mode: LoginMode }>()
  const [secondsToWait, setSecondsToWait] = useCountdown()

  function show(next: Problem): LoginField | undefined {
    setFound({ ...next, mode })
    return next.field
  }

  function problemIn({ username, password, repeated }: Fields, solved: string | undefined): Problem | undefined {
    if (username === '') return { field: 'username', text: t('login.usernameMissing') }
    if (password === '') return { field: 'password', text: t('login.passwordMissing') }
    if (mode === 'signup' && repeated !== password) return { field: 'repeated', text: t('login.mismatch') }
    return solved === '' ? { text: t('login.wrongCredentials') } : undefined
  }

  async function send({ username, password }: Fields, recaptcha: string): Promise<void> {
    const credentials = { username, password, recaptcha }
    if (mode === 'signup') {
      await client.call(signup, { body: credentials })
      // A captcha response is valid once, so the user signs in with a new one.
      if (captcha !== undefined) {
        onSignedUp()
        return
      }
    }
    await (signIn ?? session.signIn)(credentials)
  }

  /** Signs in or up. @returns the field to correct */
  async function submit(fields: Fields): Promise<LoginField | undefined> {
    if (busy || secondsToWait > 0) return undefined
    const solved = captcha?.response()
    const problem = problemIn(fields, solved)
    if (problem !== undefined) return show(problem)
    setBusy(true)
    setFound(undefined)
    try {
      await send(fields, solved ?? '')
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.step !== undefined) {
        onStep(error.step)
        return undefined
      }
      if (error.status === 429) setSecondsToWait(error.retryAfter ?? DEFAULT_WAIT)
      if (explain?.(error) === true) return undefined
      return show(problemOf(error, mode, t))
    } finally {
      captcha?.reset()
      setBusy(false)
    }
  }

  // A problem of the sign-in form is not shown in the sign-up form, and vice versa.
  const problem = found?.mode === mode ? found : undefined
  return { submit, busy, problem, secondsToWait }
}

export function useCountdown(): [number, (seconds: number) => void] {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (seconds <= 0) return
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [seconds])
  return [seconds, setSeconds]
}

type LoginField = 'username' | 'password' | 'repeated'

interface Problem {
  text: string
  /** The field to correct; undefined if the input is not the cause. */
  field?: LoginField | undefined
}

/** Seconds to wait after a 429 without a Retry-After header. */
const DEFAULT_WAIT = 30

/** Turns an error of the server into a message for the form. */
export function problemOf(error: ApiError, mode: LoginMode, t: Translate): Problem {
  if (error.status === 0) return { text: t('files.noConnection') }
  if (error.code === 'MAINTENANCE') return { text: t('maintenance.adminsOnly') }
  if (error.status === 429) return { text: t('login.tooManyAttempts', { seconds: error.retryAfter ?? DEFAULT_WAIT }) }
  if (mode === 'signup') return problemOfSignUp(error, t)
  if (error.status === 403 && error.field === 'username') return { field: 'username', text: t('login.disabled') }
  if (error.status === 403) return { field: 'password', text: t('login.wrongCredentials') }
  return { text: t('login.failed') }
}

function problemOfSignUp({ status, field, minimum }: ApiError, t: Translate): Problem {
  if (status === 409) return { field: 'username', text: t('login.nameTaken') }
  if (status === 405) return { text: t('login.signUpOff') }
  if (status === 403) return { text: t('login.captchaRefused') }
  if (status !== 400) return { text: t('login.signUpFailed') }
  if (field === 'password') {
    return { field, text: minimum === undefined ? t('login.tooEasy') : t('login.tooShort', { count: minimum }) }
  }
  return { field: 'username', text: t('login.nameUnusable') }
}

/** The mode of the login page, from its address. */
export type LoginMode = 'login' | 'signup'

/** The address of the login page in this mode. @param redirect the page to show after signing in */
export function modeHref(mode: LoginMode, redirect: string | undefined): string {
  const search = new URLSearchParams()
  if (mode === 'signup') search.set('mode', mode)
  if (redirect !== undefined) search.set('redirect', redirect)
  return search.size === 0 ? '/login' : `/login?${search.toString()}`
}
