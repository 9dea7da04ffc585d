import { Type, type Static } from 'typebox'
import type { GroupId, ProviderId } from '../ids.ts'

/** What proves who somebody is: an OpenID Connect provider, or an LDAP directory. */
export const PROVIDER_TYPES = ['oidc', 'ldap'] as const
export type ProviderType = (typeof PROVIDER_TYPES)[number]

export const MAX_PROVIDERS = 20

/** A claim, or an attribute of a directory, with one of its values; and one thing that it gives. */
export const Mapping = Type.Object({
  claim: Type.String({ minLength: 1, maxLength: 256 }),
  value: Type.String({ maxLength: 1024 }),
  administrator: Type.Optional(Type.Literal(true)),
  group: Type.Optional(Type.Unsafe<GroupId>(Type.String({ minLength: 1, maxLength: 64 }))),
  /** Bytes. */
  quota: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
})
export type Mapping = Static<typeof Mapping>

/** Part of the redirect address that is entered at the provider, so it never changes. */
const Id = Type.Unsafe<ProviderId>(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$', title: 'Id' }))

const COMMON = {
  id: Id,
  name: Type.String({ minLength: 1, maxLength: 64, title: 'Name on the button' }),
  enabled: Type.Boolean({ default: true, title: 'On the sign-in page' }),
  createUsers: Type.Boolean({
    default: false,
    title: 'Create accounts for unknown people',
    description: 'With the defaults of new users. Otherwise, an account must be linked first.',
  }),
  usernameClaim: Type.String({ minLength: 1, maxLength: 64, title: 'Claim with the user name' }),
  secondFactor: Type.Boolean({ title: 'Ask for the second factor here, too' }),
  mapping: Type.Array(Mapping, { default: [], maxItems: 200, title: 'What its claims give' }),
}

/** Where a secret comes from: the store, a file, or a variable of the daemon's environment. */
const SECRET = {
  secret: Type.String({ default: '', maxLength: 4096 }),
  secretFile: Type.String({ default: '', maxLength: 4096, title: 'File with the secret' }),
  secretVariable: Type.String({ default: '', maxLength: 256, title: 'Environment variable with the secret' }),
}

/** OpenID Connect Core 1.0, with the authorization code flow. */
export const OidcProvider = Type.Object({
  type: Type.Literal('oidc'),
  ...COMMON,
  ...SECRET,
  usernameClaim: { ...COMMON.usernameClaim, default: 'preferred_username' },
  secondFactor: { ...COMMON.secondFactor, default: false },
  issuer: Type.String({ minLength: 1, maxLength: 2048, title: 'Issuer' }),
  clientId: Type.String({ minLength: 1, maxLength: 512, title: 'Client ID' }),
  scopes: Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,64}$' }), {
    default: ['openid', 'profile', 'email'],
    maxItems: 20,
    title: 'Scopes to ask for',
  }),
  signsOut: Type.Boolean({ default: false, title: 'Sign out at the provider, too' }),
})
export type OidcProvider = Static<typeof OidcProvider>

/** A name of an attribute (RFC 4512). */
const Attribute = { pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$' }

/** RFC 4511. Filters are those of RFC 4515, with {name} for what was typed and {dn} for the person that was found. */
export const LdapProvider = Type.Object({
  type: Type.Literal('ldap'),
  ...COMMON,
  ...SECRET,
  usernameClaim: Type.String({ ...Attribute, default: 'uid', title: 'Attribute with the user name' }),
  secondFactor: { ...COMMON.secondFactor, default: true },
  url: Type.String({
    pattern: '^ldaps?://(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?/?$',
    maxLength: 512,
    title: 'Address',
    description: 'Such as ldaps://ldap.example.org, or ldap:// with StartTLS.',
  }),
  startTls: Type.Boolean({
    default: true,
    title: 'Encrypt by StartTLS',
    description: 'With ldap://. Without it, everybody on the way can read all passwords.',
  }),
  caFile: Type.String({
    default: '',
    maxLength: 4096,
    title: 'File with the certificate authority',
    description: 'PEM. Only certificates that it has signed are trusted then.',
  }),
  bindDn: Type.String({
    default: '',
    maxLength: 2048,
    title: 'Bind DN',
    description:
      'The account that searches. With {name}, people bind themselves, as uid={name},ou=people,dc=example,dc=org.',
  }),
  baseDn: Type.String({ minLength: 1, maxLength: 2048, title: 'Base DN of people' }),
  userFilter: Type.String({
    default: '(uid={name})',
    maxLength: 2048,
    title: 'Filter for a person',
    description: '{name} is what was typed.',
  }),
  subjectAttribute: Type.String({
    ...Attribute,
    default: 'entryUUID',
    title: 'Attribute that never changes',
    description: 'By it, people are known again: entryUUID, or objectGUID of Active Directory.',
  }),
  groupBaseDn: Type.String({
    default: '',
    maxLength: 2048,
    title: 'Base DN of groups',
    description: 'Empty: the same as for people.',
  }),
  groupFilter: Type.String({
    default: '(member={dn})',
    maxLength: 2048,
    title: 'Filter for the groups of a person',
    description:
      '{dn} is the entry of the person, {name} the user name there. Empty reads the attribute memberOf instead.',
  }),
  timeout: Type.Integer({ default: 5, minimum: 1, maximum: 30, title: 'Seconds to wait for the answers' }),
})
export type LdapProvider = Static<typeof LdapProvider>

/** What differs from OpenLDAP. The filter for people leaves out disabled accounts; that for groups also finds groups of groups. */
export const ACTIVE_DIRECTORY = {
  userFilter:
    '(&(objectCategory=person)(objectClass=user)(sAMAccountName={name})(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
  usernameClaim: 'sAMAccountName',
  subjectAttribute: 'objectGUID',
  groupFilter: '(member:1.2.840.113556.1.4.1941:={dn})',
} as const satisfies Partial<LdapProvider>

/** As it is stored. It never leaves the services, because of the secret. */
export const Provider = Type.Union([OidcProvider, LdapProvider])
export type Provider = Static<typeof Provider>

/** The issuer in the identities of its people. */
export function issuerOf(provider: Provider): string {
  return provider.type === 'oidc' ? provider.issuer : `ldap:${provider.id}`
}
