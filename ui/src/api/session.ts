import { login, logout, redeemCode, redeemProvider, renew } from '../../../src/api/accounts/auth.ts'
import { createStore, type Store, useStore } from '../lib/create-store.ts'
import { expectPlaces } from './places.ts'
import { ApiError, isUnreachable, type SecondStep } from './api-error.ts'
import type { Client } from './client.ts'
import type { LogoutReason, SessionLink } from './session-link.ts'
import { readToken, type SessionUser, type TokenVault } from './token.ts'
import { requiredContext } from '../lib/hooks.ts'

export type SessionState =
  | { status: 'starting' }
  | { status: 'signed-in'; user: SessionUser; expiresAt: number }
  /** Expired, but the page has unsaved changes: it stays until the same user has signed in again. */
  | { status: 'suspended'; user: SessionUser; reason: LogoutReason }
  | {
      status: 'signed-out'
      /** The sign-in at a provider goes on with a second step here. */
      step?: SecondStep
      reason?: LogoutReason | undefined
      /** Where the session ends at the provider, too. */
      goTo?: string | undefined
    }

interface Credentials {
  username: string
  password: string
  recaptcha: string
}

type MayLeave = () => Promise<boolean>

/** Whether going to the login page now would lose unsaved work. */
type UnsavedCheck = () => boolean

export interface OneTimeCode {
  code: string
  /** Who has proven who the person is; without one, the code is from a link of the operator. */
  provider: string | undefined
}

interface StartOptions {
  code?: OneTimeCode | undefined
  /** Called if the person may not come in after all. */
  onRefused?: ((error: ApiError, provider: string) => void) | undefined
  loginPage: boolean
  /** The page request carried a valid cookie. */
  cookieSession?: boolean
}

export interface Session {
  readonly state: Store<SessionState>
  token(): string | undefined
  /**
   * Signs in with the one-time code if there is one, without credentials if there is no login page, else with the stored token.
   */
  start(options: StartOptions): Promise<void>
  signIn(credentials: Credentials): Promise<void>
  /** Signs in with the token of another way. */
  signInWith(token: Promise<string>): Promise<void>
  /** Exchanges the token for a new one. Concurrent calls share one request. */
  renew(): Promise<void>
  /** Calls `mayLeave` before the user signs out; `false` cancels the sign-out. Returns a function that unregisters it. */
  beforeSignOut(mayLeave: MayLeave): () => void
  /** Suspends a session that expires while `hasUnsavedChanges` is true, instead of ending it. Returns a function to undo this. */
  suspendIf(hasUnsavedChanges: UnsavedCheck): () => void
  /** Waits while the session is suspended. Resolves to whether the user of the token has signed in; then retry the call. */
  waitForSignIn(token: string | undefined): Promise<boolean>
  /** Ends a suspended session; unsaved changes are lost. */
  endSuspended(): void
  /** Ends the session on the server and in every window, unless a listener refuses. */
  signOut(reason?: LogoutReason): Promise<void>
  /** The server rejected this token: forget it, unless a newer one has been stored meanwhile. */
  reject(token: string | undefined): void
}

interface SessionDependencies {
  call: Client['call']
  vault: TokenVault
  /** The other windows of this browser. */
  link: SessionLink
  now?: () => number
}

/** The server accepts the cookie for GET only. */
const renewByCookie = { ...renew, method: 'GET' } as const

const NO_CREDENTIALS: Credentials = { username: '', password: '', recaptcha: '' }

/** The maximum delay of timers: 2^31 − 1 ms. */
const MAX_TIMER_DELAY = 2_147_483_647

export function createSession({ call, vault, link, now = Date.now }: SessionDependencies): Session {
  const state = createStore<SessionState>({ status: 'starting' })
  let expiry: ReturnType<typeof setTimeout> | undefined
  let renewal: Promise<void> | undefined
  let leaving = false
  const askFirst = new Set<MayLeave>()
  const unsavedChecks = new Set<UnsavedCheck>()

  function enter(token: string): void {
    const claims = readToken(token)
    if (claims === undefined) throw new Error('the server answered with something that is not a token')
    vault.write(token)
    expectPlaces(claims.user)
    // Uses the remaining lifetime instead of the end: server and browser clocks differ.
    const life = claims.expiresAt - (claims.issuedAt ?? now())
    endAfter(life)
    state.set({ status: 'signed-in', user: claims.user, expiresAt: now() + life })
  }

  function endAfter(life: number): void {
    clearTimeout(expiry)
    const rest = life - MAX_TIMER_DELAY
    expiry = rest > 0 ? setTimeout(() => endAfter(rest), MAX_TIMER_DELAY) : setTimeout(() => end('inactivity'), life)
  }

  function leave(reason?: LogoutReason, goTo?: string): void {
    clearTimeout(expiry)
    vault.clear()
    state.set({ status: 'signed-out', reason, goTo })
  }

  /** Ends the session, on expiry or on the server's request. */
  function end(reason: LogoutReason): void {
    const before = state.get()
    if (leaving || before.status !== 'signed-in' || ![...unsavedChecks].some((isUnsaved) => isUnsaved()))
      return leave(reason)
    clearTimeout(expiry)
    vault.clear()
    state.set({ status: 'suspended', user: before.user, reason })
  }

  async function signInWith(token: Promise<string>): Promise<void> {
    enter(await token)
    link.sendToken(vault.read() ?? '')
  }

  async function startWithCode({ code, provider }: OneTimeCode, onRefused: StartOptions['onRefused']): Promise<void> {
    const body = { code }
    const token =
      provider === undefined ? call(redeemCode, { body }) : call(redeemProvider, { params: { id: provider }, body })
    await signInWith(token).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status < 400 || (error.status >= 500 && !error.code)) throw error
      if (error.step !== undefined) {
        state.set({ status: 'signed-out', step: error.step })
        return
      }
      leave(provider === undefined ? 'link-expired' : undefined)
      if (provider !== undefined) onRefused?.(error, provider)
    })
  }

  async function startWithStoredToken(cookieSession: boolean): Promise<void> {
    const stored = vault.read()
    const claims = stored === undefined ? undefined : readToken(stored)
    // The cookie is a fallback for a lost token only. After an offline sign-out the cookie is still valid, and must not
    // sign the user in again. The server has already checked the cookie, so visitors need no request.
    const byCookie = cookieSession && claims === undefined && !vault.wasCleared()
    if (!byCookie && (claims === undefined || claims.expiresAt <= now())) {
      leave(claims && 'inactivity')
      return
    }
    await (byCookie ? signInWith(call(renewByCookie, {})) : renewOnce()).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 401) leave()
      // Offline, the last known user can view cached pages. The server checks the token once it is back.
      else if (stored !== undefined && isUnreachable(error)) enter(stored)
      else throw error
    })
  }

  function renewOnce(): Promise<void> {
    renewal ??= signInWith(call(renew, {})).finally(() => {
      renewal = undefined
    })
    return renewal
  }

  link.listen({ token: enter, signOut: leave })

  return {
    state,
    token: vault.read,
    async start({ code, onRefused, loginPage, cookieSession = false }) {
      if (code !== undefined) await startWithCode(code, onRefused)
      else if (loginPage) await startWithStoredToken(cookieSession)
      else await signInWith(call(login, { body: NO_CREDENTIALS }))
    },
    signIn: (credentials) => signInWith(call(login, { body: credentials })),
    signInWith,
    renew: renewOnce,
    beforeSignOut(mayLeave) {
      askFirst.add(mayLeave)
      return () => void askFirst.delete(mayLeave)
    },
    suspendIf(hasUnsavedChanges) {
      unsavedChecks.add(hasUnsavedChanges)
      return () => void unsavedChecks.delete(hasUnsavedChanges)
    },
    waitForSignIn: (token) =>
      new Promise((resolve) => {
        const before = state.get()
        const user = readToken(token ?? '')?.user ?? ('user' in before ? before.user : undefined)
        const settle = (): boolean => {
          const after = state.get()
          if (after.status === 'suspended') return false
          // A request of one user must not be retried as another.
          resolve(after.status === 'signed-in' && after.user.id === user?.id)
          return true
        }
        if (settle()) return
        const stop = state.subscribe(() => settle() && stop())
      }),
    endSuspended() {
      const now = state.get()
      if (now.status === 'suspended') leave(now.reason)
    },
    async signOut(reason) {
      for (const mayLeave of askFirst) if (!(await mayLeave())) return
      leaving = true
      const answer = await call(logout, {}).catch((error: unknown) => {
        // A session that is already gone, or an unreachable server, must not prevent signing out here.
        if (!(error instanceof ApiError)) throw error
      })
      leaving = false
      leave(reason, answer?.url)
      link.sendSignOut(reason)
    },
    reject(token) {
      const before = state.get()
      // A rejection during sign-out is expected; at the start, the renewal has the same answer.
      if (leaving || before.status === 'starting') return
      const isOver = before.status === 'signed-in' && before.expiresAt <= now()
      if (token !== undefined && token === vault.read()) end(isOver ? 'inactivity' : 'ended')
    },
  }
}

export const [SessionProvider, useSession] = requiredContext<Session>('Session')

export function useSessionState(): SessionState {
  return useStore(useSession().state)
}

export function userIdOf(state: SessionState): number | undefined {
  return 'user' in state ? state.user.id : undefined
}

/** The signed-in user, also while the session is suspended; `undefined` for visitors. */
export function useUser(): SessionUser | undefined {
  const state = useSessionState()
  return 'user' in state ? state.user : undefined
}
