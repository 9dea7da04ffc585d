import { Option } from 'commander'
import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/text/printable.ts'
import type { TrashItem } from '../../../domain/files/trash.ts'
import type { UserView } from '../../../domain/accounts/user.ts'
import { command, type CommandGroup, type Invocation, wordOf } from '../../program/command.ts'
import { openContext } from '../../open-context.ts'
import { confirmOrFail } from '../../terminal/prompts.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['ID', 'USER', 'PATH', 'DELETED', 'EXPIRES']

const orphanedFlag = () =>
  new Option('--orphaned', 'of nobody: its user was deleted, or sees another folder now').conflicts('user')
const userFlag = () => new Option('--user <name>', 'of this user only')

type Context = Awaited<ReturnType<typeof openContext>>

interface Found {
  readonly owner: UserView
  readonly item: TrashItem
}

const list = command({
  name: 'ls',
  summary: 'List what users have moved to the trash',
  operations: ['trash.list'],
  reads: true,
  options: [userFlag(), orphanedFlag()],
  examples: [
    ['trash ls', "everybody's"],
    ['trash ls --user bob --json', 'of one user, for scripts'],
    ['trash ls --orphaned', 'where trash of nobody lies; each thing in it is <id>/content, and may be moved out'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    if (invocation.values['orphaned'] === true) {
      const { orphaned } = await context.services.hiddenFiles.find()
      const json = orphaned.map(({ path, owner }) => ({ path, owner }))
      const text = orphaned.map(({ path }) => printable(path)).join('\n')
      await invocation.output.answer({ json, ids: orphaned.map(({ path }) => path), text })
      return
    }
    const found = await findAll(invocation, context)
    await invocation.output.answer({
      json: found.map(({ owner, item }) => ({ ...item, username: owner.username })),
      ids: found.map(({ item }) => item.id),
      text: async () => await drawTable(HEADINGS, found.map(row), invocation.output.color),
    })
  },
})

const restore = command({
  name: 'restore <id>',
  summary: 'Put a thing back to where it was, under another name where that one is taken',
  operations: ['trash.restore'],
  examples: [['trash restore 5Wc1RkJz0Q2hUuVb', 'says where it is now']],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { owner, item } = await findOne(invocation, context)
    const path = await context.services.trash.restore(OPERATOR, item.id, { owner: owner.id })
    const username = owner.username
    const text = printable(`${path} of ${username} is back`)
    await invocation.output.answer({ json: { path, username }, ids: [path], text })
  },
})

const empty = command({
  name: 'empty [id]',
  summary: 'Delete everything in the trash for good, or one thing',
  operations: ['trash.empty', 'trash.remove'],
  options: [userFlag(), orphanedFlag(), new Option('-y, --yes', 'do not ask')],
  examples: [
    ['trash empty --orphaned', 'that of deleted users; also that of another filemgr which serves this folder'],
    ['trash empty --user bob --yes', 'the trash of one user, without a question'],
    ['trash empty 5Wc1RkJz0Q2hUuVb', 'one thing'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    if (invocation.values['orphaned'] === true) {
      await emptyOrphaned(invocation, context)
      return
    }
    const chosen =
      invocation.words[0] === undefined ? await findAll(invocation, context) : [await findOne(invocation, context)]
    await confirmOrFail(invocation, `Delete ${chosen.length} in the trash for good?`)
    for (const { owner, item } of chosen) await context.services.trash.remove(OPERATOR, item.id, { owner: owner.id })
    const removed = chosen.length
    await invocation.output.answer({ json: { removed }, text: `${removed} deleted for good` })
  },
})

async function emptyOrphaned(invocation: Invocation, { services: { hiddenFiles } }: Context): Promise<void> {
  if (invocation.words[0] !== undefined) fail('INVALID_INPUT', '--orphaned is about all of it: leave the id out')
  const { orphaned } = await hiddenFiles.find()
  const paths = orphaned.map(({ path }) => path)
  await confirmOrFail(invocation, printable(`Delete the trash of nobody for good (${paths.join(', ') || 'none'})?`))
  const removed = paths.length === 0 ? 0 : await hiddenFiles.removeOrphaned(OPERATOR, paths)
  await invocation.output.answer({ json: { removed }, text: `trash of ${removed} users deleted for good` })
}

async function findAll({ values }: Invocation, { services: { users, trash } }: Context): Promise<Found[]> {
  const name = values['user']
  const owners = typeof name === 'string' ? [users.find(name)] : await users.list(OPERATOR)
  const found: Found[] = []
  for (const owner of owners) {
    for (const item of await itemsOf(trash, owner)) found.push({ owner, item })
  }
  return found.toSorted((one, other) => other.item.deleted.localeCompare(one.item.deleted))
}

/** A home folder that is not there has no trash. */
async function itemsOf(trash: Context['services']['trash'], owner: UserView): Promise<TrashItem[]> {
  try {
    return await trash.list(OPERATOR, owner.id)
  } catch (error) {
    if (isFilemgrError(error, 'NOT_FOUND')) return []
    throw error
  }
}

async function findOne(invocation: Invocation, context: Context): Promise<Found> {
  const id = wordOf(invocation)
  const found = (await findAll(invocation, context)).find(({ item }) => item.id === id)
  return found ?? fail('NOT_FOUND', `nothing in the trash has the id ${id}; see "filemgr trash ls"`)
}

function row({ owner, item }: Found): string[] {
  return [item.id, owner.username, item.path, item.deleted, item.expires ?? 'never']
}

export const trash: CommandGroup = { commands: [list, restore, empty] }
