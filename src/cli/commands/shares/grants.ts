import { Option } from 'commander'
import { removeGrant } from '../../../api/shares/grants.ts'
import { createGrantAsOperator, listGrantsAsOperator, updateGrantAsOperator } from '../../../api/shares/operator.ts'
import { fail } from '../../../domain/errors.ts'
import { GRANT_KINDS, type GrantKind, type GrantView } from '../../../domain/shares/grant.ts'
import { command, type CommandGroup, type Invocation, wordOf } from '../../program/command.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { openDoor } from '../../door/door.ts'
import { expiryFrom, expiryOption } from '../../share-links.ts'
import type { Answer } from '../../terminal/output.ts'
import { drawTable, type TableStyle } from '../../terminal/table.ts'

const ALLOW = new Option('--allow <what>', 'view (in the browser only), download, edit, or upload (and see nothing)')

const list = command({
  name: 'ls',
  summary: 'List what users share with each other',
  operations: ['grants.list'],
  options: [new Option('--user <name>', 'only what this user shares')],
  examples: [
    ['grants ls', 'of all users'],
    ['grants ls --user anna --json', 'of one user, with every field'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const listed = await door.call(listGrantsAsOperator, { query: ownerFrom(invocation) })
    await invocation.output.answer(grantList(listed, invocation.output))
  },
})

const add = command({
  name: 'add <path>',
  summary: 'Share a path as its owner sees it with another user',
  operations: ['grants.create'],
  options: [
    new Option('--user <name>', 'its owner (default: the first administrator)'),
    new Option('--to <name>', 'the user to share it with'),
    new Option('--to-group <name>', 'a group to share it with'),
    ALLOW,
    expiryOption(),
  ],
  examples: [
    ['grants add /photos --user anna --to bob', 'bob may look and download'],
    ['grants add /plans --user anna --to bob --allow edit --expires 30d', 'bob may change it for a month'],
    ['grants add /plans --user anna --to-group crew --expires 2026-12-31T18:00', 'until then, in local time'],
  ],
  async run(invocation) {
    const { to: user, toGroup: group } = invocation.values
    await using door = await openDoor(invocation)
    const made = await door.call(createGrantAsOperator, {
      params: { path: wordOf(invocation) },
      body: {
        ...ownerFrom(invocation),
        to: { ...(typeof user === 'string' && { user }), ...(typeof group === 'string' && { group }) },
        ...allowsFrom(invocation),
        expires: expiryFrom(invocation, Date.now()) ?? 0,
      },
    })
    await invocation.output.answer({ json: shown(made), ids: [made.id], text: sentenceOf(made) })
  },
})

const set = command({
  name: 'set <id>',
  summary: 'Change what recipients may do, or until when',
  operations: ['grants.update'],
  options: [ALLOW, expiryOption()],
  examples: [['grants set Vd8nR3kXq5TzPw1y --allow view', 'the id is shown by "grants ls"']],
  async run(invocation) {
    const expires = expiryFrom(invocation, Date.now())
    const body = { ...allowsFrom(invocation), ...(expires !== undefined && { expires }) }
    await using door = await openDoor(invocation)
    if (Object.keys(body).length === 0) fail('INVALID_INPUT', 'nothing to change: give --allow or --expires')
    const changed = await door.call(updateGrantAsOperator, { params: { id: wordOf(invocation) }, body })
    await invocation.output.answer({ json: shown(changed), ids: [changed.id], text: sentenceOf(changed) })
  },
})

const remove = command({
  name: 'rm <id>',
  summary: 'Share it no longer; the files stay with their owner',
  operations: ['grants.remove'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['grants rm Vd8nR3kXq5TzPw1y --yes', 'without asking']],
  async run(invocation) {
    const id = wordOf(invocation)
    await using door = await openDoor(invocation)
    await confirmOrFail(invocation, `End what is shared by the id ${id}?`)
    await door.call(removeGrant, { params: { id } })
    await invocation.output.answer({ json: { id }, ids: [id], text: `${id} has ended` })
  },
})

export const grants: CommandGroup = { commands: [list, add, set, remove] }

function ownerFrom({ values: { user } }: Invocation): { user?: string } {
  return typeof user === 'string' ? { user } : {}
}

/** @throws INVALID_INPUT */
function allowsFrom({ values: { allow } }: Invocation): { allows?: GrantKind } {
  if (allow === undefined) return {}
  const allows = GRANT_KINDS.find((kind) => kind === allow)
  if (allows === undefined) fail('INVALID_INPUT', `--allow takes one of ${GRANT_KINDS.join(', ')}`, { field: 'allow' })
  return { allows }
}

function sentenceOf({ owner, path, to, allows, expires }: GrantView): string {
  const end = expires === 0 ? '' : `, until ${timeOf(expires)}`
  return `${owner} shares ${path} with ${to.name}: ${allows}${end}`
}

const HEADINGS = ['ID', 'OWNER', 'PATH', 'WITH', 'ALLOWS', 'UNTIL', 'TARGET']

function grantList(grants: readonly GrantView[], style: TableStyle): Answer {
  const rows = grants.map(({ id, owner, path, to, allows, expires, target }) => [
    id,
    owner,
    path,
    to.kind === 'group' ? `group ${to.name}` : to.name,
    allows,
    expires === 0 ? 'never' : timeOf(expires),
    target,
  ])
  return {
    json: grants.map(shown),
    ids: grants.map(({ id }) => id),
    text: async () => (rows.length === 0 ? 'nothing is shared' : await drawTable(HEADINGS, rows, style)),
  }
}

/** With times as all commands print them. */
function shown({ created, expires, ...grant }: GrantView): object {
  return { ...grant, created: timeOf(created), expires: expires === 0 ? null : timeOf(expires) }
}

/** @param seconds Unix time */
function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
