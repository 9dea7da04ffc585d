import { Option } from 'commander'
import {
  addProvider,
  changeProvider,
  listProviders,
  removeProvider,
  testProvider,
} from '../../../api/accounts/providers.ts'
import type { ProviderTest, ProviderView } from '../../../domain/accounts/provider-view.ts'
import { fail } from '../../../domain/errors.ts'
import { counted, formatByteSize } from '../../../domain/text/units.ts'
import { type Door, openDoor } from '../../door/door.ts'
import { type Command, type CommandGroup, type Invocation, type Subgroup, wordOf } from '../../program/command.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { drawTable } from '../../terminal/table.ts'
import { givenNames, withGroupIds, withGroupNames } from './group-names.ts'
import { mapOption, mappingText, secretFrom, secretOptions } from './provider-flags.ts'
import { type Kind, LDAP, OIDC } from './provider-kinds.ts'

function list(kind: Kind): Command {
  return {
    name: 'ls',
    ...kind.list,
    operations: ['providers.list'],
    async run(invocation) {
      await using door = await openDoor(invocation)
      await answer(kind, invocation, door, await all(kind, door))
    },
  }
}

function add(kind: Kind): Command {
  return {
    name: 'add <name>',
    summary: kind.add.summary,
    operations: ['providers.add'],
    options: [...kind.add.options, ...kind.fieldFlags, ...secretOptions, mapOption],
    examples: kind.add.examples,
    async run(invocation) {
      await using door = await openDoor(invocation)
      const { id } = invocation.values
      const fields = await withGroupIds(door, kind.fieldsOf(invocation))
      const body = {
        type: kind.type,
        name: wordOf(invocation),
        ...(typeof id === 'string' && { id: id as ProviderView['id'] }),
        ...fields,
        ...(await secretFrom(invocation, kind.add.secretQuestion(fields))),
      }
      const added = await door.call(addProvider, { body })
      await answer(kind, invocation, door, [added])
      const notice = await kind.add.notice?.(invocation, door, added)
      if (notice !== undefined) invocation.output.notice(notice)
    },
  }
}

function set(kind: Kind): Command {
  return {
    name: 'set <id>',
    summary: `Change a ${kind.noun}; switching it off ends the sessions of its people`,
    operations: ['providers.change'],
    options: [
      new Option('--name <name>', 'on the button'),
      ...kind.fieldFlags,
      ...secretOptions,
      new Option('--new-secret', kind.set.newSecret),
      mapOption,
    ],
    examples: kind.set.examples,
    async run(invocation) {
      await using door = await openDoor(invocation)
      const { name, newSecret } = invocation.values
      const body = {
        ...(typeof name === 'string' && { name }),
        ...(await withGroupIds(door, kind.fieldsOf(invocation))),
        ...(await secretFrom(invocation, newSecret === true ? kind.set.secretQuestion : undefined)),
      }
      if (Object.keys(body).length === 0) fail('INVALID_INPUT', 'nothing to change; use a flag such as --no-enabled')
      const { id } = await named(kind, door, wordOf(invocation))
      await answer(kind, invocation, door, [await door.call(changeProvider, { params: { id }, body })])
    },
  }
}

function remove(kind: Kind): Command {
  return {
    name: 'rm <id>',
    summary: `Remove a ${kind.noun}; its people keep their accounts, and their sessions end`,
    operations: ['providers.remove'],
    options: [new Option('-y, --yes', 'do not ask')],
    examples: [[`sign-in ${kind.type} rm ${kind.exampleId}`, `the id is shown by "sign-in ${kind.type} ls"`]],
    async run(invocation) {
      await using door = await openDoor(invocation)
      const { id, name, people } = await named(kind, door, wordOf(invocation))
      const who = counted(people, 'person signs', 'people sign')
      await confirmOrFail(invocation, `Remove ${name}, with which ${who} in?`)
      await door.call(removeProvider, { params: { id }, body: {} })
      await invocation.output.answer({ json: { removed: [id] }, ids: [id], text: '1 removed' })
    },
  }
}

function test(kind: Kind): Command {
  return {
    name: kind.test.name,
    summary: kind.test.summary,
    operations: ['providers.test'],
    options: kind.test.options,
    examples: kind.test.examples,
    async run(invocation) {
      await using door = await openDoor(invocation)
      const { id, name } = await named(kind, door, kind.test.idOf(invocation))
      const body = await kind.test.inputOf(invocation)
      const result = await givenNames(door, await door.call(testProvider, { params: { id }, body }))
      await invocation.output.answer({ json: result, ids: [result.works ? 'works' : 'fails'], text: testText(result) })
      if (!result.works) kind.test.refuse(name)
    },
  }
}

async function all({ type }: Kind, door: Door): Promise<ProviderView[]> {
  return (await door.call(listProviders, {})).filter((provider) => provider.type === type)
}

/** @param wanted undefined if there is only one */
async function named(kind: Kind, door: Door, wanted: string | undefined): Promise<ProviderView> {
  const { type, noun } = kind
  const known = await all(kind, door)
  if (wanted === undefined && known.length > 1) fail('INVALID_INPUT', `which ${noun}? name one with --${noun}`)
  const found = wanted === undefined ? known[0] : known.find(({ id }) => id === wanted)
  const what = wanted === undefined ? noun : `${noun} ${wanted}`
  return found ?? fail('NOT_FOUND', `there is no ${what}; see "filemgr sign-in ${type} ls"`)
}

async function answer(kind: Kind, { output }: Invocation, door: Door, found: readonly ProviderView[]): Promise<void> {
  const providers = await withGroupNames(door, found)
  const headings = ['ID', 'STATE', 'NAME', kind.addressHeading, 'PEOPLE', 'LAST USED']
  const rows = providers.map(({ id, enabled, name, issuer, url, people, lastUsed = '-' }) => {
    return [id, enabled ? 'on' : 'off', name, issuer ?? url ?? '', String(people), lastUsed]
  })
  const [only, ...others] = providers
  const mapping = only === undefined || others.length > 0 ? [] : only.mapping.map((entry) => `  ${mappingText(entry)}`)
  await output.answer({
    json: providers,
    ids: providers.map(({ id }) => id),
    text: async () => {
      const table = await drawTable(headings, rows, output, ['LAST USED', 'PEOPLE', 'NAME'])
      return [table, ...mapping].join('\n')
    },
  })
}

function testText({ steps, claims = {}, gives }: ProviderTest): string {
  const tried = steps.map(({ step, passed, text }) => `${passed ? 'ok    ' : 'failed'}  ${step}: ${text}`)
  if (gives === undefined) return tried.join('\n')
  const said = Object.entries(claims).map(([name, values]) => `        ${name}: ${values.join(', ')}`)
  const { username, administrator, groups, quota } = gives
  const given = [
    username === undefined ? 'no user name' : `user name ${username}`,
    administrator === undefined ? undefined : administrator ? 'administrator' : 'no administrator',
    groups.length === 0 ? undefined : `groups ${groups.join(', ')}`,
    quota === undefined ? undefined : `quota ${formatByteSize(quota)}`,
  ].filter((part) => part !== undefined)
  return [...tried, ...said, `gives   ${given.join('; ')}`].join('\n')
}

function subgroupOf(kind: Kind): Subgroup {
  const commands = [list(kind), add(kind), set(kind), remove(kind), test(kind)]
  return { name: kind.type, summary: kind.summary, commands }
}

export const signIn: CommandGroup = { commands: [subgroupOf(OIDC), subgroupOf(LDAP)] }
