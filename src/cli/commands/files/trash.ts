import { Option } from 'commander'
import type { ReplyOf } from '../../../api/operation.ts'
import {
  emptyOrphanedTrash,
  emptyTrashAsOperator,
  listOrphanedTrash,
  listTrashAsOperator,
  restoreTrashAsOperator,
} from '../../../api/files/operator.ts'
import { fail } from '../../../domain/errors.ts'
import { printable } from '../../../domain/text/printable.ts'
import { counted } from '../../../domain/text/units.ts'
import { command, type CommandGroup, type Invocation, wordOf } from '../../program/command.ts'
import { type Door, openDoor } from '../../door/door.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['ID', 'USER', 'PATH', 'DELETED', 'EXPIRES']

const orphanedFlag = () =>
  new Option('--orphaned', 'trash left behind by deleted users or changed folders').conflicts('user')
const userFlag = () => new Option('--user <name>', 'only those of this user')

type Item = ReplyOf<typeof listTrashAsOperator>[number]

const list = command({
  name: 'ls',
  summary: 'List files in the trash',
  operations: ['trash.list', 'trash.listOrphaned'],
  options: [userFlag(), orphanedFlag()],
  examples: [
    ['trash ls', 'of all users'],
    ['trash ls --user bob --json', 'of one user, as JSON'],
    ['trash ls --orphaned', 'folders with trash that has no owner; each item is <id>/content and can be moved out'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    if (invocation.values['orphaned'] === true) {
      const orphaned = await door.call(listOrphanedTrash, {})
      const text = orphaned.map(({ path }) => printable(path)).join('\n')
      await invocation.output.answer({ json: orphaned, ids: orphaned.map(({ path }) => path), text })
      return
    }
    const found = await door.call(listTrashAsOperator, { query: ownerFrom(invocation) })
    await invocation.output.answer({
      json: found,
      ids: found.map(({ id }) => id),
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
    await using door = await openDoor(invocation)
    const { path, username } = await door.call(restoreTrashAsOperator, { params: { id: wordOf(invocation) } })
    const text = printable(`${path} of ${username} has been restored`)
    await invocation.output.answer({ json: { path, username }, ids: [path], text })
  },
})

const empty = command({
  name: 'empty [id]',
  summary: 'Permanently delete everything in the trash, or one item',
  operations: ['trash.empty', 'trash.remove', 'trash.emptyOrphaned'],
  options: [userFlag(), orphanedFlag(), new Option('-y, --yes', 'do not ask')],
  examples: [
    ['trash empty --orphaned', 'trash without an owner; includes trash of another filemgr that serves this folder'],
    ['trash empty --user bob --yes', 'the trash of one user, without asking'],
    ['trash empty 5Wc1RkJz0Q2hUuVb', 'one item'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    if (invocation.values['orphaned'] === true) {
      await emptyOrphaned(invocation, door)
      return
    }
    const query = ownerFrom(invocation)
    const ids = chosenIds(await door.call(listTrashAsOperator, { query }), invocation)
    await confirmOrFail(invocation, `Permanently delete ${counted(ids.length, 'item')}?`)
    const { removed } = await door.call(emptyTrashAsOperator, { query, body: { ids } })
    await invocation.output.answer({ json: { removed }, text: `${removed} permanently deleted` })
  },
})

async function emptyOrphaned(invocation: Invocation, door: Door): Promise<void> {
  if (invocation.words[0] !== undefined) fail('INVALID_INPUT', '--orphaned takes no id')
  const paths = (await door.call(listOrphanedTrash, {})).map(({ path }) => path)
  await confirmOrFail(
    invocation,
    printable(`Permanently delete trash without an owner (${paths.join(', ') || 'none'})?`),
  )
  const { removed } = await door.call(emptyOrphanedTrash, { body: { paths } })
  await invocation.output.answer({
    json: { removed },
    text: `trash of ${counted(removed, 'user')} permanently deleted`,
  })
}

/** @throws NOT_FOUND */
function chosenIds(found: readonly Item[], { words: [id] }: Invocation): string[] {
  const ids = found.map((item) => item.id)
  if (id === undefined) return ids
  if (!ids.includes(String(id)))
    fail('NOT_FOUND', `nothing in the trash has the id ${String(id)}; see "filemgr trash ls"`)
  return [String(id)]
}

function ownerFrom({ values: { user } }: Invocation): { user?: string } {
  return typeof user === 'string' ? { user } : {}
}

function row({ id, username, path, deleted, expires }: Item): string[] {
  return [id, username, path, deleted, expires ?? 'never']
}

export const trash: CommandGroup = { commands: [list, restore, empty] }
