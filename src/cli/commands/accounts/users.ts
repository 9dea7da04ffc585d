import { Option } from 'commander'
import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import { formatValue } from '../../../domain/schema/parse-value.ts'
import { PERMISSIONS } from '../../../domain/access/permissions.ts'
import { isRecord, leaves, valueAt } from '../../../domain/schema/schema-tools.ts'
import { UserPatch, type UserView } from '../../../domain/accounts/user.ts'
import { filesAndFolders } from '../../../domain/access/quota.ts'
import { roughSize } from '../../../domain/text/units.ts'
import { command, type CommandGroup, type Invocation, restOf, wordOf } from '../../program/command.ts'
import { openContext } from '../../open-context.ts'
import type { Answer } from '../../terminal/output.ts'
import {
  confirmOrFail,
  passwordFrom,
  passwordOptions,
  passwordOrPrompt,
  requireOnePasswordSource,
} from '../../terminal/prompts.ts'
import { optionsOf, patchFrom } from '../../program/schema-options.ts'
import { drawTable, type TableStyle } from '../../terminal/table.ts'
import { generatePassword } from './generated-passwords.ts'
import { exportUsersCommand, importUsersCommand } from './users-transfer.ts'

const accountFlags = optionsOf(UserPatch, ['username'])
const renamingFlags = optionsOf(UserPatch)
const NAMED = 'a user is named by user name, or by id as in id:7'

const list = command({
  name: 'ls',
  summary: 'List all accounts',
  operations: ['users.list'],
  reads: true,
  examples: [
    ['users ls', 'a table'],
    ['users ls --json', 'every field, for scripts'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    await invocation.output.answer(userList(await context.services.users.list(OPERATOR), invocation.output))
  },
})

const show = command({
  name: 'show <user>',
  oldName: 'find',
  summary: `Show one account; ${NAMED}`,
  operations: ['users.get'],
  reads: true,
  examples: [
    ['users show bob', 'every field'],
    ['users show id:7 --json', 'for scripts'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { users } = context.services
    const user = await users.get(OPERATOR, users.find(wordOf(invocation)).id)
    await invocation.output.answer(oneUser(user, invocation.output))
  },
})

const add = command({
  name: 'add <username>',
  oldArguments: '[password]',
  summary: 'Add an account; omitted values come from the defaults for new users',
  operations: ['users.create'],
  options: [...passwordOptions(), generatePasswordOption(), ...accountFlags],
  examples: [
    ['users add bob', 'asks for the password'],
    ['users add bob --generate-password', 'prints the password once'],
    ['users add bob --scope /bob --perm.create=false --password-stdin < secret', 'for scripts'],
    ['users add eve --perm.admin --locale fr', 'a second administrator'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { users, settings } = context.services
    const username = wordOf(invocation)
    const { defaults } = settings.current()
    const fields = { username, ...completePatch(patchFrom(accountFlags, invocation.values), defaults) }
    const generated = generatedPassword(invocation, settings.current().minimumPasswordLength)
    const secret = generated ?? (await passwordOrPrompt(withOldPassword(invocation), username))
    const user =
      'password' in secret
        ? await users.create(OPERATOR, { ...fields, password: secret.password })
        : await users.create(OPERATOR, fields, secret)
    await invocation.output.answer(oneUser(user, invocation.output, generated))
  },
})

const set = command({
  name: 'set <user>',
  oldName: 'update',
  summary: `Change an account; ${NAMED}`,
  operations: ['users.update'],
  options: [...passwordOptions('-p'), ...renamingFlags],
  examples: [
    ['users set bob --locale fr --view-mode mosaic', 'preferences'],
    ['users set bob --perm.create=false --lock-password', 'permissions'],
    ['users set bob --quota 20GB', 'a limit for everything in the scope of bob; 0 for none'],
    ['users set id:7 --username robert', 'rename an account'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { users } = context.services
    const before = users.find(wordOf(invocation))
    const fields = completePatch(patchFrom(renamingFlags, invocation.values), before)
    const secret = await passwordFrom(invocation)
    const password = secret !== undefined && 'password' in secret ? { password: secret.password } : {}
    const hash = secret !== undefined && 'passwordHash' in secret ? secret : {}
    const user = await users.update(OPERATOR, before.id, { ...fields, ...password }, hash)
    await invocation.output.answer(oneUser(user, invocation.output))
  },
})

const remove = command({
  name: 'rm <user>',
  isOld: true,
  summary: 'Remove an account with its links and sessions; its files stay',
  operations: ['users.delete'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['users rm bob --yes', 'without asking']],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { users } = context.services
    const user = users.find(wordOf(invocation))
    await confirmOrFail(invocation, `Remove ${user.username} and their links and sessions?`)
    await users.remove(OPERATOR, user.id)
    await invocation.output.answer({ json: shownUser(user), ids: [user.id], text: `${user.username} has been removed` })
  },
})

const disable = switching('disable', 'Disable accounts: no sign-in, and their public links do not open', true)
const enable = switching('enable', 'Enable accounts that were disabled', false)

function switching(name: string, summary: string, disabled: boolean) {
  return command({
    name: `${name} <users...>`,
    summary,
    operations: ['users.update'],
    examples: [
      [`users ${name} bob`, disabled ? 'signs all devices of bob out; nothing is deleted' : 'bob can sign in'],
    ],
    async run(invocation) {
      await using context = await openContext(invocation)
      const { users } = context.services
      const named = restOf(invocation).map((name) => users.find(name))
      const changed: UserView[] = []
      for (const { id } of named) changed.push(await users.update(OPERATOR, id, { disabled }))
      await invocation.output.answer(userList(changed, invocation.output))
    },
  })
}

const passwd = command({
  name: 'passwd <user>',
  summary: 'Set the password of an account',
  operations: ['users.update'],
  options: [...passwordOptions(), generatePasswordOption()],
  examples: [
    ['users passwd admin', 'asks for a new password; works while the daemon runs'],
    ['users passwd bob --password-stdin < secret', 'for scripts'],
  ],
  async run(invocation) {
    await using context = await openContext(invocation)
    const { users } = context.services
    const { id, username } = users.find(wordOf(invocation))
    const generated = generatedPassword(invocation, context.services.settings.current().minimumPasswordLength)
    const secret = generated ?? (await passwordOrPrompt(invocation, username))
    if ('password' in secret) await users.setPassword(OPERATOR, id, secret.password)
    else await users.update(OPERATOR, id, {}, secret)
    const text = `the password of ${username} is ${generated?.password ?? 'set'}`
    await invocation.output.answer({ json: { id, username, ...generated }, ids: [id], text })
  },
})

function generatePasswordOption(): Option {
  return new Option('--generate-password', 'generate a password and print it once')
}

/** A random password of at least the required length, for --generate-password. @throws INVALID_INPUT */
function generatedPassword({ values, output }: Invocation, minimumLength: number): { password: string } | undefined {
  if (values['generatePassword'] !== true) return undefined
  requireOnePasswordSource(values)
  if (output.quiet) {
    fail('INVALID_INPUT', '--generate-password prints the password: omit --quiet', { field: 'generate-password' })
  }
  return { password: generatePassword(minimumLength) }
}

/** File Browser takes the password as a second argument. @throws INVALID_INPUT if there is also a flag */
function withOldPassword(invocation: Invocation): Invocation {
  const { values } = invocation
  const [, password] = invocation.words
  if (password === undefined) return invocation
  if (values['password'] !== undefined) fail('INVALID_INPUT', 'give the password only once', { field: 'password' })
  return { ...invocation, values: { ...values, password } }
}

export const users: CommandGroup = {
  commands: [list, show, add, set, disable, enable, remove, passwd, exportUsersCommand, importUsersCommand],
}

const HEADINGS = ['ID', 'USER', 'SCOPE', 'LANGUAGE', 'VIEW', 'PERMISSIONS', 'PASSWORD', 'STATE', 'LAST SEEN', 'QUOTA']
/** Least important first. */
const SPARE = ['VIEW', 'LANGUAGE', 'PASSWORD', 'QUOTA', 'LAST SEEN', 'PERMISSIONS', 'SCOPE']

/** Accounts as a table, as JSON, or as their ids. */
export function userList(users: readonly UserView[], style: TableStyle): Answer {
  const rows = users.map((user) => [
    String(user.id),
    user.username,
    user.scope,
    user.locale,
    user.viewMode,
    permissionWords(user),
    user.lockPassword ? 'locked' : 'free',
    user.disabled === true ? 'disabled' : 'enabled',
    user.lastSeenAt ?? 'never',
    quotaOf(user),
  ])
  return {
    json: users.map(shownUser),
    ids: users.map(({ id }) => id),
    text: () => drawTable(HEADINGS, rows, style, SPARE),
  }
}

/** An account as commands print it: a time has the same name in all of them. */
function shownUser({ lastSeenAt, ...user }: UserView) {
  return { ...user, lastSeen: lastSeenAt ?? null }
}

/** Every field of one user, named like the flags that change them. @param generated a new password to print */
export function oneUser(user: UserView, style: TableStyle, generated?: { readonly password: string }): Answer {
  const fields = leaves(UserPatch).filter(({ key, annotation }) => key !== 'password' && annotation.cli !== false)
  const rows = fields.map((leaf) => [
    leaf.key,
    formatValue(leaf, valueAt({ disabled: false, quota: 0, quotaFiles: 0, ...user }, leaf.path)),
  ])
  const password = generated === undefined ? [] : [['password', `${generated.password} (shown only now)`]]
  const more = [
    ['rules', String(user.rules.length)],
    ['lastSeen', user.lastSeenAt ?? 'never'],
  ]
  const all = [['id', String(user.id)], ...password, ...rows, ...more]
  return {
    json: { ...shownUser(user), ...generated },
    ids: [user.id],
    text: () => drawTable(['FIELD', 'VALUE'], all, style),
  }
}

function quotaOf({ quota, quotaFiles }: UserView): string {
  const limits = [...(quota ? [roughSize(quota)] : []), ...(quotaFiles ? [filesAndFolders(quotaFiles)] : [])]
  return limits.join(', ') || 'none'
}

function permissionWords({ perm }: UserView): string {
  const given = PERMISSIONS.filter((permission) => perm[permission])
  return given.length === PERMISSIONS.length ? 'all' : given.join(' ')
}

/** Completes nested parts of a patch, such as `perm`, with current values, because services replace them as a whole. */
export function completePatch(patch: Readonly<Record<string, unknown>>, base: object): Record<string, unknown> {
  const current: Record<string, unknown> = { ...base }
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => {
      const before = current[name]
      return [name, isRecord(value) && isRecord(before) ? { ...before, ...completePatch(value, before) } : value]
    }),
  )
}
