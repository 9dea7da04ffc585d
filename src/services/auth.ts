import type { Actor } from '../domain/actor.ts'
import { fail } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import type { ServerOptions } from '../domain/server-options.ts'
import type { Session } from '../domain/session.ts'
import type { User } from '../domain/user.ts'
import type { Clock } from '../platform/clock.ts'
import type { PasswordHasher } from '../platform/password-hasher.ts'
import type { Tokens } from '../platform/tokens.ts'
import type { StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'
import type { ClientInfo } from './client-info.ts'
import { endsSoon, type SessionLife } from './session-life.ts'
import type { SessionBook } from './sessions.ts'
import type { SignInCodes } from './sign-in-codes.ts'
import type { Throttle } from './throttle.ts'
import { tokenUser } from './token-user.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
  readonly recaptcha?: string | undefined
}

export interface Authenticated {
  readonly actor: Extract<Actor, { kind: 'user' }>
  /** The client should renew its token: it ends soon, or tells outdated things about the user. */
  readonly mustRenew: boolean
}

/** Signing in and out. Tokens are texts of three parts with two dots. */
export interface Auth {
  /**
   * A token for the right password; for anybody where sign-in is switched off.
   *
   * @throws WRONG_CREDENTIALS; RATE_LIMITED after too many wrong ones; BUSY
   */
  login(credentials: Credentials, client: ClientInfo): Promise<string>
  /** A token of the first user, without a password. @throws FORBIDDEN unless sign-in is switched off */
  passwordless(client: ClientInfo): Promise<string>
  /** A code that signs this user in once, within 15 minutes, and only until an administrator has signed in. */
  issueCode(userId: UserId): string
  /** @throws WRONG_CREDENTIALS, RATE_LIMITED */
  redeemCode(code: string, client: ClientInfo): Promise<string>
  /** @throws UNAUTHENTICATED for a token that is not ours, has expired, or whose session or user is gone */
  authenticate(token: string, client: ClientInfo): Promise<Authenticated>
  /**
   * The same for going on with an upload, which outlives the expiry of the session that began it, but never its end by
   * anybody's will. An actor who is late may do nothing else.
   */
  authenticateForUpload(token: string, client: ClientInfo): Promise<Authenticated>
  /** Whether this token would be let in. Only looks: a replaced token ends no session by it. */
  isSignedIn(token: string): Promise<boolean>
  /** A new token in place of the present one, which is good for 60 more seconds. */
  renew(actor: Actor, client: ClientInfo): Promise<string>
  logout(actor: Actor): Promise<void>
}

export interface AuthDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: SessionBook
  readonly tokens: Tokens
  readonly hasher: PasswordHasher
  readonly throttle: Throttle
  readonly codes: SignInCodes
  readonly life: () => SessionLife
  readonly clock: Clock
  readonly options: Pick<ServerOptions, 'noAuth' | 'readOnly'>
}

export function createAuth({ store, sessions, tokens, hasher, throttle, codes, life, clock, options }: AuthDeps): Auth {
  const isPasswordless = () => options.noAuth || store.snapshot().settings.authMethod === 'noauth'

  const tokenOf = async (session: Session, user: User): Promise<string> =>
    await tokens.sign({
      jti: session.id,
      iat: Math.floor(session.issuedAt / 1000),
      exp: session.expiresAt / 1000,
      user: tokenUser(user, options.readOnly),
    })

  const signIn = async (user: User, client: ClientInfo): Promise<string> => {
    if (user.perm.admin) codes.clear()
    return await tokenOf(await sessions.start(user, client), user)
  }

  const passwordless = async (client: ClientInfo): Promise<string> => {
    if (!isPasswordless()) fail('FORBIDDEN', 'sign in with a user name and a password')
    const [first] = store.snapshot().users.toSorted((a, b) => a.id - b.id)
    if (first === undefined) fail('FORBIDDEN', 'there is no user; create one with "filemgr users add"')
    return await tokenOf(await sessions.start(first, client), first)
  }

  /** Makes the hash as costly as new ones are, while the password is at hand. */
  const renewHash = async (user: User, password: string): Promise<void> => {
    if (!hasher.isOutdated(user.passwordHash)) return
    const passwordHash = await hasher.hash(password)
    await store.update((draft) => {
      const stored = draft.users.find(({ id }) => id === user.id)
      // Whoever set another password meanwhile wins.
      if (stored?.passwordHash === user.passwordHash) stored.passwordHash = passwordHash
    })
  }

  const mustRenew = ({ iat }: { iat: number }, session: Session, user: User): boolean =>
    Math.floor(user.updatedAt / 1000) > iat || endsSoon(session, clock.now(), life())

  return {
    passwordless,

    async login({ username, password }, client) {
      if (isPasswordless()) return await passwordless(client)
      if (username === '' || password === '') return refuse()
      const user = await throttle.attempt({ account: username, address: client.address }, async () => {
        const { users } = store.snapshot()
        const named = users.find((candidate) => candidate.username === username)
        const hashes = () => users.map(({ passwordHash }) => passwordHash)
        return (await hasher.verify(password, named?.passwordHash, hashes)) ? named : undefined
      })
      if (user === undefined) return refuse()
      await renewHash(user, password)
      return await signIn(user, client)
    },

    issueCode: (userId) => codes.issue(userId),

    async redeemCode(code, client) {
      const user = await throttle.attempt({ address: client.address }, async () => {
        const userId = codes.redeem(code)
        return store.snapshot().users.find(({ id }) => id === userId)
      })
      if (user === undefined) fail('WRONG_CREDENTIALS', 'this link is used up or too old; sign in with the password')
      return await signIn(user, client)
    },

    async authenticate(token, client) {
      const claims = await tokens.verify(token)
      if (claims === undefined) fail('UNAUTHENTICATED', 'sign in first')
      const { session, user } = await sessions.resume(claims.jti, client)
      return { actor: { kind: 'user', user, session }, mustRenew: mustRenew(claims, session, user) }
    },

    async authenticateForUpload(token, client) {
      const claims = await tokens.read(token)
      if (claims === undefined) fail('UNAUTHENTICATED', 'sign in first')
      const { session, user, isLate } = await sessions.resumeForUpload(claims.jti, client)
      if (isLate) return { actor: { kind: 'user', user, session, late: true }, mustRenew: false }
      return { actor: { kind: 'user', user, session }, mustRenew: mustRenew(claims, session, user) }
    },

    async isSignedIn(token) {
      const claims = await tokens.verify(token)
      return claims !== undefined && sessions.isGood(claims.jti)
    },

    async renew(actor, client) {
      const { session, user } = requireUser(actor)
      return await tokenOf(await sessions.renew(session, user, client), user)
    },

    async logout(actor) {
      await sessions.end(requireUser(actor).session.family)
    },
  }
}

function refuse(): never {
  return fail('WRONG_CREDENTIALS', 'the user name or the password is wrong')
}

function requireUser(actor: Actor): Extract<Actor, { kind: 'user' }> {
  return actor.kind === 'user' ? actor : fail('UNAUTHENTICATED', 'sign in first')
}
