import { Option } from 'commander'
import { createGroup, listGroups } from '../../../api/accounts/groups.ts'
import {
  changeGroupAsOperator,
  changeMembersAsOperator,
  getGroupAsOperator,
  removeGroupAsOperator,
} from '../../../api/accounts/operator.ts'
import { GROUP_PERMISSIONS } from '../../../domain/access/permissions.ts'
import { filesAndFolders } from '../../../domain/access/quota.ts'
import { GroupChange, type GroupSummary, type GroupView } from '../../../domain/accounts/group.ts'
import { fail } from '../../../domain/errors.ts'
import { counted, roughSize } from '../../../domain/text/units.ts'
import { type Door, openDoor } from '../../door/door.ts'
import { type Command, command, type CommandGroup, restOf, wordOf, type Subgroup } from '../../program/command.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { optionsOf, patchFrom } from '../../program/schema-options.ts'
import type { Answer } from '../../terminal/output.ts'
import { drawTable, type TableStyle } from '../../terminal/table.ts'
import { placeWords, rootsFor } from './place-words.ts'

const givenFlags = optionsOf(GroupChange, ['name'])
const allFlags = optionsOf(GroupChange)

const list = command({
  name: 'ls',
  summary: 'List groups, and what they give their members',
  operations: ['groups.list'],
  examples: [
    ['groups ls', 'a table'],
    ['groups ls --json', 'with the rules, for scripts'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await invocation.output.answer(groupList(await door.call(listGroups, {}), invocation.output))
  },
})

const show = command({
  name: 'show <group>',
  summary: 'Show one group with its members',
  operations: ['groups.get'],
  examples: [['groups show "Film crew"', 'members by a provider are marked']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const group = await door.call(getGroupAsOperator, { params: { id: wordOf(invocation) } })
    await invocation.output.answer(await oneGroup(door, group, invocation.output))
  },
})

const add = command({
  name: 'add <name>',
  summary: 'Add a group that gives its members permissions or a quota',
  operations: ['groups.create'],
  options: givenFlags,
  examples: [
    ['groups add Readers --perm.download', 'its members may download'],
    ['groups add "Film crew" --perm.create --perm.modify --quota 200GiB', 'each member has 200 GiB'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const body: GroupChange = { name: wordOf(invocation), ...patchFrom(givenFlags, invocation.values) }
    await invocation.output.answer(await oneGroup(door, await door.call(createGroup, { body }), invocation.output))
  },
})

const set = command({
  name: 'set <group>',
  summary: 'Change the name of a group, or what it gives; takes effect at once',
  operations: ['groups.change'],
  options: allFlags,
  examples: [
    ['groups set Readers --perm.share --perm.create=false', 'permissions'],
    ['groups set Readers --name Guests', 'another name'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const body: GroupChange = patchFrom(allFlags, invocation.values)
    if (Object.keys(body).length === 0) fail('INVALID_INPUT', 'nothing to change; use a flag such as --perm.download')
    const params = { id: wordOf(invocation) }
    await invocation.output.answer(
      await oneGroup(door, await door.call(changeGroupAsOperator, { params, body }), invocation.output),
    )
  },
})

const remove = command({
  name: 'rm <group>',
  summary: 'Remove a group; its members lose what only it gave them',
  operations: ['groups.remove'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['groups rm Readers --yes', 'without asking']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const params = { id: wordOf(invocation) }
    await confirmOrFail(invocation, async () => {
      const { name, members } = await door.call(getGroupAsOperator, { params })
      return `Remove the group ${name} of ${counted(members.length, 'member')}?`
    })
    const group = await door.call(removeGroupAsOperator, { params })
    await invocation.output.answer({ json: group, ids: [group.id], text: `the group ${group.name} has been removed` })
  },
})

/** @param does what it does to the members */
function changeOfMembers(does: 'add' | 'remove', about: Pick<Command, 'name' | 'summary' | 'examples'>): Command {
  return command({
    ...about,
    operations: ['groups.changeMembers'],
    async run(invocation) {
      await using door = await openDoor(invocation)
      const params = { id: wordOf(invocation) }
      const group = await door.call(changeMembersAsOperator, { params, body: { [does]: restOf(invocation) } })
      await invocation.output.answer(await oneGroup(door, group, invocation.output))
    },
  })
}

const members: Subgroup = {
  name: 'members',
  summary: 'Add users to a group, or take them out',
  commands: [
    changeOfMembers('add', {
      name: 'add <group> <users...>',
      summary: 'Add users to a group',
      examples: [['groups members add Readers bob eve', 'takes effect at once, without a new sign-in']],
    }),
    changeOfMembers('remove', {
      name: 'rm <group> <users...>',
      summary: 'Take users out of a group',
      examples: [['groups members rm Readers eve', 'members by a provider stay as long as the provider says so']],
    }),
  ],
}

export const groups: CommandGroup = { commands: [list, show, add, set, remove, members] }

const HEADINGS = ['ID', 'GROUP', 'MEMBERS', 'GIVES', 'RULES', 'PLACES', 'QUOTA']

function groupList(all: readonly GroupSummary[], style: TableStyle): Answer {
  const rows = all.map((group) => [
    group.id,
    group.name,
    String(group.members),
    permissionWords(group),
    String(group.rules.length + group.permissionRules.length),
    String(group.places.length),
    quotaWords(group),
  ])
  return {
    json: all,
    ids: all.map(({ id }) => id),
    text: () => drawTable(HEADINGS, rows, style, ['ID', 'RULES', 'PLACES']),
  }
}

async function oneGroup(door: Door, group: GroupView, style: TableStyle): Promise<Answer> {
  const roots = await rootsFor(door, group)
  const members = group.members.map(({ username, by }) => (by === 'hand' ? username : `${username} (by a provider)`))
  const rows = [
    ['id', group.id],
    ['name', group.name],
    ['members', members.join(', ') || 'none'],
    ['gives', permissionWords(group)],
    ['rules', String(group.rules.length + group.permissionRules.length)],
    ['places', group.places.map((place) => placeWords(place, roots)).join('; ') || 'none'],
    ['quota', quotaWords(group)],
  ]
  return { json: group, ids: [group.id], text: () => drawTable(['FIELD', 'VALUE'], rows, style) }
}

function permissionWords({ perm }: Pick<GroupView, 'perm'>): string {
  return GROUP_PERMISSIONS.filter((permission) => perm[permission]).join(' ') || 'no permission'
}

function quotaWords({ quota, quotaFiles }: Pick<GroupView, 'quota' | 'quotaFiles'>): string {
  const limits = [...(quota > 0 ? [roughSize(quota)] : []), ...(quotaFiles > 0 ? [filesAndFolders(quotaFiles)] : [])]
  return limits.join(', ') || 'none'
}
