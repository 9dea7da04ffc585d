import { Type, type Static } from 'typebox'
import type { ProviderId } from '../ids.ts'
import { foldForSearch } from '../text/fold.ts'
import { LdapProvider, OidcProvider, PROVIDER_TYPES, type Provider } from './provider.ts'

const { type: _oidc, secret, ...oidc } = OidcProvider.properties
const { type: _ldap, secret: _secret, ...ldap } = LdapProvider.properties
const { id, name } = oidc

/** The fields of all types; those that a provider of its type does not have are refused. */
const FIELDS = Type.Partial(Type.Object({ ...ldap, ...oidc, secret })).properties

const PASSWORD = Type.Optional(Type.String({ maxLength: 4096, description: 'Your own' }))

export const NewProvider = Type.Object({
  ...FIELDS,
  type: Type.Enum(PROVIDER_TYPES),
  id: Type.Optional(id),
  name,
  current_password: PASSWORD,
})
export type NewProvider = Static<typeof NewProvider>

/** The id of a new provider by its name, such as "example-sso". It becomes part of addresses. */
export function providerIdFor(name: string, isTaken: (id: ProviderId) => boolean): ProviderId {
  const plain = foldForSearch(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 28)
    .replaceAll(/^-+|-+$/g, '')
  const base = plain === '' ? 'provider' : plain
  for (let number = 1; ; number += 1) {
    const id = (number === 1 ? base : `${base}-${number}`) as ProviderId
    if (!isTaken(id)) return id
  }
}

/** Absent fields stay unchanged. */
export const ProviderChange = Type.Object({ ...FIELDS, current_password: PASSWORD })
export type ProviderChange = Static<typeof ProviderChange>

/** As administrators see it. */
export const ProviderView = Type.Object({
  ...Type.Partial(Type.Object({ ...ldap, ...oidc })).properties,
  type: Type.Enum(PROVIDER_TYPES),
  id,
  name,
  enabled: oidc.enabled,
  mapping: oidc.mapping,
  hasSecret: Type.Boolean({ description: 'The secret itself is never shown' }),
  people: Type.Integer({ description: 'Accounts that are linked to it' }),
  lastUsed: Type.Optional(Type.String({ description: 'RFC 3339' })),
})
export type ProviderView = Static<typeof ProviderView>

/** @param use accounts that are linked to it, and when one of them last came, in milliseconds since 1970 */
export function providerView(provider: Readonly<Provider>, use: { people: number; lastUsedAt: number }): ProviderView {
  const { secret: kept, ...shown } = provider
  const hasSecret = kept !== '' || provider.secretFile !== '' || provider.secretVariable !== ''
  return {
    ...shown,
    hasSecret,
    people: use.people,
    ...(use.lastUsedAt > 0 && { lastUsed: new Date(use.lastUsedAt).toISOString() }),
  }
}

/** What is done to sign somebody in by a directory, in this order. */
export const DIRECTORY_STEPS = ['connect', 'encrypt', 'bind', 'find', 'password', 'groups'] as const
export type DirectoryStepName = (typeof DIRECTORY_STEPS)[number]

export interface DirectoryStep {
  readonly step: DirectoryStepName
  readonly passed: boolean
  /** For administrators. */
  readonly text: string
}

/** What the test of a provider looks at, in order. */
const TEST_STEPS = ['reach', 'client', 'clock', 'claims', 'result', ...DIRECTORY_STEPS] as const

export const ProviderStep = Type.Object({
  step: Type.Enum(TEST_STEPS),
  passed: Type.Boolean(),
  /** For people. */
  text: Type.String(),
  /** Why not; the page has a sentence for it. */
  reason: Type.Optional(Type.String()),
  milliseconds: Type.Optional(Type.Integer()),
  /** Seconds by which the clocks differ. */
  apart: Type.Optional(Type.Integer()),
  /** Of the mapping, that the claims do not have. */
  missing: Type.Optional(Type.Array(Type.String())),
})
export type ProviderStep = Static<typeof ProviderStep>

/** Claims of somebody, as a provider would send them, or as `name: [values]`. */
export const ProviderTestInput = Type.Object({
  claims: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  username: Type.Optional(Type.String({ maxLength: 1024, description: 'Somebody to look for in a directory' })),
  password: Type.Optional(Type.String({ maxLength: 4096, description: 'Of that person; otherwise it is not tried' })),
})
export type ProviderTestInput = Static<typeof ProviderTestInput>

export const ProviderTest = Type.Object({
  works: Type.Boolean(),
  steps: Type.Array(ProviderStep),
  claims: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String()), { description: 'What a directory says about that person' }),
  ),
  /** What such claims would give. Nothing is changed. */
  gives: Type.Optional(
    Type.Object({
      username: Type.Optional(Type.String()),
      administrator: Type.Optional(Type.Boolean()),
      groups: Type.Array(Type.String()),
      quota: Type.Optional(Type.Integer({ description: 'Bytes' })),
    }),
  ),
})
export type ProviderTest = Static<typeof ProviderTest>

/** A way into an account, without what the provider calls the person. */
export const IdentityView = Type.Object({
  provider: Type.Optional(Type.String({ description: 'Id of the provider; absent once it was removed' })),
  name: Type.String({ description: 'Of the provider' }),
  issuer: Type.String(),
  subject: Type.String(),
  label: Type.String({ description: 'The name there' }),
  linked: Type.String({ description: 'RFC 3339' }),
  lastUsed: Type.Optional(Type.String({ description: 'RFC 3339' })),
})
export type IdentityView = Static<typeof IdentityView>

export const WaysToSignIn = Type.Object({
  hasPassword: Type.Boolean(),
  identities: Type.Array(IdentityView),
  /** Where the account is not linked yet. */
  linkable: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), type: Type.Enum(PROVIDER_TYPES) })),
})
export type WaysToSignIn = Static<typeof WaysToSignIn>
