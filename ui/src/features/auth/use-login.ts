import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useSession } from '../../api/session-context.tsx'
import { type Translate, useText } from '../../i18n/use-text.tsx'

interface Problem {
  text: string
  /** The field to correct; without one it is not the user's mistake. */
  field?: 'username' | 'password' | undefined
}

/** Seconds to wait when the server refuses further tries and does not say for how long. */
const USUAL_WAIT = 30

export function useLogin() {
  const t = useText()
  const session = useSession()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const [secondsToWait, setSecondsToWait] = useCountdown()

  function show(next: Problem): Problem['field'] {
    setProblem(next)
    return next.field
  }

  /** Signs in; resolves with the field that was wrong. */
  async function submit(username: string, password: string): Promise<Problem['field']> {
    if (busy || secondsToWait > 0) return undefined
    if (username === '') return show({ field: 'username', text: t('login.usernameMissing') })
    if (password === '') return show({ field: 'password', text: t('login.passwordMissing') })
    setBusy(true)
    setProblem(undefined)
    try {
      await session.signIn({ username, password, recaptcha: '' })
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 429) setSecondsToWait(error.retryAfter ?? USUAL_WAIT)
      return show(problemOf(error, t))
    } finally {
      setBusy(false)
    }
  }

  return { submit, busy, problem, secondsToWait }
}

function problemOf(error: ApiError, t: Translate): Problem {
  switch (error.status) {
    case 0:
      return { text: t('login.noConnection') }
    case 403:
      return { field: 'password', text: t('login.wrongCredentials') }
    case 429:
      return { text: t('login.tooManyAttempts', { seconds: error.retryAfter ?? USUAL_WAIT }) }
    default:
      return { text: t('login.failed') }
  }
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
