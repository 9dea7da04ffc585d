import { Option } from 'commander'
import { compareBytes } from '../../../domain/files/listing-order.ts'
import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/text/printable.ts'
import type { TrashItem } from '../../../domain/files/trash.ts'
import type { UserView } from '../../../domain/accounts/user.ts'
import { counted } from '../../../domain/text/units.ts'
import { command, type CommandGroup, type Invocation, wordOf } from '../../program/command.ts'
import { openContext } from '../../open-context.ts'
import { confirmOrFail } from '../../terminal/prompts.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['ID', 'USER', 'PATH', 'DELETED', 'EXPIRES']

const orphanedFlag = () =>
  new Option('--orphaned', 'trash left behind by deleted users or changed folders').conflicts('user')
const userFlag = () => new Option('--user <name>', 'only those of this user')

type Context = Awaited<ReturnType<typeof openContext>>

interface Found {
  readonly owner: UserView
  readonly item: TrashItem
}

const list = command({
  name: 'ls',
  summary: 'List files in the trash',
  operations: ['trash.list'],
  reads: true,
  options: [userFlag(), orphanedFlag()],
  examples: [
    ['trash ls', 'of all users'],
    ['trash ls --user bob --json', 'of one user, as JSON'],
    ['trash ls --orphaned', 'folders with trash that has no owner; each item is <id>/content and can be moved out'],
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
      text: async () => await drawTable(HEADINGS, found.map(row), invocation.output, ['EXPIRES', 'DELETED']),
    })
  },
})

const restore = command({
  name: 'restore <id>',
  summary: 'Restore an item to where it was, under a new name if that one is taken',
  operations: ['trash.restore'],
  examples: [['trash restore 5Wc1RkJz0Q2hUuVb', 'prints where it is now']],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { owner, item } = await findOne(invocation, context)
    const { path, job } = await context.services.trash.restore(OPERATOR, item.id, { owner: owner.id })
    await job?.done
    const username = owner.username
    const text = printable(`${path} of ${username} has been restored`)
    await invocation.output.answer({ json: { path, username }, ids: [path], text })
  },
})

const empty = command({
  name: 'empty [id]',
  summary: 'Permanently delete everything in the trash, or one item',
  operations: ['trash.empty', 'trash.remove'],
  options: [userFlag(), orphanedFlag(), new Option('-y, --yes', 'do not ask')],
  examples: [
    ['trash empty --orphaned', 'trash without an owner; includes trash of another filemgr that serves this folder'],
    ['trash empty --user bob --yes', 'the trash of one user, without asking'],
    ['trash empty 5Wc1RkJz0Q2hUuVb', 'one item'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    if (invocation.values['orphaned'] === true) {
      await emptyOrphaned(invocation, context)
      return
    }
    const chosen =
      invocation.words[0] === undefined ? await findAll(invocation, context) : [await findOne(invocation, context)]
    await confirmOrFail(invocation, `Permanently delete ${counted(chosen.length, 'item')}?`)
    for (const { owner, item } of chosen) await context.services.trash.remove(OPERATOR, item.id, { owner: owner.id })
    const removed = chosen.length
    await invocation.output.answer({ json: { removed }, text: `${removed} permanently deleted` })
  },
})

async function emptyOrphaned(invocation: Invocation, { services: { hiddenFiles } }: Context): Promise<void> {
  if (invocation.words[0] !== undefined) fail('INVALID_INPUT', '--orphaned takes no id')
  const { orphaned } = await hiddenFiles.find()
  const paths = orphaned.map(({ path }) => path)
  await confirmOrFail(
    invocation,
    printable(`Permanently delete trash without an owner (${paths.join(', ') || 'none'})?`),
  )
  const removed = paths.length === 0 ? 0 : await hiddenFiles.removeOrphaned(OPERATOR, paths)
  await invocation.output.answer({
    json: { removed },
    text: `trash of ${counted(removed, 'user')} permanently deleted`,
  })
}

async function findAll({ values }: Invocation, { services: { users, trash } }: Context): Promise<Found[]> {
  const name = values['user']
  const owners = typeof name === 'string' ? [users.find(name)] : await users.list(OPERATOR)
  const found: Found[] = []
  for (const owner of owners) {
    for (const item of await itemsOf(trash, owner)) found.push({ owner, item })
  }
  return found.toSorted((one, other) => compareBytes(other.item.deleted, one.item.deleted))
}

/** Empty if the user's folder is missing. */
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
