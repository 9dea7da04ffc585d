import { Option } from 'commander'
import { createTokenAsOperator, listTokensAsOperator, revokeTokenAsOperator } from '../../../api/accounts/operator.ts'
import { type ApiTokenView, TOKEN_PERMISSIONS, type TokenPermission } from '../../../domain/accounts/api-token.ts'
import { fail } from '../../../domain/errors.ts'
import { ROOT } from '../../../domain/files/virtual-path.ts'
import { command, type CommandGroup, type Invocation, wordOf } from '../../program/command.ts'
import { openDoor } from '../../door/door.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['ID', 'USER', 'NAME', 'PERMISSIONS', 'FOLDER', 'EXPIRES', 'LAST USED']

const list = command({
  name: 'ls',
  summary: 'List API tokens; the last use appears up to ten minutes late',
  operations: ['tokens.list'],
  options: [new Option('--user <name>', 'only those of this user')],
  examples: [
    ['tokens ls', 'of all users, latest first'],
    ['tokens ls --user bob --json', 'of one user, as JSON'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const found = await door.call(listTokensAsOperator, { query: ownerFrom(invocation) })
    const { output } = invocation
    const text = () => drawTable(HEADINGS, found.map(row), output, ['LAST USED', 'FOLDER', 'EXPIRES', 'PERMISSIONS'])
    await output.answer({ json: found.map(shown), ids: found.map(({ id }) => id), text })
  },
})

const add = command({
  name: 'add <name>',
  summary: 'Make an API token and print it; it cannot be shown again',
  operations: ['tokens.create'],
  options: [
    new Option('--user <name>', 'whose token it is (default: the first administrator)'),
    new Option(
      '--permissions <list>',
      `separated by commas: ${TOKEN_PERMISSIONS.join(', ')}; listing needs none (default: download)`,
    ).argParser(permissionsFrom),
    new Option('--path <folder>', "the only folder that it reaches, in the user's own"),
    new Option('--expires <duration>', 'lifetime, such as 30d or 12h (default: never)'),
  ],
  examples: [
    ['tokens add report --user bob', 'may list and download'],
    ['tokens add backup --user bob --permissions create,modify --path /backup --expires 90d', 'may only write there'],
    ['tokens add backup --user bob --quiet > /etc/backup.token', 'only the token'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { values, output } = invocation
    const expires = values['expires'] === 'never' ? '' : values['expires']
    const made = await door.call(createTokenAsOperator, {
      body: {
        ...ownerFrom(invocation),
        name: wordOf(invocation),
        permissions: (values['permissions'] ?? ['download']) as TokenPermission[],
        ...(typeof values['path'] === 'string' && { path: values['path'] }),
        ...(typeof expires === 'string' && { expires }),
      },
    })
    await output.answer({ json: shown(made), ids: [made.token], text: made.token })
    output.notice(`this is the token "${made.name}" of ${made.username}; keep it safe, it cannot be shown again`)
  },
})

const remove = command({
  name: 'rm <id>',
  summary: 'Revoke an API token; takes effect at once',
  operations: ['tokens.revoke'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['tokens rm 5Wc1RkJz0Q2hUuVb --yes', 'without asking']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const id = wordOf(invocation)
    await confirmOrFail(invocation, async () => {
      const tokens = await door.call(listTokensAsOperator, { query: {} })
      const token = tokens.find((each) => each.id === id)
      if (token === undefined) return fail('NOT_FOUND', 'there is no such token; list them with "filemgr tokens ls"')
      return `Revoke the token "${token.name}" of ${token.username}?`
    })
    const { name, username } = await door.call(revokeTokenAsOperator, { params: { id } })
    await invocation.output.answer({
      json: { id, name, username },
      ids: [id],
      text: `the token "${name}" of ${username} has been revoked`,
    })
  },
})

export const tokens: CommandGroup = { commands: [list, add, remove] }

/** @throws INVALID_INPUT */
function permissionsFrom(text: string): TokenPermission[] {
  const names = text.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '').map(permissionFrom)
}

function permissionFrom(name: string): TokenPermission {
  const known = TOKEN_PERMISSIONS.find((permission) => permission === name)
  const choice = TOKEN_PERMISSIONS.join(', ')
  return (
    known ?? fail('INVALID_INPUT', `--permissions takes some of ${choice}, not "${name}"`, { field: 'permissions' })
  )
}

function ownerFrom({ values: { user } }: Invocation) {
  return typeof user === 'string' ? { user } : {}
}

/** A token as commands print it: null means never. */
function shown<Shown extends ApiTokenView>(token: Shown) {
  return { ...token, expires: token.expires ?? null, lastUsed: token.lastUsed ?? null }
}

function row({ id, username, name, permissions, path, expires, lastUsed }: ApiTokenView): string[] {
  const may = permissions.length === 0 ? 'list' : permissions.join(',')
  return [id, username, name, may, path === ROOT ? 'all' : path, expires ?? 'never', lastUsed ?? 'never']
}
