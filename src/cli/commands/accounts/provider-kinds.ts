import { resolve } from 'node:path'
import { Option } from 'commander'
import { ACTIVE_DIRECTORY, LdapProvider, type Mapping, OidcProvider } from '../../../domain/accounts/provider.ts'
import type { ProviderChange, ProviderTestInput, ProviderView } from '../../../domain/accounts/provider-view.ts'
import { fail } from '../../../domain/errors.ts'
import { isRecord } from '../../../domain/schema/schema-tools.ts'
import { parseJson } from '../../../domain/schema/parse-value.ts'
import type { Door } from '../../door/door.ts'
import { type Command, type Invocation, wordOf } from '../../program/command.ts'
import { siteAddress } from '../../share-links.ts'
import { readText } from '../../program/named-files.ts'
import { askSecret, isInteractive, passwordFile, readLineOf } from '../../program/prompts.ts'
import { type LeafOption, optionsOf, patchFrom } from '../../program/schema-options.ts'

type Fields = Omit<ProviderChange, 'current_password'>
type About = Pick<Command, 'summary' | 'examples'>

/** What the commands for one type of provider do not have in common with the others. */
export interface Kind {
  readonly type: ProviderView['type']
  /** "provider" or "directory". */
  readonly noun: string
  readonly exampleId: string
  readonly summary: string
  /** Of the column with its issuer or address. */
  readonly addressHeading: string
  readonly fieldFlags: readonly LeafOption[]
  /** Those that the flags set. */
  readonly fieldsOf: (invocation: Invocation) => Fields
  readonly list: About
  readonly add: About & {
    readonly options: readonly Option[]
    /** Undefined if it needs no secret. */
    readonly secretQuestion: (fields: Fields) => string | undefined
    /** What to do next. */
    readonly notice?: (invocation: Invocation, door: Door, added: ProviderView) => Promise<string>
  }
  readonly set: Pick<About, 'examples'> & { readonly newSecret: string; readonly secretQuestion: string }
  readonly test: About & {
    readonly name: string
    readonly options: readonly Option[]
    /** Undefined for the only one. */
    readonly idOf: (invocation: Invocation) => string | undefined
    readonly inputOf: (invocation: Invocation) => Promise<ProviderTestInput>
    /** After a failed test. @throws always */
    readonly refuse: (name: string) => never
  }
}

const OWN_FLAGS = ['type', 'id', 'name', 'mapping', 'secret', 'secretFile', 'secretVariable']
const oidcFlags = optionsOf(OidcProvider, OWN_FLAGS)
const ldapFlags = optionsOf(LdapProvider, OWN_FLAGS)

export const OIDC: Kind = {
  type: 'oidc',
  noun: 'provider',
  exampleId: 'example-sso',
  summary: 'OpenID Connect providers',
  addressHeading: 'ISSUER',
  fieldFlags: oidcFlags,
  fieldsOf: (invocation) => givenFields(invocation, oidcFlags),
  list: {
    summary: 'List OpenID Connect providers, and how many people came from each',
    examples: [
      ['sign-in oidc ls', 'in the order of their buttons'],
      ['sign-in oidc ls --json', 'with scopes and mapping'],
    ],
  },
  add: {
    summary: 'Add a provider whose people may sign in, and show the address to enter there',
    options: [new Option('--id <id>', 'part of the redirect address (default: made of the name)')],
    examples: [
      [
        'sign-in oidc add "Example SSO" --issuer https://sso.example.org/realms/main --client-id filemgr --create-users',
        'asks for the client secret',
      ],
      [
        'sign-in oidc add Google --issuer https://accounts.google.com --client-id 42.apps.googleusercontent.com --username-claim email --secret-file /etc/filemgr/google-secret',
        'the secret stays in the file',
      ],
      [
        'sign-in oidc add SSO --issuer https://sso.example.org --client-id filemgr --secret-stdin --map "groups: it-admins -> administrator" < secret',
        'for scripts',
      ],
    ],
    secretQuestion: () => 'Client secret (empty for a public client)',
    async notice(invocation, door, { id }) {
      // Otherwise, it is that of the browser.
      const { known = 'https://<address of this site>/' } = await siteAddress(invocation, door)
      return `redirect address to enter at the provider: ${known}api/sign-in/${id}/callback`
    },
  },
  set: {
    newSecret: 'ask for another client secret',
    secretQuestion: 'New client secret',
    examples: [
      ['sign-in oidc set example-sso --no-enabled', 'nobody signs in with it any more'],
      ['sign-in oidc set example-sso --signs-out', 'signing out here ends the session there, too'],
      ['sign-in oidc set example-sso --map "groups: film-crew -> group Film crew"', 'replaces the whole mapping'],
    ],
  },
  test: {
    name: 'test <id>',
    summary: 'Try a provider step by step, and show what a set of claims would give; nothing is changed',
    options: [new Option('--claims <file>', 'JSON with the claims of somebody, as the provider would send them')],
    examples: [
      ['sign-in oidc test example-sso', 'whether it answers, accepts the client and has the same time'],
      ['sign-in oidc test example-sso --claims anna.json', 'also what they would give'],
    ],
    idOf: wordOf,
    async inputOf(invocation) {
      const { claims: file } = invocation.values
      if (typeof file !== 'string') return {}
      const claims = parseJson(await readText(file, invocation))
      if (isRecord(claims)) return { claims }
      return fail('INVALID_INPUT', `--claims: ${file} has no JSON object`, { field: 'claims' })
    },
    refuse: (name) => fail('UNAVAILABLE', `nobody could sign in with ${name} now`),
  },
}

export const LDAP: Kind = {
  type: 'ldap',
  noun: 'directory',
  exampleId: 'studio-directory',
  summary: 'LDAP directories and Active Directory',
  addressHeading: 'ADDRESS',
  fieldFlags: ldapFlags,
  fieldsOf(invocation) {
    const { activeDirectory, caFile } = invocation.values
    return {
      ...(activeDirectory === true && ACTIVE_DIRECTORY),
      ...givenFields(invocation, ldapFlags),
      ...(typeof caFile === 'string' && caFile !== '' && { caFile: resolve(invocation.terminal.cwd(), caFile) }),
    }
  },
  list: {
    summary: 'List directories, and how many people came from each',
    examples: [['sign-in ldap ls', 'in the order in which they are asked']],
  },
  add: {
    summary: 'Add a directory whose people may sign in',
    options: [
      new Option('--id <id>', 'short name in addresses (default: made of the name)'),
      new Option('--active-directory', 'the filters and attributes of Active Directory, where no flag says otherwise'),
    ],
    examples: [
      [
        'sign-in ldap add "Studio directory" --url ldaps://ldap.example.org --base-dn ou=people,dc=example,dc=org --bind-dn cn=filemgr,dc=example,dc=org --secret-file /etc/filemgr/ldap-password',
        'OpenLDAP, with an account that searches',
      ],
      [
        'sign-in ldap add Office --active-directory --url ldaps://dc1.corp.example --base-dn dc=corp,dc=example --bind-dn filemgr@corp.example --create-users --map "groups: IT Admins -> administrator"',
        'Active Directory; asks for the password',
      ],
    ],
    secretQuestion: ({ bindDn = '' }) =>
      bindDn === '' || bindDn.includes('{name}') ? undefined : `Password of ${bindDn}`,
  },
  set: {
    newSecret: 'ask for another password of the account that searches',
    secretQuestion: 'New password',
    examples: [
      ['sign-in ldap set studio-directory --no-enabled', 'nobody signs in with it any more'],
      ['sign-in ldap set studio-directory --map "groups: staff -> group Film crew"', 'replaces the whole mapping'],
    ],
  },
  test: {
    name: 'test [user]',
    summary: 'Show each step of a sign-in, and what the mapping gives; nothing is changed',
    options: [
      new Option('--directory <id>', 'which one, if there are several'),
      new Option('--password-stdin', 'read the password of the user from standard input'),
      new Option('--password-file <file>', 'read it from the first line of a file'),
    ],
    examples: [
      ['sign-in ldap test', 'whether the directory can be searched'],
      ['sign-in ldap test ann', 'asks for the password; without it, that step is left out'],
    ],
    idOf({ values: { directory } }) {
      return typeof directory === 'string' ? directory : undefined
    },
    async inputOf(invocation) {
      const [username] = invocation.words
      if (typeof username !== 'string') return {}
      const password = await passwordOf(username, invocation)
      return { username, ...(password !== '' && { password }) }
    },
    refuse: (name) => fail('WRONG_CREDENTIALS', `${name} would let nobody in like this`),
  },
}

function givenFields({ values }: Invocation, flags: readonly LeafOption[]): Fields {
  const { map } = values
  return { ...patchFrom(flags, values), ...(map !== undefined && { mapping: map as Mapping[] }) }
}

/** Empty if none is given. */
async function passwordOf(username: string, invocation: Invocation): Promise<string> {
  const { values, terminal } = invocation
  if (values['passwordStdin'] === true) return await readLineOf(terminal.stdin)
  if (typeof values['passwordFile'] === 'string') return await passwordFile(values['passwordFile'])
  if (!isInteractive(terminal)) return ''
  return await askSecret(`Password of ${username} (empty to leave it out)`, invocation)
}
