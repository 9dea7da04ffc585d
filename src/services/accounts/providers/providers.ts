import { type Actor, requireAdmin } from '../../../domain/accounts/actor.ts'
import {
  issuerOf,
  LdapProvider,
  MAX_PROVIDERS,
  OidcProvider,
  type Provider,
  type ProviderType,
} from '../../../domain/accounts/provider.ts'
import {
  type NewProvider,
  type ProviderChange,
  type ProviderTest,
  type ProviderTestInput,
  providerIdFor,
  type ProviderView,
  providerView,
} from '../../../domain/accounts/provider-view.ts'
import type { User } from '../../../domain/accounts/user.ts'
import { fail } from '../../../domain/errors.ts'
import { defaultsOf, knownParts } from '../../../domain/schema/schema-tools.ts'
import { createSchemaCheck } from '../../../platform/validation/schema-check.ts'
import { isSafeIssuer } from '../../../platform/security/openid.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { requireUsableDirectory } from '../directories/usable-directory.ts'
import type { ConfirmPassword } from '../auth/passwords.ts'

/** Tries a provider without changing anything. */
export type TestProvider<P extends Provider> = (
  provider: P,
  input: ProviderTestInput,
  signal?: AbortSignal,
) => Promise<ProviderTest>

export interface ProvidersDeps {
  readonly store: Store<StoreDocument>
  readonly confirm: ConfirmPassword
  readonly test: { readonly [T in ProviderType]?: TestProvider<Extract<Provider, { type: T }>> }
}

const CHECKS = { oidc: createSchemaCheck(OidcProvider), ldap: createSchemaCheck(LdapProvider) }
const SCHEMAS = { oidc: OidcProvider, ldap: LdapProvider }

/** The sign-in providers, for administrators. All functions throw FORBIDDEN, and NOT_FOUND for an unknown id. */
export function createProviders({ store, confirm, test }: ProvidersDeps) {
  const viewed = (provider: Provider): ProviderView => providerView(provider, useOf(provider, store.snapshot().users))

  return {
    list(actor: Actor): ProviderView[] {
      requireAdmin(actor, 'settings.manage')
      return store.snapshot().providers.map(viewed)
    },

    /** @throws INVALID_INPUT naming the field; CONFLICT for an id that is taken, or too many */
    async add(actor: Actor, { current_password: password, ...fields }: NewProvider): Promise<ProviderView> {
      requireAdmin(actor, 'settings.manage')
      requireOwnSecret(actor, fields)
      await confirm(actor, password)
      const { providers } = store.snapshot()
      const id = fields.id ?? providerIdFor(fields.name, (taken) => providers.some((other) => other.id === taken))
      const provider = checked({ ...defaultsOf(SCHEMAS[fields.type]), ...fields, id })
      if (provider.type === 'ldap') await requireUsableDirectory(actor, provider, undefined)
      await store.update((draft, now) => {
        requireAdmin(actor, 'settings.manage', now)
        if (now.providers.length >= MAX_PROVIDERS)
          fail('CONFLICT', `there are ${MAX_PROVIDERS} providers already; remove one first`, { reason: 'maximum' })
        if (now.providers.some((other) => other.id === id))
          fail('CONFLICT', `there is a provider ${id} already`, { field: 'id', reason: 'taken' })
        draft.providers = [...now.providers, provider]
      })
      return viewed(provider)
    },

    /** Ends the sessions of its people if it is switched off. @throws INVALID_INPUT naming the field */
    async change(
      actor: Actor,
      id: string,
      { current_password: password, ...change }: ProviderChange,
    ): Promise<ProviderView> {
      requireAdmin(actor, 'settings.manage')
      requireOwnSecret(actor, change)
      await confirm(actor, password)
      const known = requireProvider(store.snapshot().providers, id)
      const next = changed(known, change)
      if (known.type === 'ldap' && next.type === 'ldap') await requireUsableDirectory(actor, next, known)
      return viewed(
        await store.update((draft, now) => {
          requireAdmin(actor, 'settings.manage', now)
          const before = requireProvider(now.providers, id)
          const after = changed(before, change)
          draft.providers = now.providers.map((provider) => (provider === before ? after : provider))
          if (issuerOf(after) !== issuerOf(before)) draft.users = withoutGroupsOf(before, now.users)
          return after
        }),
      )
    },

    /** Its people keep their accounts, without the groups that it gave; their sessions end. */
    async remove(actor: Actor, id: string, password?: string): Promise<void> {
      requireAdmin(actor, 'settings.manage')
      await confirm(actor, password)
      await store.update((draft, now) => {
        requireAdmin(actor, 'settings.manage', now)
        const gone = requireProvider(now.providers, id)
        draft.providers = now.providers.filter((provider) => provider !== gone)
        draft.users = withoutGroupsOf(gone, now.users)
      })
    },

    async test(actor: Actor, id: string, input: ProviderTestInput, signal?: AbortSignal): Promise<ProviderTest> {
      requireAdmin(actor, 'settings.manage')
      const provider = requireProvider(store.snapshot().providers, id)
      const run = test[provider.type] as TestProvider<Provider> | undefined
      if (run === undefined) return fail('NOT_IMPLEMENTED', 'this provider cannot be tested')
      return await run(provider, input, signal)
    },
  }
}

/** @throws NOT_FOUND */
export function requireProvider(providers: readonly Provider[], id: string): Provider {
  return (
    providers.find((provider) => provider.id === id) ??
    fail('NOT_FOUND', `there is no provider ${id}; see "filemgr sign-in oidc ls" or "filemgr sign-in ldap ls"`)
  )
}

/**
 * The attack is an administrator of the page who reads files of the machine, or its environment, by sending them as a secret to a
 * provider of their own.
 */
function requireOwnSecret(actor: Actor, { secretFile = '', secretVariable = '' }: Partial<ProviderChange>): void {
  if (actor.kind === 'operator' || (secretFile === '' && secretVariable === '')) return
  const advice =
    'name it at the command line ("filemgr sign-in oidc set" or "filemgr sign-in ldap set"), or enter the secret'
  fail('FORBIDDEN', `the file or variable of a secret cannot be set from the page; ${advice}`, {
    field: secretFile === '' ? 'secretVariable' : 'secretFile',
  })
}

function changed(before: Provider, change: Omit<ProviderChange, 'current_password'>): Provider {
  const { id = before.id } = change
  if (id !== before.id)
    fail('INVALID_INPUT', 'the id is part of the redirect address and cannot be changed', { field: 'id' })
  const from = change.secret ?? change.secretFile ?? change.secretVariable
  const after = checked({
    ...before,
    // A secret comes from one place.
    ...(from !== undefined && { secret: '', secretFile: '', secretVariable: '' }),
    ...change,
  })
  // Otherwise it would be sent to whoever is at the new address.
  if (addressOf(after) !== addressOf(before) && from === undefined && providerView(before, NO_USE).hasSecret)
    fail('INVALID_INPUT', 'enter the secret again, because the address has changed', {
      field: 'secret',
      reason: 'secretNeeded',
    })
  return after
}

const NO_USE = { people: 0, lastUsedAt: 0 }

function addressOf(provider: Provider): string {
  if (provider.type === 'oidc') return provider.issuer
  const { url, startTls, caFile } = provider
  return JSON.stringify([url, startTls, caFile])
}

/** @throws INVALID_INPUT naming the field */
function checked({ type, ...fields }: { readonly type: ProviderType; readonly [field: string]: unknown }): Provider {
  // Fields of the other type are no part of it.
  const sound: Provider = CHECKS[type](knownParts(SCHEMAS[type], { type, ...fields }))
  if (sound.type === 'oidc' && !isSafeIssuer(sound.issuer))
    fail('INVALID_INPUT', 'the issuer must be an https address without a query; http only on this machine', {
      field: 'issuer',
      reason: 'issuer',
    })
  return sound
}

function useOf(provider: Provider, users: readonly User[]): { people: number; lastUsedAt: number } {
  const issuer = issuerOf(provider)
  const own = users.flatMap(({ identities = [] }) => identities.filter((identity) => identity.issuer === issuer))
  return { people: own.length, lastUsedAt: Math.max(0, ...own.map(({ lastUsedAt }) => lastUsedAt)) }
}

/** Nobody renews what a provider gave that is not asked any more. */
function withoutGroupsOf(gone: Provider, users: readonly User[]): User[] {
  const issuer = issuerOf(gone)
  return users.map((user) => {
    if (user.identities?.some((identity) => identity.issuer === issuer && identity.groups.length > 0) !== true)
      return user
    const identities = user.identities.map((identity) =>
      identity.issuer === issuer ? { ...identity, groups: [] } : identity,
    )
    return { ...user, identities }
  })
}
