import { Option } from 'commander'
import { changeRoot, createRoot, listRoots, removeRoot } from '../../../api/server/roots.ts'
import { fail } from '../../../domain/errors.ts'
import { RootChange, rootNamed, type RootView } from '../../../domain/server/root.ts'
import { counted, roughSize } from '../../../domain/text/units.ts'
import { type Door, openDoor } from '../../door/door.ts'
import { command, type CommandGroup, type Invocation, wordOf } from '../../program/command.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { optionsOf, patchFrom } from '../../program/schema-options.ts'
import type { Answer } from '../../terminal/output.ts'
import { givePlaces, takePlaces } from './roots-people.ts'
import { drawTable, type TableStyle } from '../../terminal/table.ts'

const newFlags = optionsOf(RootChange, ['name', 'location'])
const allFlags = optionsOf(RootChange)

const list = command({
  name: 'ls',
  summary: 'List roots, and which of them are away',
  operations: ['roots.list'],
  examples: [
    ['roots ls', 'the first is the served folder'],
    ['roots ls --json', 'every field, for scripts'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await invocation.output.answer(rootList(await door.call(listRoots, {}), invocation.output))
  },
})

const show = command({
  name: 'show <root>',
  summary: 'Show one root',
  operations: ['roots.list'],
  examples: [['roots show photos', 'every field']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await invocation.output.answer(oneRoot(await called(door, invocation), invocation.output))
  },
})

const add = command({
  name: 'add <name> <location>',
  summary: 'Add a folder or bucket that accounts can live in',
  operations: ['roots.create'],
  options: newFlags,
  examples: [
    ['roots add photos /srv/photos --read-only', 'nobody can change anything in it'],
    ['roots add archive s3://team-files/archive', 'a bucket; the keys come from the environment of the daemon'],
    ['roots add scans /srv/scans --trash-days 0 --hidden "*.tmp Thumbs.db"', 'without a trash'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const body: RootChange = {
      name: wordOf(invocation),
      location: wordOf(invocation, 1),
      ...patchFrom(newFlags, invocation.values),
    }
    await invocation.output.answer(oneRoot(await door.call(createRoot, { body }), invocation.output))
  },
})

const set = command({
  name: 'set <root>',
  summary: 'Change a root; takes effect at once',
  operations: ['roots.change'],
  options: allFlags,
  examples: [
    ['roots set photos --read-only=false', 'its users may change files again'],
    ['roots set photos --location /mnt/new/photos', 'after its files were moved'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const body: RootChange = patchFrom(allFlags, invocation.values)
    if (Object.keys(body).length === 0) fail('INVALID_INPUT', 'nothing to change; use a flag such as --read-only')
    const { id } = await called(door, invocation)
    await invocation.output.answer(oneRoot(await door.call(changeRoot, { params: { id }, body }), invocation.output))
  },
})

const remove = command({
  name: 'rm <root>',
  summary: 'Remove a root; its files stay where they are',
  operations: ['roots.remove'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['roots rm photos --yes', 'without asking']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const root = await called(door, invocation)
    const { id, name, people } = root
    const losing = [
      ...(people.users.length > 0 ? [counted(people.users.length, 'user')] : []),
      ...(people.groups.length > 0 ? [counted(people.groups.length, 'group')] : []),
    ]
    const effect = losing.length === 0 ? 'Nobody has files in it.' : `${losing.join(' and ')} will not see its files.`
    await confirmOrFail(invocation, async () => `Remove the root ${name}? ${effect}`)
    await door.call(removeRoot, { params: { id }, body: {} })
    await invocation.output.answer({ json: root, ids: [id], text: `the root ${name} has been removed; its files stay` })
  },
})

export const roots: CommandGroup = { commands: [list, show, add, set, remove, givePlaces, takePlaces] }

async function called(door: Door, invocation: Invocation): Promise<RootView> {
  return rootNamed(await door.call(listRoots, {}), wordOf(invocation))
}

const HEADINGS = ['ID', 'ROOT', 'LOCATION', 'STATE', 'USERS', 'GROUPS', 'FREE', 'QUOTA']
/** Least important first. */
const SPARE = ['ID', 'QUOTA', 'GROUPS', 'FREE']

function rootList(all: readonly RootView[], style: TableStyle): Answer {
  const rows = all.map((root) => [
    root.id,
    root.name,
    root.location,
    stateWords(root),
    String(root.people.users.length),
    String(root.people.groups.length),
    root.free === undefined ? '' : roughSize(root.free),
    quotaWords(root),
  ])
  return { json: all, ids: all.map(({ id }) => id), text: () => drawTable(HEADINGS, rows, style, SPARE) }
}

function oneRoot(root: RootView, style: TableStyle): Answer {
  const rows = [
    ['id', root.id],
    ['name', root.name],
    ['location', root.location],
    ['mount point', root.mountPoint || 'none'],
    ['state', root.problem ?? stateWords(root)],
    ['free', root.free === undefined ? 'not known' : `${roughSize(root.free)} of ${roughSize(root.total ?? 0)}`],
    ['users', root.people.users.map(({ username }) => username).join(', ') || 'none'],
    [
      'groups',
      root.people.groups.map(({ name, members }) => `${name} (${counted(members, 'member')})`).join(', ') || 'none',
    ],
    ['links out of it', root.followLinks ? 'followed' : 'not followed'],
    ['trash', root.trashDays === 0 ? 'off' : counted(root.trashDays, 'day')],
    ['names for searches', root.index ? 'remembered' : 'not remembered'],
    ['quota', quotaWords(root)],
    ['hidden names', root.hidden.join(' ') || 'none'],
    ['warn while away', root.warnAway ? 'yes' : 'no'],
  ]
  return { json: root, ids: [root.id], text: () => drawTable(['FIELD', 'VALUE'], rows, style) }
}

function stateWords({ state, readOnly }: RootView): string {
  return readOnly ? `${state}, read-only` : state
}

function quotaWords({ quota }: RootView): string {
  return quota === 0 ? 'none' : roughSize(quota)
}
