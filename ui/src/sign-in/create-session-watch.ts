import type { LogoutReason, Session } from '../api/session.ts'
import type { SessionUser } from '../api/token.ts'

/** Milliseconds before the end that the user is warned. */
export const WARN_BEFORE_END = 60_000
/** Timers cannot wait longer than 2^31 − 1 ms. */
const LONGEST_TIMER = 2_147_483_647
/** Milliseconds before a question is asked again that went with its screen. */
const ASK_AGAIN_AFTER = 1000

interface SessionWatchDeps {
  readonly session: Pick<Session, 'state' | 'token' | 'reject' | 'release'>
  /** Resolves when the warning is closed, for whatever reason. */
  readonly warn: () => Promise<unknown>
  /** Resolves when the same user is signed in again, or does not want to be. */
  readonly signInAgain: (user: SessionUser, reason: LogoutReason) => Promise<unknown>
  readonly now?: () => number
}

export interface SessionWatch {
  /** Something may have changed. */
  readonly look: () => void
  readonly stop: () => void
}

/** Asks the right question at the right time, one at a time. */
export function createSessionWatch({ session, warn, signInAgain, now = Date.now }: SessionWatchDeps): SessionWatch {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking = false

  async function ask(question: Promise<unknown>): Promise<void> {
    asking = true
    await question
    asking = false
  }

  async function hold(user: SessionUser, reason: LogoutReason): Promise<void> {
    await ask(signInAgain(user, reason))
    session.release()
    look()
  }

  async function warnOnce(): Promise<void> {
    await ask(warn())
    timer = setTimeout(look, ASK_AGAIN_AFTER)
  }

  function look(): void {
    clearTimeout(timer)
    const state = session.state.get()
    if (asking) return
    if (state.status === 'held') void hold(state.user, state.reason)
    if (state.status !== 'signed-in') return
    const left = state.expiresAt - now()
    if (left <= 0) session.reject(session.token())
    else if (left <= WARN_BEFORE_END) void warnOnce()
    else timer = setTimeout(look, Math.min(left - WARN_BEFORE_END, LONGEST_TIMER))
  }

  return { look, stop: () => clearTimeout(timer) }
}
