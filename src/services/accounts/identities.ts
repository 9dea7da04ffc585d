import { type Actor, requireAdmin, requireSignedIn } from '../../domain/accounts/actor.ts'
import { givenBy } from '../../domain/accounts/provider-mapping.ts'
import { issuerOf, type Provider } from '../../domain/accounts/provider.ts'
import { MAX_IDENTITIES, type ProviderIdentity } from '../../domain/accounts/provider-identity.ts'
import type { IdentityView, WaysToSignIn } from '../../domain/accounts/provider-view.ts'
import type { User } from '../../domain/accounts/user.ts'
import { fail } from '../../domain/errors.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { replaceUser, requireUser } from '../stored-users.ts'
import type { ConfirmPassword } from './auth/passwords.ts'
import type { ByDirectory } from './auth/by-directory.ts'
import type { ClientInfo, Credentials } from './auth/sign-in-request.ts'
import { ownerOf } from './providers/provider-sign-in.ts'
import { requireProvider } from './providers/providers.ts'
import type { GoToProvider, OidcSignIn } from './providers/oidc/oidc-sign-in.ts'
import type { SessionBook } from './sessions/sessions.ts'
import { requireSelfOrAdmin } from './users/account-change.ts'

export interface IdentitiesDeps {
  readonly store: Store<StoreDocument>
  readonly oidcSignIn: OidcSignIn
  readonly byDirectory: Pick<ByDirectory, 'person'>
  readonly sessions: Pick<SessionBook, 'endWhere'>
  readonly confirm: ConfirmPassword
  readonly clock: Clock
}

export interface LinkStart {
  readonly redirectUri: string
  readonly to: string
  readonly client: ClientInfo
  readonly currentPassword: string | undefined
}

/** Whom to link, as an administrator knows them. */
export interface KnownPerson {
  readonly provider: string
  readonly subject: string
  readonly label?: string | undefined
}

/** Who the users are for providers. Users see and change only their own. */
export function createIdentities({ store, oidcSignIn, byDirectory, sessions, confirm, clock }: IdentitiesDeps) {
  const waysOf = ({ identities = [], passwordHash }: User): WaysToSignIn => {
    const { providers } = store.snapshot()
    const isLinked = (provider: Provider) => identities.some(({ issuer }) => issuer === issuerOf(provider))
    return {
      hasPassword: passwordHash !== '',
      identities: identities.map((identity) => viewOf(identity, providers)),
      linkable: providers
        .filter((provider) => provider.enabled && !isLinked(provider))
        .map(({ id, name, type }) => ({ id, name, type })),
    }
  }

  /** @throws CONFLICT if the person has another account */
  const add = async (userId: UserId, identity: ProviderIdentity, accept: (now: Readonly<StoreDocument>) => void) =>
    await store.update((draft, now) => {
      accept(now)
      const user = requireUser(now, userId)
      const { identities = [] } = user
      const owner = ownerOf(now.users, identity.issuer, identity.subject)
      if (owner !== undefined && owner.id !== userId) {
        fail('CONFLICT', 'this person is linked to another account already', { reason: 'identityTaken' })
      }
      if (owner !== undefined) return user
      if (identities.length >= MAX_IDENTITIES)
        fail('CONFLICT', `the account is linked to ${MAX_IDENTITIES} providers already; unlink one first`, {
          reason: 'maximum',
        })
      const next = { ...user, identities: [...identities, identity] }
      replaceUser(draft, now, user, next)
      return next
    })

  const identityOf = (
    provider: Provider,
    subject: string,
    { label, groups = [] }: { readonly label: string; readonly groups?: readonly GroupId[] },
  ): ProviderIdentity => ({
    issuer: issuerOf(provider),
    subject,
    label: label.slice(0, 256),
    groups: [...groups],
    linkedAt: clock.now(),
    lastUsedAt: 0,
  })

  return {
    /** @throws FORBIDDEN, NOT_FOUND */
    list(actor: Actor, id: UserId): WaysToSignIn {
      requireSelfOrAdmin(actor, id)
      return waysOf(requireUser(store.snapshot(), id))
    },

    /** Sends a signed-in user to a provider. @throws INVALID_INPUT for a wrong password; as `start` of the sign-in */
    async begin(actor: Actor, provider: string, start: LinkStart): Promise<GoToProvider> {
      const { id, session } = requirePerson(actor)
      const { currentPassword, ...rest } = start
      await confirm(actor, currentPassword)
      return await oidcSignIn.start(provider, { ...rest, link: { userId: id, session: session.family } })
    },

    /**
     * Links the person who has come back. The attack: to make somebody link the attacker's account at the provider to theirs. So
     * browser, session and user must be those that began.
     *
     * @throws WRONG_CREDENTIALS, CONFLICT
     */
    async finish(
      actor: Actor,
      provider: string,
      proof: { readonly code: string; readonly secret: string; readonly client: ClientInfo },
    ): Promise<WaysToSignIn> {
      const own = requirePerson(actor)
      const { link, person } = await oidcSignIn.redeemLink(provider, proof.code, proof.secret, proof.client)
      if (link.userId !== own.id || link.session !== own.session.family)
        fail('WRONG_CREDENTIALS', 'somebody else began this; sign in again', { reason: 'expired', explained: true })
      const { groups } = givenBy(person.provider.mapping, person.claims)
      const identity = identityOf(person.provider, person.subject, { label: person.label, groups })
      return waysOf(await add(own.id, identity, (now) => void own.user(now)))
    },

    /** Links the person of a directory whose password the user knows. @throws CONFLICT; as `person` of the directories */
    async linkAtDirectory(
      actor: Actor,
      directory: string,
      proof: { readonly credentials: Credentials; readonly client: ClientInfo; readonly currentPassword?: string },
    ): Promise<WaysToSignIn> {
      const own = requirePerson(actor)
      await confirm(actor, proof.currentPassword)
      const { provider, subject, label } = await byDirectory.person(directory, proof.credentials, proof.client)
      return waysOf(await add(own.id, identityOf(provider, subject, { label }), (now) => void own.user(now)))
    },

    /** For administrators, who know what the provider calls the person. @throws FORBIDDEN, NOT_FOUND, CONFLICT */
    async link(actor: Actor, id: UserId, { provider, subject, label = subject }: KnownPerson): Promise<WaysToSignIn> {
      requireAdmin(actor, 'users.manage')
      const identity = identityOf(requireProvider(store.snapshot().providers, provider), subject, { label })
      return waysOf(await add(id, identity, (now) => requireAdmin(actor, 'users.manage', now)))
    },

    /**
     * Its sessions end, but not the one that asks. Users cannot remove the last way into their account.
     *
     * @throws FORBIDDEN, NOT_FOUND, CONFLICT; INVALID_INPUT for a wrong password
     */
    async unlink(
      actor: Actor,
      id: UserId,
      { issuer, subject }: Pick<IdentityView, 'issuer' | 'subject'>,
      currentPassword?: string,
    ): Promise<WaysToSignIn> {
      requireSelfOrAdmin(actor, id)
      await confirm(actor, currentPassword)
      const isSame = (identity: ProviderIdentity) => identity.issuer === issuer && identity.subject === subject
      const next = await store.update((draft, now) => {
        requireSelfOrAdmin(actor, id, now)
        const user = requireUser(now, id)
        const { identities = [], passwordHash } = user
        if (!identities.some(isSame)) fail('NOT_FOUND', 'the account is not linked to this person')
        const rest = identities.filter((identity) => !isSame(identity))
        const isOwn = actor.kind === 'user' && actor.id === id
        if (isOwn && rest.length === 0 && passwordHash === '')
          fail('CONFLICT', 'this is your only sign-in method; set a password first', { reason: 'lastWay' })
        const after = { ...user, identities: rest }
        replaceUser(draft, now, user, after)
        return after
      })
      const ids = store.snapshot().providers.flatMap((each) => (issuerOf(each) === issuer ? each.id : []))
      const kept = actor.kind === 'user' ? actor.session?.family : undefined
      await sessions.endWhere(
        ({ userId, provider, family }) =>
          userId === id && provider !== undefined && ids.includes(provider) && family !== kept,
      )
      return waysOf(next)
    },
  }
}

function requirePerson(actor: Actor) {
  requireSignedIn(actor)
  return actor.kind === 'user' ? actor : fail('FORBIDDEN', 'sign in as the user')
}

function viewOf(identity: ProviderIdentity, providers: readonly Provider[]): IdentityView {
  const { issuer, subject, label, linkedAt, lastUsedAt } = identity
  const provider = providers.find((each) => issuerOf(each) === issuer)
  return {
    ...(provider !== undefined && { provider: provider.id }),
    name: provider?.name ?? issuer,
    issuer,
    subject,
    label,
    linked: new Date(linkedAt).toISOString(),
    ...(lastUsedAt > 0 && { lastUsed: new Date(lastUsedAt).toISOString() }),
  }
}
