import { resolve } from 'node:path'
import { Option } from 'commander'
import {
  addProvider,
  changeProvider,
  listProviders,
  removeProvider,
  testProvider,
} from '../../../api/accounts/providers.ts'
import { LdapProvider, type Mapping } from '../../../domain/accounts/provider.ts'
import type { ProviderChange, ProviderTest, ProviderView } from '../../../domain/accounts/provider-view.ts'
import { fail } from '../../../domain/errors.ts'
import { formatByteSize } from '../../../domain/text/units.ts'
import { type Door, openDoor } from '../../door/door.ts'
import { command, type Invocation, type Subgroup, wordOf } from '../../program/command.ts'
import { askSecret, confirmOrFail, isInteractive, passwordFile, readLineOf } from '../../program/prompts.ts'
import { optionsOf, patchFrom } from '../../program/schema-options.ts'
import { drawTable } from '../../terminal/table.ts'
import { givenNames, withGroupIds, withGroupNames } from './group-names.ts'
import { mapOption, secretFrom, secretOptions } from './provider-flags.ts'

const HEADINGS = ['ID', 'STATE', 'NAME', 'ADDRESS', 'PEOPLE', 'LAST USED']
const OWN_FLAGS = ['type', 'id', 'name', 'mapping', 'secret', 'secretFile', 'secretVariable']
const fieldFlags = optionsOf(LdapProvider, OWN_FLAGS)
const directoryOption = new Option('--directory <id>', 'which one, if there are several')

/** What differs from OpenLDAP. The filter for groups also finds those of groups. */
const ACTIVE_DIRECTORY = {
  userFilter:
    '(&(objectCategory=person)(objectClass=user)(sAMAccountName={name})(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
  usernameClaim: 'sAMAccountName',
  subjectAttribute: 'objectGUID',
  groupFilter: '(member:1.2.840.113556.1.4.1941:={dn})',
}

const list = command({
  name: 'ls',
  summary: 'List directories, and how many people came from each',
  operations: ['providers.list'],
  examples: [['sign-in ldap ls', 'in the order in which they are asked']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await answer(invocation, door, await directoriesOf(door))
  },
})

const add = command({
  name: 'add <name>',
  summary: 'Add a directory whose people may sign in',
  operations: ['providers.add'],
  options: [
    new Option('--id <id>', 'short name in addresses (default: made of the name)'),
    new Option('--active-directory', 'the filters and attributes of Active Directory, where no flag says otherwise'),
    ...fieldFlags,
    ...secretOptions,
    mapOption,
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
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { id, activeDirectory } = invocation.values
    const fields: Fields = {
      ...(activeDirectory === true && ACTIVE_DIRECTORY),
      ...(await withGroupIds(door, fieldsOf(invocation))),
    }
    const { bindDn = '' } = fields
    const question = bindDn === '' || bindDn.includes('{name}') ? undefined : `Password of ${bindDn}`
    const body = {
      type: 'ldap' as const,
      name: wordOf(invocation),
      ...(typeof id === 'string' && { id: id as ProviderView['id'] }),
      ...fields,
      ...(await secretFrom(invocation, question)),
    }
    await answer(invocation, door, [await door.call(addProvider, { body })])
  },
})

const set = command({
  name: 'set <id>',
  summary: 'Change a directory; switching it off ends the sessions of its people',
  operations: ['providers.change'],
  options: [
    new Option('--name <name>', 'on the button'),
    ...fieldFlags,
    ...secretOptions,
    new Option('--new-secret', 'ask for another password of the account that searches'),
    mapOption,
  ],
  examples: [
    ['sign-in ldap set studio-directory --no-enabled', 'nobody signs in with it any more'],
    ['sign-in ldap set studio-directory --map "groups: staff -> group Film crew"', 'replaces the whole mapping'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { name, newSecret } = invocation.values
    const body = {
      ...(typeof name === 'string' && { name }),
      ...(await withGroupIds(door, fieldsOf(invocation))),
      ...(await secretFrom(invocation, newSecret === true ? 'New password' : undefined)),
    }
    if (Object.keys(body).length === 0) fail('INVALID_INPUT', 'nothing to change; use a flag such as --no-enabled')
    const { id } = await directoryNamed(door, wordOf(invocation))
    await answer(invocation, door, [await door.call(changeProvider, { params: { id }, body })])
  },
})

const remove = command({
  name: 'rm <id>',
  summary: 'Remove a directory; its people keep their accounts, and their sessions end',
  operations: ['providers.remove'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['sign-in ldap rm studio-directory', 'the id is shown by "sign-in ldap ls"']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { id, name, people } = await directoryNamed(door, wordOf(invocation))
    await confirmOrFail(invocation, `Remove ${name}, with which ${people} people sign in?`)
    await door.call(removeProvider, { params: { id }, body: {} })
    await invocation.output.answer({ json: { removed: [id] }, ids: [id], text: '1 removed' })
  },
})

const test = command({
  name: 'test [user]',
  summary: 'Show each step of a sign-in, and what the mapping gives; nothing is changed',
  operations: ['providers.test'],
  options: [
    directoryOption,
    new Option('--password-stdin', 'read the password of the user from standard input'),
    new Option('--password-file <file>', 'read it from the first line of a file'),
  ],
  examples: [
    ['sign-in ldap test', 'whether the directory can be searched'],
    ['sign-in ldap test ann', 'asks for the password; without it, that step is left out'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { output, values } = invocation
    const { id, name } = await directoryNamed(door, values['directory'])
    const [username] = invocation.words
    const password = typeof username === 'string' ? await passwordOf(username, invocation) : ''
    const body = { ...(typeof username === 'string' && { username }), ...(password !== '' && { password }) }
    const result = await givenNames(door, await door.call(testProvider, { params: { id }, body }))
    await output.answer({ json: result, ids: [result.works ? 'works' : 'fails'], text: testText(result) })
    if (!result.works) fail('WRONG_CREDENTIALS', `${name} would let nobody in like this`)
  },
})

async function directoriesOf(door: Door): Promise<ProviderView[]> {
  return (await door.call(listProviders, {})).filter(({ type }) => type === 'ldap')
}

/** @param wanted undefined if there is only one */
async function directoryNamed(door: Door, wanted: unknown): Promise<ProviderView> {
  const all = await directoriesOf(door)
  const found = wanted === undefined ? all : all.filter(({ id }) => id === wanted)
  const [directory] = found
  if (directory !== undefined && found.length === 1) return directory
  if (found.length > 1) fail('INVALID_INPUT', 'there are several directories: name one with --directory')
  return fail('NOT_FOUND', 'there is no such directory; see "filemgr sign-in ldap ls"')
}

function fieldsOf({ values, terminal }: Invocation): Fields {
  const { map, caFile } = values
  return {
    ...patchFrom(fieldFlags, values),
    ...(typeof caFile === 'string' && caFile !== '' && { caFile: resolve(terminal.cwd(), caFile) }),
    ...(map !== undefined && { mapping: map as Mapping[] }),
  }
}

type Fields = Omit<ProviderChange, 'current_password'>

/** Empty if none is given. */
async function passwordOf(username: string, invocation: Invocation): Promise<string> {
  const { values, terminal } = invocation
  if (values['passwordStdin'] === true) return await readLineOf(terminal.stdin)
  if (typeof values['passwordFile'] === 'string') return await passwordFile(values['passwordFile'])
  if (!isInteractive(terminal)) return ''
  return await askSecret(`Password of ${username} (empty to leave it out)`, invocation)
}

async function answer({ output }: Invocation, door: Door, found: readonly ProviderView[]): Promise<void> {
  const directories = await withGroupNames(door, found)
  const rows = directories.map(({ id, enabled, name, url = '', people, lastUsed = '-' }) => {
    return [id, enabled ? 'on' : 'off', name, url, String(people), lastUsed]
  })
  await output.answer({
    json: directories,
    ids: directories.map(({ id }) => id),
    text: () => drawTable(HEADINGS, rows, output, ['LAST USED', 'PEOPLE', 'NAME']),
  })
}

function testText({ steps, claims = {}, gives }: ProviderTest): string {
  const tried = steps.map(({ step, passed, text }) => `${passed ? 'ok    ' : 'failed'}  ${step}: ${text}`)
  const said = Object.entries(claims).map(([name, values]) => `        ${name}: ${values.join(', ')}`)
  if (gives === undefined) return tried.join('\n')
  const { username, administrator, groups, quota } = gives
  const given = [
    username === undefined ? 'no user name' : `user name ${username}`,
    administrator === undefined ? undefined : administrator ? 'administrator' : 'no administrator',
    groups.length === 0 ? undefined : `groups ${groups.join(', ')}`,
    quota === undefined ? undefined : `quota ${formatByteSize(quota)}`,
  ].filter((part) => part !== undefined)
  return [...tried, ...said, `gives   ${given.join('; ')}`].join('\n')
}

export const ldap: Subgroup = {
  name: 'ldap',
  summary: 'LDAP directories and Active Directory',
  commands: [list, add, set, remove, test],
}
