import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SessionState } from '../../../../ui/src/api/session.ts'
import type { SessionUser } from '../../../../ui/src/api/token.ts'
import { createSessionWatch } from '../../../../ui/src/sign-in/create-session-watch.ts'
import { createStore } from '../../../../ui/src/lib/create-store.ts'

const MINUTE = 60_000
const USER = { id: 1, username: 'maya' } as SessionUser

function watchSession(expiresIn: number) {
  const state = createStore<SessionState>({ status: 'signed-in', user: USER, expiresAt: Date.now() + expiresIn })
  const asked: string[] = []
  let answer: () => void = () => undefined
  const ask = async (question: string): Promise<void> => {
    asked.push(question)
    await new Promise<void>((resolve) => (answer = resolve))
  }
  const watch = createSessionWatch({
    session: {
      state,
      token: () => 'a.b.c',
      reject: (token) => asked.push(`reject ${token}`),
      endSuspended: () => asked.push('end suspended'),
    },
    warn: async () => await ask('warn'),
    signInAgain: async ({ username }, reason) => await ask(`sign in again ${username} ${reason}`),
  })
  state.subscribe(watch.check)
  watch.check()
  const renew = (life: number) => state.set({ status: 'signed-in', user: USER, expiresAt: Date.now() + life })
  return { watch, state, asked, renew, answer: () => answer() }
}

describe('the watch over a session', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }))
  afterEach(() => void vi.useRealTimers())

  it('warns a minute before the end, once', async () => {
    const { asked, watch } = watchSession(10 * MINUTE)
    await vi.advanceTimersByTimeAsync(9 * MINUTE - 1)
    expect(asked).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    watch.check()
    expect(asked).toEqual(['warn'])
  })

  it('does not warn if the session was renewed', async () => {
    const { asked, renew } = watchSession(10 * MINUTE)
    await vi.advanceTimersByTimeAsync(5 * MINUTE)
    renew(10 * MINUTE)
    await vi.advanceTimersByTimeAsync(8 * MINUTE)
    expect(asked).toEqual([])
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(asked).toEqual(['warn'])
  })

  it('warns again if the warning was closed with its screen, but not after a renewal', async () => {
    const lost = watchSession(MINUTE)
    lost.answer()
    await vi.advanceTimersByTimeAsync(2000)
    expect(lost.asked).toEqual(['warn', 'warn'])
    const renewed = watchSession(MINUTE)
    renewed.renew(10 * MINUTE)
    renewed.answer()
    await vi.advanceTimersByTimeAsync(2000)
    expect(renewed.asked).toEqual(['warn'])
  })

  it('notices that the session expired while the computer slept', () => {
    const { asked, watch } = watchSession(10 * MINUTE)
    vi.setSystemTime(Date.now() + 11 * MINUTE)
    watch.check()
    expect(asked).toEqual(['reject a.b.c'])
  })

  it('asks the user of a suspended session to sign in again, and ends it if they do not', async () => {
    const { asked, state, answer } = watchSession(10 * MINUTE)
    state.set({ status: 'suspended', user: USER, reason: 'ended' })
    expect(asked).toEqual(['sign in again maya ended'])
    state.set({ status: 'signed-out' })
    answer()
    await vi.advanceTimersByTimeAsync(0)
    expect(asked).toEqual(['sign in again maya ended', 'end suspended'])
  })

  it('does nothing after it is stopped', async () => {
    const { asked, watch } = watchSession(10 * MINUTE)
    watch.stop()
    await vi.advanceTimersByTimeAsync(20 * MINUTE)
    expect(asked).toEqual([])
  })
})
