import { fail, FilemgrError, isFilemgrError } from '../../../domain/errors.ts'
import { type Claims, type Given, givenBy } from '../../../domain/accounts/provider-mapping.ts'
import { issuerOf, type Provider } from '../../../domain/accounts/provider.ts'
import type { ProviderIdentity } from '../../../domain/accounts/provider-identity.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { replaceUser, requireUser } from '../../stored-users.ts'
import type { Alter } from '../users/account-change.ts'
import type { UserFields } from '../users/account-fields.ts'
import type { Enrol } from '../users/enrol.ts'

/** A person whom a provider has proven. */
export interface Person {
  readonly provider: Provider
  readonly subject: string
  /** For a new account; undefined if the provider names none. */
  readonly username: string | undefined
  /** The name there, for people. */
  readonly label: string
  readonly claims: Claims
}

export interface ProviderSignInDeps {
  readonly store: Store<StoreDocument>
  readonly enrol: Enrol
  readonly alter: Alter
  readonly clock: Clock
  readonly log: Logger
}

/**
 * The accounts of people whom providers have proven. A person is an issuer and a subject: a name or an e-mail address may belong
 * to somebody else at the next provider, and would take over that account.
 */
export function createProviderSignIn({ store, enrol, alter, clock, log }: ProviderSignInDeps) {
  const identityOf = ({ provider, subject, label }: Person, { groups }: Given): ProviderIdentity => ({
    issuer: issuerOf(provider),
    subject,
    label: label.slice(0, 256),
    groups: [...groups],
    linkedAt: clock.now(),
    lastUsedAt: clock.now(),
  })

  const create = async (person: Person, given: Given): Promise<User> => {
    const { provider, username } = person
    const accept = (now: Readonly<StoreDocument>) => {
      const { createUsers } = requireProvider(now, provider)
      if (!createUsers)
        failExplained(`${provider.name} knows you, but you have no account here; ask an administrator`, 'noAccount')
    }
    accept(store.snapshot())
    if (username === undefined || username === '')
      failExplained(`${provider.name} sent no user name ("${provider.usernameClaim}"); tell an administrator`, 'noName')
    const fields = { ...fieldsOf(given), username, lockPassword: true }
    const identity = identityOf(person, given)
    const existing = ({ users }: Readonly<StoreDocument>) => ownerOf(users, identity.issuer, identity.subject)
    try {
      return await enrol({ by: 'single sign-on', fields, identity, accept, existing })
    } catch (error) {
      // The attack: to take over somebody's account by having their name at a provider.
      if (!isFilemgrError(error, 'CONFLICT')) throw error
      const advice =
        'if it is yours, sign in to it and link it under Settings, Security; otherwise ask an administrator'
      throw new FilemgrError(
        'FORBIDDEN',
        `another account is called "${username}" already; ${advice}`,
        { explained: true, reason: 'nameTaken' },
        { cause: error },
      )
    }
  }

  const update = async (user: User, person: Person, given: Given): Promise<User> => {
    const { issuer, subject } = { issuer: issuerOf(person.provider), subject: person.subject }
    const fields = fieldsOf(given)
    if (isNews(user, fields)) await change(user, fields)
    return await store.update((draft, now) => {
      requireProvider(now, person.provider)
      const stored = requireUser(now, user.id)
      const { identities = [] } = stored
      const before = identities.find((identity) => isSame(identity, issuer, subject))
      // Unlinked meanwhile.
      if (before === undefined) failExplained('this sign-in method was removed from the account', 'unlinked')
      const after = { ...identityOf(person, given), linkedAt: before.linkedAt }
      const next = { ...stored, identities: identities.map((identity) => (identity === before ? after : identity)) }
      replaceUser(draft, now, stored, next)
      return next
    })
  }

  const change = async (user: User, fields: UserFields): Promise<void> => {
    try {
      await alter(user.id, { fields })
    } catch (error) {
      if (!isFilemgrError(error, 'FORBIDDEN')) throw error
      log.warn({ user: user.id }, 'the provider would leave no administrator; the permission was kept')
    }
  }

  return {
    /**
     * The account of the person, with what the claims give now; a new one if the provider makes accounts.
     *
     * @throws FORBIDDEN without an account, with a name that is taken, or if the provider was removed meanwhile; MAINTENANCE
     */
    async userOf(person: Person): Promise<User> {
      const given = givenBy(person.provider.mapping, person.claims)
      const known = ownerOf(store.snapshot().users, issuerOf(person.provider), person.subject)
      return known === undefined ? await create(person, given) : await update(known, person, given)
    },
  }
}

export type ProviderSignIn = ReturnType<typeof createProviderSignIn>

/** The account of a person at a provider. */
export function ownerOf(users: readonly User[], issuer: string, subject: string): User | undefined {
  return users.find(({ identities = [] }) => identities.some((identity) => isSame(identity, issuer, subject)))
}

function isSame(identity: ProviderIdentity, issuer: string, subject: string): boolean {
  return identity.issuer === issuer && identity.subject === subject
}

/** The provider as it is now. @throws FORBIDDEN once it was removed, disabled, or has another issuer */
function requireProvider({ providers }: Readonly<StoreDocument>, known: Provider): Provider {
  const present = providers.find(({ id }) => id === known.id)
  if (present?.enabled !== true || issuerOf(present) !== issuerOf(known))
    failExplained(`signing in with ${known.name} is switched off; ask an administrator`, 'providerOff')
  return present
}

function fieldsOf({ administrator, quota }: Given): UserFields {
  return {
    ...(administrator !== undefined && { perm: { admin: administrator } }),
    ...(quota !== undefined && { quota }),
  }
}

function isNews(user: User, { perm, quota }: UserFields): boolean {
  return (perm?.admin ?? user.perm.admin) !== user.perm.admin || (quota ?? user.quota) !== user.quota
}

/** With words that are meant for the person who signs in. */
function failExplained(message: string, reason: string): never {
  return fail('FORBIDDEN', message, { explained: true, reason })
}
