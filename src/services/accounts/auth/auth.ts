import { type Accounts, type Actor, requireSignedIn, type SignedIn } from '../../../domain/accounts/actor.ts'
import { type AuthMethod, methodInForce } from '../../../domain/accounts/auth-method.ts'
import { fail } from '../../../domain/errors.ts'
import type { SessionFamily, UserId } from '../../../domain/ids.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import type { Session, SignInWay } from '../../../domain/accounts/session.ts'
import type { EffectiveUser } from '../../../domain/accounts/effective-user.ts'
import { PERMISSIONS, type Permissions } from '../../../domain/access/permissions.ts'
import { isRecord } from '../../../domain/schema/schema-tools.ts'
import type { Assertion, PasskeyOptions } from '../../../domain/accounts/passkey-messages.ts'
import { passwordlessUser, type User } from '../../../domain/accounts/user.ts'
import type { AddressList } from '../../../platform/network/address-list.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { PasskeySite } from '../../../platform/security/passkeys.ts'
import type { TokenClaims, Tokens } from '../../../platform/security/tokens.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { type ClientInfo, type Credentials, NO_PEER, type Peer, type SignInMethod } from './sign-in-request.ts'
import { accountNamed } from '../users/account-names.ts'
import type { ByDirectory } from './by-directory.ts'
import { proxiedName } from './by-proxy.ts'
import { mayGoWithoutSignIn } from './sign-in-problem.ts'
import { endsSoon, type SessionLife } from '../sessions/session-records.ts'
import type { Resumed, SessionBook } from '../sessions/sessions.ts'
import type { SignInCodes } from './sign-in-codes.ts'
import type { Throttle } from './throttle.ts'
import { RootIndex } from '../../stored-roots.ts'
import { UserIndex } from '../../stored-users.ts'
import { effectivePermissions } from '../../access/file-access.ts'
import type { FactorCheck, Proof } from '../factors/factor-check.ts'
import { type FactorRequirement, takesSecondStep } from '../factors/factor-requirement.ts'
import type { SecondStep } from '../factors/second-step.ts'
import type { NewTrust, TrustedDevices } from '../factors/trusted-devices.ts'

export interface Authenticated {
  readonly actor: SignedIn
  /** The client should renew its token: it expires soon, or the account has changed. */
  readonly mustRenew: boolean
}

export interface AuthDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: SessionBook
  readonly tokens: Tokens
  readonly throttle: Throttle
  readonly codes: SignInCodes
  readonly secondStep: SecondStep
  readonly factorCheck: FactorCheck
  readonly trusted: TrustedDevices
  readonly factorRequirement: FactorRequirement
  /** Methods that ask the user for credentials. */
  readonly methods: Readonly<Record<Exclude<AuthMethod, 'noauth'>, SignInMethod>>
  readonly prove: ByDirectory['prove']
  readonly proxies: AddressList
  readonly life: () => SessionLife
  readonly clock: Clock
  readonly options: Pick<
    ServerOptions,
    'noAuth' | 'noAuthRemote' | 'address' | 'socket' | 'readOnly' | 'followExternalSymlinks'
  >
}

type Claims = Pick<TokenClaims, 'iat' | 'user'>

/** For how long (ms) a token may name a session that another daemon has begun or renewed unnoticed. Clocks of daemons differ. */
const NEWS = 60_000

const SESSION_ENDED = 'the session has ended; sign in again'

/** Signs users in and out. */
export function createAuth(deps: AuthDeps) {
  const {
    store,
    sessions,
    tokens,
    throttle,
    codes,
    secondStep,
    factorCheck,
    trusted,
    factorRequirement,
    methods,
    prove,
    proxies,
    life,
    clock,
    options,
  } = deps

  const accounts = new UserIndex(store)
  const roots = new RootIndex(store, options)
  const isReadOnly = ({ root }: Pick<User, 'root'>) =>
    options.readOnly || (root !== undefined && roots.find(root)?.readOnly === true)

  /** The current method. */
  const method = (): AuthMethod => methodInForce(options, store.snapshot().settings)

  /** Until when a second factor must be set up; 0 once that is over. For the page. */
  const dueOf = (user: User, session: Session): { factorDue?: number } => {
    const required = factorRequirement.dueOf(user, session)
    return required === undefined ? {} : { factorDue: required.isOver ? 0 : required.due }
  }

  const tokenOf = async (session: Session, user: User): Promise<string> =>
    await tokens.sign({
      sid: session.family,
      jti: session.id,
      iat: Math.floor(session.issuedAt / 1000),
      exp: session.expiresAt / 1000,
      user: {
        ...tokenUser(accounts.of(user), isReadOnly(user)),
        ...dueOf(user, session),
      },
    })

  const enter = async (user: User, way: SignInWay, client: ClientInfo): Promise<string> => {
    if (user.perm.admin) await codes.clear()
    return await tokenOf(await sessions.start(user, way, client), user)
  }

  /**
   * Where all ways to sign in end, once it is certain who the person is.
   *
   * @throws UNAUTHENTICATED with a challenge if a second factor is to be shown; FORBIDDEN for a disabled account; MAINTENANCE
   */
  const signIn = async (user: User, way: SignInWay, client: ClientInfo): Promise<string> => {
    const { providers } = store.snapshot()
    if (user.factors === undefined || !takesSecondStep(way, providers)) return await enter(user, way, client)
    const device = trusted.find(user, client)
    if (device === undefined) return await secondStep.require(user, way)
    return await enter(user, { ...way, device: device.id }, client)
  }

  const requirePeople = (): void => {
    if (method() === 'noauth') fail('FORBIDDEN', 'signing in is turned off')
  }

  /** A token of the first user, without a password. @throws FORBIDDEN unless sign-in is turned off */
  const passwordless = async (client: ClientInfo): Promise<string> => {
    if (method() !== 'noauth') fail('FORBIDDEN', 'sign in with a user name and a password')
    // The start checked this, but the setting may have changed since.
    if (!mayGoWithoutSignIn(options)) fail('FORBIDDEN', 'without sign-in this address needs --no-auth-remote')
    const first = passwordlessUser(store.snapshot().users)
    if (first === undefined) fail('FORBIDDEN', 'there is no user; create one with "filemgr users add"')
    return await tokenOf(await sessions.start(first, { method: 'noauth' }, client), first)
  }

  const requireProxiedUser = (user: User, peer: Peer): void => {
    if (method() !== 'proxy') return
    const { settings, users } = store.snapshot()
    const name = proxiedName(peer, settings, proxies)
    if (name === undefined || name === user.username) return
    if (accountNamed(users, name)?.id !== user.id) {
      fail('UNAUTHENTICATED', 'the proxy has signed in another user; sign in again')
    }
  }

  /** Clients know from the token what the user may do and where, which groups and roots change without the account. */
  const isOutdated = ({ iat, user: known }: Claims, user: EffectiveUser): boolean =>
    Math.floor(user.updatedAt / 1000) > iat ||
    'severalPlaces' in known !== user.allPlaces.areSeveral ||
    !saysPermissions(known, effectivePermissions(user.perm, isReadOnly(user)))

  const shouldRenew = (claims: Claims, { session, user, isReplaced }: Resumed): boolean =>
    isReplaced || isOutdated(claims, user) || endsSoon(session, clock.now(), life())

  const actorOf = (session: Session, { id, username, allPlaces }: EffectiveUser): SignedIn => {
    const follow = sessions.follow(session)
    const user = (at?: Accounts) => follow(at) ?? fail('UNAUTHENTICATED', SESSION_ENDED)
    return { kind: 'user', id, username, allPlaces, session, user, passed: new Set() }
  }

  const authenticated = (claims: Claims, resumed: Resumed, peer: Peer): Authenticated => {
    const { session, user } = resumed
    requireProxiedUser(user, peer)
    return { actor: actorOf(session, user), mustRenew: shouldRenew(claims, resumed) }
  }

  /** A page that has just signed in at another daemon would be signed out here, and one that has renewed taken for a thief. */
  const fetchNews = async (claims: TokenClaims): Promise<void> => {
    const isNew = clock.now() < claims.iat * 1000 + NEWS
    if (isNew && sessions.userOf(claims) === undefined) await store.refresh?.({ age: 0 })
  }

  const claimsOf = async (token: string): Promise<TokenClaims> => {
    const claims = (await tokens.verify(token)) ?? fail('UNAUTHENTICATED', 'sign in first')
    await fetchNews(claims)
    return claims
  }

  return {
    passwordless,
    method,
    signIn,

    /** Whether somebody could sign in by a passkey. */
    hasPasskeys: () => accounts.hasPasskeys(),

    /**
     * Signs in by the current method; without a check if sign-in is turned off. Returns a token.
     *
     * @param peer for sign-in by a proxy
     * @throws WRONG_CREDENTIALS; RATE_LIMITED after too many failures; BUSY; MAINTENANCE; INTERNAL if the captcha service or the
     *         sign-in program does not work
     */
    async login(credentials: Credentials, client: ClientInfo, peer = NO_PEER): Promise<string> {
      const chosen = method()
      if (chosen === 'noauth') return await passwordless(client)
      const proven = await methods[chosen]({ credentials, client, peer })
      if (proven === undefined) fail('WRONG_CREDENTIALS', 'the user name or the password is wrong')
      return await signIn(proven.user, proven.way, client)
    },

    /**
     * Signs in at a directory. Returns a token.
     *
     * @throws as `prove` of the directories; FORBIDDEN for a disabled account; MAINTENANCE
     */
    async loginAt(provider: string, credentials: Credentials, client: ClientInfo): Promise<string> {
      // Everyone is the same user then.
      if (method() === 'noauth') return await passwordless(client)
      const { user, way } = await prove(provider, credentials, client)
      return await signIn(user, way, client)
    },

    /**
     * The second step of `login`.
     *
     * @param trusts whether the client is not to be asked again, and will keep a secret
     * @throws UNAUTHENTICATED if it is over; WRONG_CREDENTIALS, RATE_LIMITED, FORBIDDEN, MAINTENANCE
     */
    async showFactor(
      challenge: string,
      proof: Proof,
      site: PasskeySite,
      client: ClientInfo,
      trusts = false,
    ): Promise<{ token: string; trust?: NewTrust | undefined }> {
      requirePeople()
      const { user, way } = await secondStep.complete(challenge, proof, site, client)
      const trust = trusts ? await trusted.trust(user, client) : undefined
      return { token: await enter(user, { ...way, ...(trust && { device: trust.id }) }, client), trust }
    },

    /** What a passkey must sign: as the second step of a sign-in, or to sign in alone. @throws UNAUTHENTICATED, FORBIDDEN */
    async askPasskey(challenge: string | undefined, site: PasskeySite): Promise<PasskeyOptions> {
      requirePeople()
      if (challenge !== undefined) return await secondStep.askPasskey(challenge, site)
      return await factorCheck.ask({ kind: 'sign-in' }, site)
    },

    /** Signs in by a passkey alone. @throws WRONG_CREDENTIALS, RATE_LIMITED, FORBIDDEN, MAINTENANCE */
    async signInByPasskey(assertion: Assertion, site: PasskeySite, client: ClientInfo): Promise<string> {
      requirePeople()
      const { address } = client
      const user = await throttle.attempt({ address }, async () => await factorCheck.byPasskeyAlone(assertion, site))
      if (user === undefined) fail('WRONG_CREDENTIALS', 'this passkey is not known here', { reason: 'wrongFactor' })
      return await signIn(user, { method: 'passkey' }, client)
    },

    /**
     * A code that signs this user in once, within 15 minutes, and only until an administrator has signed in. It is the way in of
     * the operator, who needs no factor.
     */
    issueCode: async (userId: UserId): Promise<string> => await codes.issue(userId),

    /** @throws WRONG_CREDENTIALS, RATE_LIMITED */
    async redeemCode(code: string, client: ClientInfo): Promise<string> {
      const user = await throttle.attempt({ address: client.address }, async () => {
        const userId = await codes.redeem(code)
        return store.snapshot().users.find(({ id }) => id === userId)
      })
      if (user === undefined) fail('WRONG_CREDENTIALS', 'this link is used up or too old; sign in with the password')
      return await enter(user, { method: method() }, client)
    },

    /**
     * @throws UNAUTHENTICATED if the token is invalid or expired, its session has ended or its user was removed, or if a proxy has
     *         signed in another user
     */
    async authenticate(token: string, client: ClientInfo, peer = NO_PEER): Promise<Authenticated> {
      const claims = await claimsOf(token)
      return authenticated(claims, sessions.resume(claims, client), peer)
    },

    /** Like `authenticate`, to renew a token. If it was replaced long ago, it must be a stolen copy, so its session is ended. */
    async authenticateToRenew(token: string, client: ClientInfo, peer = NO_PEER): Promise<Authenticated> {
      const claims = await claimsOf(token)
      return authenticated(claims, await sessions.resumeToRenew(claims, client), peer)
    },

    /**
     * Like `authenticate`, to continue an upload: also accepts a session that has expired, but not one that was revoked. With an
     * expired session, an actor may do nothing else.
     */
    async authenticateForUpload(token: string, client: ClientInfo, peer = NO_PEER): Promise<Authenticated> {
      const claims = await tokens.read(token)
      if (claims === undefined) fail('UNAUTHENTICATED', 'sign in first')
      await fetchNews(claims)
      const resumed = sessions.resumeForUpload(claims, client)
      const { actor, mustRenew } = authenticated(claims, resumed, peer)
      return resumed.isExpired ? { actor: { ...actor, isExpired: true }, mustRenew: false } : { actor, mustRenew }
    },

    /** The user whom `authenticate` would admit; undefined if it would not accept this token. */
    async signedInUser(token: string): Promise<EffectiveUser | undefined> {
      const claims = await tokens.verify(token)
      return claims && sessions.userOf(claims)
    },

    /** The actor of a session that was admitted before, to continue what it began. @throws UNAUTHENTICATED if it has ended */
    actorAgain(family: SessionFamily): SignedIn {
      const session = sessions.find(family) ?? fail('UNAUTHENTICATED', SESSION_ENDED)
      return actorOf(session, sessions.follow(session)() ?? fail('UNAUTHENTICATED', SESSION_ENDED))
    },

    /** Returns a new token. The old one stays valid for 60 seconds. */
    async renew(actor: Actor, client: ClientInfo): Promise<string> {
      const { session, user } = requireUser(actor)
      return await tokenOf(await sessions.renew(session, client), user())
    },

    async logout(actor: Actor): Promise<void> {
      await sessions.end(requireUser(actor).session.family)
    },
  }
}

export type Auth = ReturnType<typeof createAuth>

function requireUser(actor: Actor): SignedIn {
  requireSignedIn(actor)
  return actor.kind === 'user' ? actor : fail('UNAUTHENTICATED', 'sign in first')
}

/** The user data in a token. Without scope, rules and sorting, because proxies log tokens. */
function tokenUser(user: EffectiveUser, readOnly: boolean) {
  return {
    id: user.id,
    locale: user.locale,
    viewMode: user.viewMode,
    singleClick: user.singleClick,
    redirectAfterCopyMove: user.redirectAfterCopyMove,
    perm: effectivePermissions(user.perm, readOnly),
    commands: user.commands,
    lockPassword: user.lockPassword,
    hideDotfiles: user.hideDotfiles,
    dateFormat: user.dateFormat,
    username: user.username,
    aceEditorTheme: user.aceEditorTheme,
    ...(user.folderSizes && { folderSizes: true }),
    ...(user.passwordHash === '' && { noPassword: true }),
    // Then "/" lists them, and the page asks for them.
    ...(user.allPlaces.areSeveral && { severalPlaces: true }),
  }
}

/** Whether the user data in a token has these permissions. */
function saysPermissions(known: object, perm: Permissions): boolean {
  const said = 'perm' in known && isRecord(known.perm) ? known.perm : {}
  return PERMISSIONS.every((permission) => said[permission] === perm[permission])
}
