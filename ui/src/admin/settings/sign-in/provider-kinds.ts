import {
  ACTIVE_DIRECTORY,
  LdapProvider,
  OidcProvider,
  type ProviderType,
} from '../../../../../src/domain/accounts/provider.ts'
import type { IconName } from '../../../kit/icon/icon.tsx'
import type { MessageId } from '../../../i18n/use-text.tsx'

/** A text, a number, or a list of words separated by spaces; which one, and its limits, are in the schema. */
export interface KindField {
  readonly name: string
  readonly label: MessageId
  readonly hint?: MessageId
  readonly hintValues?: Readonly<Record<string, string>>
  /** In a language, rather than code. */
  readonly plain?: true
  /** What the schema takes empty, and the server does not. */
  readonly required?: true
  /** Its hint says what is wrong with a value that the server refuses. */
  readonly hintMends?: true
}

interface KindChoice {
  readonly name: string
  readonly label: MessageId
  readonly hint: MessageId
  readonly isShown?: (texts: Readonly<Record<string, string>>) => boolean
}

/** What there is to fill in for one type of provider, in this order. */
export interface ProviderKind {
  readonly type: ProviderType
  readonly name: MessageId
  readonly icon: IconName
  /** Name of the form for a new one. */
  readonly newName: MessageId
  readonly schema: typeof OidcProvider | typeof LdapProvider
  readonly preset?: { readonly label: MessageId; readonly values: Readonly<Record<string, string>> }
  readonly main: readonly KindField[]
  readonly secret: { readonly label: MessageId; readonly hint?: MessageId; readonly neededAgain: MessageId }
  /** Over the whole width. */
  readonly wide: readonly KindField[]
  /** Its addresses here have to be entered there, and its id is part of them. */
  readonly hasAddresses: boolean
  readonly more: readonly KindField[]
  readonly choices: readonly KindChoice[]
  readonly note?: { readonly text: MessageId; readonly values: Readonly<Record<string, string>> }
}

const NAME: KindField = { name: 'name', label: 'providers.name', plain: true }
const CREATE_USERS: KindChoice = {
  name: 'createUsers',
  label: 'providers.createUsers',
  hint: 'providers.createUsersHint',
}
const SECOND_FACTOR: KindChoice = {
  name: 'secondFactor',
  label: 'providers.secondFactor',
  hint: 'providers.secondFactorHint',
}
const ENABLED: KindChoice = { name: 'enabled', label: 'providers.enabled', hint: 'providers.enabledHint' }

const OIDC: ProviderKind = {
  type: 'oidc',
  name: 'providers.oidc',
  icon: 'sso',
  newName: 'providers.new',
  schema: OidcProvider,
  main: [
    NAME,
    { name: 'issuer', label: 'providers.issuer', hint: 'providers.issuerHint', hintMends: true },
    { name: 'clientId', label: 'providers.clientId' },
  ],
  secret: { label: 'providers.secret', hint: 'providers.secretHint', neededAgain: 'providers.secretNeeded' },
  wide: [],
  hasAddresses: true,
  more: [
    { name: 'scopes', label: 'providers.scopes' },
    { name: 'usernameClaim', label: 'providers.usernameClaim' },
  ],
  choices: [
    CREATE_USERS,
    { name: 'signsOut', label: 'providers.signsOut', hint: 'providers.signsOutHint' },
    SECOND_FACTOR,
    ENABLED,
  ],
}

const LDAP: ProviderKind = {
  type: 'ldap',
  name: 'directories.type',
  icon: 'directory',
  newName: 'directories.type',
  schema: LdapProvider,
  preset: { label: 'directories.activeDirectory', values: ACTIVE_DIRECTORY },
  main: [
    NAME,
    {
      name: 'url',
      label: 'directories.address',
      hint: 'directories.addressHint',
      hintValues: { example: 'ldaps://ldap.example.org' },
      hintMends: true,
    },
    { name: 'baseDn', label: 'directories.base' },
    { name: 'groupBaseDn', label: 'directories.groupBase', hint: 'directories.groupBaseHint' },
    {
      name: 'bindDn',
      label: 'directories.account',
      required: true,
      hint: 'directories.accountHint',
      hintValues: { name: '{name}', example: 'uid={name},ou=people,dc=example,dc=org' },
    },
  ],
  secret: { label: 'directories.password', neededAgain: 'directories.passwordNeeded' },
  wide: [
    {
      name: 'userFilter',
      label: 'directories.findFilter',
      required: true,
      hint: 'directories.findFilterHint',
      hintValues: { name: '{name}' },
    },
    {
      name: 'groupFilter',
      label: 'directories.groupFilter',
      hint: 'directories.groupFilterHint',
      hintValues: { dn: '{dn}' },
    },
  ],
  hasAddresses: false,
  more: [
    { name: 'usernameClaim', label: 'directories.username' },
    { name: 'subjectAttribute', label: 'directories.subject', hint: 'directories.subjectHint' },
    { name: 'timeout', label: 'directories.timeout' },
  ],
  choices: [
    {
      name: 'startTls',
      label: 'directories.startTls',
      hint: 'directories.startTlsHint',
      isShown: ({ url = '' }) => !url.startsWith('ldaps:'),
    },
    CREATE_USERS,
    SECOND_FACTOR,
    ENABLED,
  ],
  note: { text: 'directories.caHint', values: { command: 'filemgr sign-in ldap set --ca-file' } },
}

export const PROVIDER_KINDS: readonly ProviderKind[] = [OIDC, LDAP]
