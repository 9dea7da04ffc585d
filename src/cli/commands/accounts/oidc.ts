import { Option } from 'commander'
import {
  addProvider,
  changeProvider,
  listProviders,
  removeProvider,
  testProvider,
} from '../../../api/accounts/providers.ts'
import { OidcProvider, type Mapping } from '../../../domain/accounts/provider.ts'
import type { ProviderTest, ProviderView } from '../../../domain/accounts/provider-view.ts'
import { fail } from '../../../domain/errors.ts'
import { isRecord } from '../../../domain/schema/schema-tools.ts'
import { parseJson } from '../../../domain/schema/parse-value.ts'
import { publicBase } from '../../../domain/server/server-options.ts'
import { formatByteSize } from '../../../domain/text/units.ts'
import { linkOptions } from '../../../api/shares/operator.ts'
import { type Door, openDoor } from '../../door/door.ts'
import { command, type Invocation, type Subgroup, wordOf } from '../../program/command.ts'
import { readText } from '../../program/named-files.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { optionsOf, patchFrom } from '../../program/schema-options.ts'
import { drawTable } from '../../terminal/table.ts'
import { givenNames, withGroupIds, withGroupNames } from './group-names.ts'
import { mapOption, mappingText, secretFrom, secretOptions } from './provider-flags.ts'

const HEADINGS = ['ID', 'STATE', 'NAME', 'ISSUER', 'PEOPLE', 'LAST USED']
const OWN_FLAGS = ['type', 'id', 'name', 'mapping', 'secret', 'secretFile', 'secretVariable']
const fieldFlags = optionsOf(OidcProvider, OWN_FLAGS)
const ID_EXAMPLE = 'the id is shown by "sign-in oidc ls"'

const list = command({
  name: 'ls',
  summary: 'List OpenID Connect providers, and how many people came from each',
  operations: ['providers.list'],
  examples: [
    ['sign-in oidc ls', 'in the order of their buttons'],
    ['sign-in oidc ls --json', 'with scopes and mapping'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await answer(invocation, door, await providersOf(door))
  },
})

const add = command({
  name: 'add <name>',
  summary: 'Add a provider whose people may sign in, and show the address to enter there',
  operations: ['providers.add'],
  options: [
    new Option('--id <id>', 'part of the redirect address (default: made of the name)'),
    ...fieldFlags,
    ...secretOptions,
    mapOption,
  ],
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
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { id } = invocation.values
    const { issuer = '', clientId = '', ...fields } = await withGroupIds(door, fieldsOf(invocation))
    const body = {
      type: 'oidc' as const,
      name: wordOf(invocation),
      issuer: String(issuer),
      clientId: String(clientId),
      ...(typeof id === 'string' && { id: id as ProviderView['id'] }),
      ...fields,
      ...(await secretFrom(invocation, 'Client secret (empty for a public client)')),
    }
    const added = await door.call(addProvider, { body })
    await answer(invocation, door, [added])
    invocation.output.notice(`redirect address to enter at the provider: ${await redirectAddress(door, added.id)}`)
  },
})

const set = command({
  name: 'set <id>',
  summary: 'Change a provider; switching it off ends the sessions of its people',
  operations: ['providers.change'],
  options: [
    new Option('--name <name>', 'on the button'),
    ...fieldFlags,
    ...secretOptions,
    new Option('--new-secret', 'ask for another client secret'),
    mapOption,
  ],
  examples: [
    ['sign-in oidc set example-sso --no-enabled', 'nobody signs in with it any more'],
    ['sign-in oidc set example-sso --signs-out', 'signing out here ends the session there, too'],
    ['sign-in oidc set example-sso --map "groups: film-crew -> group Film crew"', 'replaces the whole mapping'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { name, newSecret } = invocation.values
    const body = {
      ...(typeof name === 'string' && { name }),
      ...(await withGroupIds(door, fieldsOf(invocation))),
      ...(await secretFrom(invocation, newSecret === true ? 'New client secret' : undefined)),
    }
    if (Object.keys(body).length === 0) fail('INVALID_INPUT', 'nothing to change; use a flag such as --no-enabled')
    const { id } = await providerNamed(door, wordOf(invocation))
    await answer(invocation, door, [await door.call(changeProvider, { params: { id }, body })])
  },
})

const remove = command({
  name: 'rm <id>',
  summary: 'Remove a provider; its people keep their accounts, and their sessions end',
  operations: ['providers.remove'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['sign-in oidc rm example-sso', ID_EXAMPLE]],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { id, name, people } = await providerNamed(door, wordOf(invocation))
    await confirmOrFail(invocation, `Remove ${name}, with which ${people} people sign in?`)
    await door.call(removeProvider, { params: { id }, body: {} })
    await invocation.output.answer({ json: { removed: [id] }, ids: [id], text: '1 removed' })
  },
})

const test = command({
  name: 'test <id>',
  summary: 'Try a provider step by step, and show what a set of claims would give; nothing is changed',
  operations: ['providers.test'],
  options: [new Option('--claims <file>', 'JSON with the claims of somebody, as the provider would send them')],
  examples: [
    ['sign-in oidc test example-sso', 'whether it answers, accepts the client and has the same time'],
    ['sign-in oidc test example-sso --claims anna.json', 'also what they would give'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { output, values } = invocation
    const { id, name } = await providerNamed(door, wordOf(invocation))
    const { claims: file } = values
    const claims = typeof file === 'string' ? await claimsIn(invocation, file) : undefined
    const body = claims === undefined ? {} : { claims }
    const result = await givenNames(door, await door.call(testProvider, { params: { id }, body }))
    await output.answer({ json: result, ids: [String(result.works)], text: testText(result) })
    if (!result.works) fail('UNAVAILABLE', `nobody could sign in with ${name} now`)
  },
})

async function providersOf(door: Door): Promise<ProviderView[]> {
  return (await door.call(listProviders, {})).filter(({ type }) => type === 'oidc')
}

async function providerNamed(door: Door, wanted: string): Promise<ProviderView> {
  const found = (await providersOf(door)).find(({ id }) => id === wanted)
  return found ?? fail('NOT_FOUND', `there is no provider ${wanted}; see "filemgr sign-in oidc ls"`)
}

function fieldsOf({ values }: Invocation): Record<string, unknown> & { readonly mapping?: Mapping[] } {
  const { map } = values
  return { ...patchFrom(fieldFlags, values), ...(map !== undefined && { mapping: map as Mapping[] }) }
}

/** @throws NOT_FOUND, INVALID_INPUT */
async function claimsIn(invocation: Invocation, file: string): Promise<Record<string, unknown>> {
  const claims = parseJson(await readText(file, invocation))
  return isRecord(claims) ? claims : fail('INVALID_INPUT', `--claims: ${file} has no JSON object`, { field: 'claims' })
}

/** As far as this is known: without a public address, it is that of the browser. */
async function redirectAddress(door: Door, id: string): Promise<string> {
  const base = publicBase(await door.call(linkOptions, {})) ?? 'https://<address of this site>/'
  return `${base}api/sign-in/${id}/callback`
}

async function answer({ output }: Invocation, door: Door, found: readonly ProviderView[]): Promise<void> {
  const providers = await withGroupNames(door, found)
  const rows = providers.map(({ id, enabled, name, issuer = '', people, lastUsed = '-' }) => {
    return [id, enabled ? 'on' : 'off', name, issuer, String(people), lastUsed]
  })
  const [only, ...others] = providers
  const mapping = only === undefined || others.length > 0 ? [] : only.mapping.map((entry) => `  ${mappingText(entry)}`)
  await output.answer({
    json: providers,
    ids: providers.map(({ id }) => id),
    text: async () => {
      const table = await drawTable(HEADINGS, rows, output, ['LAST USED', 'PEOPLE', 'NAME'])
      return [table, ...mapping].join('\n')
    },
  })
}

function testText({ steps, gives }: ProviderTest): string {
  const tried = steps.map(({ step, passed, text }) => `${passed ? 'ok    ' : 'failed'}  ${step}: ${text}`)
  if (gives === undefined) return tried.join('\n')
  const { username, administrator, groups, quota } = gives
  const given = [
    username === undefined ? 'no user name' : `user name ${username}`,
    administrator === undefined ? undefined : administrator ? 'administrator' : 'no administrator',
    groups.length === 0 ? undefined : `groups ${groups.join(', ')}`,
    quota === undefined ? undefined : `quota ${formatByteSize(quota)}`,
  ].filter((part) => part !== undefined)
  return [...tried, `gives   ${given.join('; ')}`].join('\n')
}

export const oidc: Subgroup = {
  name: 'oidc',
  summary: 'OpenID Connect providers',
  commands: [list, add, set, remove, test],
}
