import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { login, logout, redeemCode, renew } from '../../../../src/api/accounts/auth.ts'
import type { Operation } from '../../../../src/api/operation.ts'
import { ApiError } from '../../../../ui/src/api/api-error.ts'
import type { Client } from '../../../../ui/src/api/client.ts'
import type { SessionLink } from '../../../../ui/src/api/session-link.ts'
import { createSession } from '../../../../ui/src/api/session.ts'
import type { TokenVault } from '../../../../ui/src/api/token.ts'

const HOUR = 3_600_000

function tokenFor(username: string, expiresAt: number, { id = 1, iat }: { id?: number; iat?: number } = {}): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'HS256' })}.${encode({ user: { id, username, locale: 'en' }, exp: expiresAt / 1000, iat })}.x`
}

/** A session in one window; `answers` maps operations to responses. */
function openWindow(answers: ReadonlyMap<Operation, () => unknown>, stored?: string) {
  let token = stored
  let cleared = false
  const calls: string[] = []
  const messages: string[] = []
  let heard: Parameters<SessionLink['listen']>[0] | undefined
  const vault: TokenVault = {
    read: () => token,
    write: (next) => void (token = next),
    clear: () => {
      token = undefined
      cleared = true
    },
    wasCleared: () => cleared,
  }
  const link: SessionLink = {
    sendToken: (sent) => messages.push(`token ${sent === token}`),
    sendSignOut: () => messages.push('sign-out'),
    listen: (listener) => void (heard = listener),
  }
  const call = (async ({ id, method }: Operation) => {
    calls.push(method === 'POST' ? id : `${method} ${id}`)
    await Promise.resolve()
    return [...answers].find(([operation]) => operation.id === id)?.[1]()
  }) as Client['call']
  return { session: createSession({ call, vault, link }), calls, messages, heard: () => heard }
}

const refuse = (status: number) => () => {
  throw new ApiError({ status, message: String(status) })
}

describe('the session of a window', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }))
  afterEach(() => void vi.useRealTimers())

  const token = (username = 'maya') => tokenFor(username, Date.now() + 2 * HOUR)

  it('lasts as long as its token, although timers are limited to 25 days', async () => {
    const DAY = 24 * HOUR
    const long = tokenFor('maya', Date.now() + 60 * DAY)
    const { session } = openWindow(new Map([[renew, () => long]]), long)
    await session.start({ loginPage: true })
    await vi.advanceTimersByTimeAsync(60 * DAY - 1)
    expect(session.state.get().status).toBe('signed-in')
    await vi.advanceTimersByTimeAsync(1)
    expect(session.state.get().status).toBe('signed-out')
  })

  it('renews the stored token at the start', async () => {
    const { session, calls } = openWindow(new Map([[renew, () => token('renewed')]]), token())
    await session.start({ loginPage: true })
    expect(session.state.get()).toMatchObject({ status: 'signed-in', user: { username: 'renewed' } })
    expect(calls).toEqual(['auth.renew'])
  })

  it('stays signed out without a token, or with a rejected or expired one', async () => {
    const none = openWindow(new Map())
    const refused = openWindow(new Map([[renew, refuse(401)]]), token())
    const old = openWindow(new Map(), tokenFor('maya', Date.now() - HOUR))
    for (const { session } of [none, refused, old]) await session.start({ loginPage: true })
    expect(none.session.state.get()).toEqual({ status: 'signed-out', reason: undefined })
    expect(refused.session.state.get()).toEqual({ status: 'signed-out', reason: undefined })
    expect(old.session.state.get()).toEqual({ status: 'signed-out', reason: 'inactivity' })
    expect([none.calls, old.calls]).toEqual([[], []])
  })

  it('is restored by the cookie if the stored token is lost', async () => {
    const { session, calls } = openWindow(new Map([[renew, () => token('by cookie')]]))
    await session.start({ loginPage: true, cookieSession: true })
    expect(session.state.get()).toMatchObject({ status: 'signed-in', user: { username: 'by cookie' } })
    expect(calls).toEqual(['GET auth.renew'])
  })

  it('is not restored by a cookie that outlived a sign-out', async () => {
    const { session, calls } = openWindow(new Map([[logout, refuse(0)]]), token())
    await session.signOut()
    await session.start({ loginPage: true, cookieSession: true })
    expect(session.state.get().status).toBe('signed-out')
    expect(calls).toEqual(['auth.logout'])
  })

  it('is signed out if the cookie expired after the page was loaded', async () => {
    const { session } = openWindow(new Map([[renew, refuse(401)]]))
    await session.start({ loginPage: true, cookieSession: true })
    expect(session.state.get()).toEqual({ status: 'signed-out', reason: undefined })
  })

  it.each([0, 502, 503, 504])(
    'continues with the stored token while the server cannot be reached (%i)',
    async (status) => {
      const stored = token()
      const { session } = openWindow(new Map([[renew, refuse(status)]]), stored)
      await session.start({ loginPage: true })
      expect(session.state.get()).toMatchObject({ status: 'signed-in', user: { username: 'maya' } })
      expect(session.token()).toBe(stored)
    },
  )

  it('keeps the stored token on a server error', async () => {
    const stored = token()
    const { session } = openWindow(new Map([[renew, refuse(500)]]), stored)
    await expect(session.start({ loginPage: true })).rejects.toMatchObject({ status: 500 })
    expect(session.token()).toBe(stored)
  })

  it('signs in without credentials if there is no login page', async () => {
    const { session, calls } = openWindow(new Map([[login, () => token()]]))
    await session.start({ loginPage: false })
    expect(session.state.get().status).toBe('signed-in')
    expect(calls).toEqual(['auth.login'])
  })

  it('exchanges a one-time code, and reports an expired one', async () => {
    const good = openWindow(new Map([[redeemCode, () => token()]]))
    const used = openWindow(new Map([[redeemCode, refuse(403)]]))
    await good.session.start({ code: { code: 'c', provider: undefined }, loginPage: true })
    await used.session.start({ code: { code: 'c', provider: undefined }, loginPage: true })
    expect(good.session.state.get().status).toBe('signed-in')
    expect(used.session.state.get()).toEqual({ status: 'signed-out', reason: 'link-expired' })
  })

  it('signs out when the token expires', async () => {
    const { session } = openWindow(new Map([[login, () => token()]]))
    await session.signIn({ username: 'maya', password: 'x', recaptcha: '' })
    vi.advanceTimersByTime(2 * HOUR - 1)
    expect(session.state.get().status).toBe('signed-in')
    vi.advanceTimersByTime(1)
    expect(session.state.get()).toEqual({ status: 'signed-out', reason: 'inactivity' })
    expect(session.token()).toBeUndefined()
  })

  it('renews once for several hints at a time', async () => {
    const { session, calls } = openWindow(new Map([[renew, () => token()]]), token())
    await Promise.all([session.renew(), session.renew()])
    expect(calls).toEqual(['auth.renew'])
    await session.renew()
    expect(calls).toHaveLength(2)
  })

  it('lets only the renewal at its start decide whether the stored token is good', async () => {
    const stored = token()
    const { session, calls } = openWindow(new Map([[renew, () => token()]]), stored)
    const started = session.start({ loginPage: true })
    // Another call of the start was answered first, with a hint or with 401.
    session.reject(stored)
    await Promise.all([started, session.renew()])
    expect(session.state.get()).toMatchObject({ status: 'signed-in' })
    expect(calls).toEqual(['auth.renew'])
  })

  it('signs out here and in other windows, even if the server cannot be reached', async () => {
    const answers = new Map<Operation, () => unknown>([
      [login, () => token()],
      [logout, refuse(0)],
    ])
    const { session, messages } = openWindow(answers)
    await session.signIn({ username: 'maya', password: 'x', recaptcha: '' })
    await session.signOut()
    expect(session.state.get().status).toBe('signed-out')
    expect(messages).toEqual(['token true', 'sign-out'])
  })

  it('stays signed in if a listener refuses the sign-out', async () => {
    const { session, calls } = openWindow(new Map([[renew, () => token()]]), token())
    await session.start({ loginPage: true })
    const unsubscribe = session.beforeSignOut(() => Promise.resolve(false))
    await session.signOut()
    expect([session.state.get().status, calls]).toEqual(['signed-in', ['auth.renew']])
    unsubscribe()
    await session.signOut()
    expect(session.state.get().status).toBe('signed-out')
  })

  it('follows the other windows', () => {
    const { session, heard } = openWindow(new Map())
    heard()?.token(token('other'))
    expect(session.state.get()).toMatchObject({ status: 'signed-in', user: { username: 'other' } })
    heard()?.signOut()
    expect(session.state.get().status).toBe('signed-out')
  })

  it('keeps the reason of a sign-out when a late call without a token is rejected', async () => {
    const { session } = openWindow(new Map([[login, () => token()]]))
    await session.signIn({ username: 'maya', password: 'x', recaptcha: '' })
    await session.signOut()
    session.reject(undefined)
    expect(session.state.get()).toEqual({ status: 'signed-out', reason: undefined })
  })

  it('ignores the rejection of a token that has been replaced meanwhile', async () => {
    const { session } = openWindow(new Map([[login, () => token()]]))
    await session.signIn({ username: 'maya', password: 'x', recaptcha: '' })
    session.reject('an older one')
    expect(session.state.get().status).toBe('signed-in')
    session.reject(session.token())
    expect(session.state.get().status).toBe('signed-out')
  })

  it('uses the lifetime of the server, although its clock differs', async () => {
    const serverTime = Date.now() - 5 * HOUR
    const late = tokenFor('maya', serverTime + 2 * HOUR, { iat: serverTime / 1000 })
    const { session } = openWindow(new Map([[login, () => late]]))
    await session.signIn({ username: 'maya', password: 'x', recaptcha: '' })
    expect(session.state.get()).toMatchObject({ status: 'signed-in', expiresAt: Date.now() + 2 * HOUR })
    vi.advanceTimersByTime(2 * HOUR - 1)
    expect(session.state.get().status).toBe('signed-in')
  })
})

describe('a session with unsaved changes', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }))
  afterEach(() => void vi.useRealTimers())

  const tokenOf = (id: number) => tokenFor('maya', Date.now() + 2 * HOUR, { id })
  const credentials = { username: 'maya', password: 'x', recaptcha: '' }

  async function openHeld(answer: () => unknown = () => tokenOf(1)) {
    const opened = openWindow(
      new Map<Operation, () => unknown>([
        [login, answer],
        [logout, refuse(401)],
      ]),
    )
    await opened.session.signIn(credentials)
    const unsubscribe = opened.session.suspendIf(() => true)
    return { ...opened, unsubscribe }
  }

  it('is suspended when it expires or is revoked, with its user and without its token', async () => {
    const [expired, ended] = [await openHeld(), await openHeld()]
    ended.session.reject(ended.session.token())
    vi.advanceTimersByTime(2 * HOUR)
    const held = { status: 'suspended', user: { id: 1, username: 'maya', locale: 'en' } }
    expect(expired.session.state.get()).toEqual({ ...held, reason: 'inactivity' })
    expect(ended.session.state.get()).toEqual({ ...held, reason: 'ended' })
    expect(expired.session.token()).toBeUndefined()
  })

  it('ends at once if nothing is unsaved any more, or if its user wants to leave', async () => {
    const [saved, abandoned, leaving] = [await openHeld(), await openHeld(), await openHeld()]
    saved.unsubscribe()
    saved.session.reject(saved.session.token())
    expect(saved.session.state.get()).toEqual({ status: 'signed-out', reason: 'ended' })
    abandoned.session.reject(abandoned.session.token())
    abandoned.session.endSuspended()
    expect(abandoned.session.state.get()).toEqual({ status: 'signed-out', reason: 'ended' })
    await leaving.session.signOut()
    expect(leaving.session.state.get().status).toBe('signed-out')
  })

  it('repeats rejected calls once the same user is back, in this or another window', async () => {
    const { session, heard } = await openHeld()
    const [first, second] = [session.token(), undefined]
    session.reject(first)
    const again = Promise.all([session.waitForSignIn(first), session.waitForSignIn(second)])
    heard()?.token(tokenOf(1))
    expect(await again).toEqual([true, true])
  })

  it('never repeats the calls of one user as another', async () => {
    const ids = [1, 2]
    const { session } = await openHeld(() => tokenOf(ids.shift() ?? 0))
    const first = session.token()
    session.reject(first)
    const again = session.waitForSignIn(first)
    await session.signIn(credentials)
    expect(session.state.get()).toMatchObject({ status: 'signed-in', user: { id: 2 } })
    expect([await again, await session.waitForSignIn(first)]).toEqual([false, false])
  })

  it('repeats no calls without a user', async () => {
    const { session } = await openHeld()
    const first = session.token()
    session.reject(first)
    const again = session.waitForSignIn(first)
    session.endSuspended()
    expect(await again).toBe(false)
  })
})
