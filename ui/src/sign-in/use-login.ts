import { useEffect, useState } from 'react'
import { signup } from '../../../src/api/auth.ts'
import { ApiError } from '../api/api-error.ts'
import { useClient } from '../api/client-context.tsx'
import { useSession } from '../api/session-context.tsx'
import { useText } from '../i18n/use-text.tsx'
import type { LoginMode } from './login-mode.ts'
import { type LoginField, type Problem, problemOf, USUAL_WAIT } from './problem-of.ts'
import type { Captcha } from './use-captcha.ts'

interface LoginOptions {
  mode: LoginMode
  captcha: Captcha | undefined
  onSignedUp: () => void
}

type Fields = Record<LoginField, string>

export function useLogin({ mode, captcha, onSignedUp }: LoginOptions) {
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
      // The answer to a captcha is good for one question only.
      if (captcha !== undefined) {
        onSignedUp()
        return
      }
    }
    await session.signIn(credentials)
  }

  /** Signs in or up; resolves with the field that was wrong. */
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
      if (error.status === 429) setSecondsToWait(error.retryAfter ?? USUAL_WAIT)
      return show(problemOf(error, mode, t))
    } finally {
      captcha?.reset()
      setBusy(false)
    }
  }

  // What was wrong with the one form says nothing about the other.
  const problem = found?.mode === mode ? found : undefined
  return { submit, busy, problem, secondsToWait }
}

function useCountdown(): [number, (seconds: number) => void] {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (seconds <= 0) return
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [seconds])
  return [seconds, setSeconds]
}
