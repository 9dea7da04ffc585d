import type { LogoutReason } from '../api/session-link.ts'
import type { Session } from '../api/session.ts'
import type { SessionUser } from '../api/token.ts'

/** Milliseconds before the session ends at which the user is warned. */
export const WARN_BEFORE_END = 60_000
/** The limit of browser timers, 2^31 − 1 ms. */
const MAX_TIMEOUT = 2_147_483_647
/** Milliseconds before a warning that was closed by a change of screen is shown again. */
const ASK_AGAIN_AFTER = 1000

interface SessionWatchDeps {
  readonly session: Pick<Session, 'state' | 'token' | 'reject' | 'endSuspended'>
  /** Resolves when the warning is closed, for whatever reason. */
  readonly warn: () => Promise<unknown>
  /** Resolves when the same user has signed in again, or has declined. */
  readonly signInAgain: (user: SessionUser, reason: LogoutReason) => Promise<unknown>
  readonly now?: () => number
}

/** Warns before the session ends and asks to sign in again afterwards, one dialog at a time. */
export function createSessionWatch({ session, warn, signInAgain, now = Date.now }: SessionWatchDeps) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking = false

  async function ask(question: Promise<unknown>): Promise<void> {
    asking = true
    await question
    asking = false
  }

  async function askToSignIn(user: SessionUser, reason: LogoutReason): Promise<void> {
    await ask(signInAgain(user, reason))
    session.endSuspended()
    check()
  }

  async function warnOnce(): Promise<void> {
    await ask(warn())
    timer = setTimeout(check, ASK_AGAIN_AFTER)
  }

  /** Checks the session; called whenever something may have changed. */
  function check(): void {
    clearTimeout(timer)
    const state = session.state.get()
    if (asking) return
    if (state.status === 'suspended') void askToSignIn(state.user, state.reason)
    if (state.status !== 'signed-in') return
    const remaining = state.expiresAt - now()
    if (remaining <= 0) session.reject(session.token())
    else if (remaining <= WARN_BEFORE_END) void warnOnce()
    else timer = setTimeout(check, Math.min(remaining - WARN_BEFORE_END, MAX_TIMEOUT))
  }

  return { check, stop: () => clearTimeout(timer) }
}
