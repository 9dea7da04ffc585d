import { useEffect } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useSession } from '../../api/session-context.tsx'

const LOOK_EVERY = 60_000
const RENEW_BEFORE_END = 10 * 60_000

/**
 * Keeps the token from expiring while something runs. The server hints at a renewal in its answers only, and a large file
 * may be on its way for longer than a token lives.
 */
export function useKeepSignedIn(active: boolean): void {
  const session = useSession()
  useEffect(() => {
    if (!active) return
    const timer = setInterval(() => {
      const state = session.state.get()
      if (state.status !== 'signed-in' || state.expiresAt - Date.now() > RENEW_BEFORE_END) return
      void session.renew().catch(ignoreRefusal)
    }, LOOK_EVERY)
    return () => clearInterval(timer)
  }, [active, session])
}

/** A refusal has signed the user out already, and a lost connection may be back in a minute. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}
