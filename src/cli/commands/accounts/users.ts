import { Option } from 'commander'
import { getPasswordRules } from '../../../api/accounts/auth.ts'
import {
  createUserAsOperator,
  deleteUserAsOperator,
  getUserAsOperator,
  resetFactorsAsOperator,
  updateUserAsOperator,
} from '../../../api/accounts/operator.ts'
import { listUsers } from '../../../api/accounts/users.ts'
import { fail } from '../../../domain/errors.ts'
import { FILES_ROOT, nameOfRoot } from '../../../domain/server/root.ts'
import { formatValue } from '../../../domain/schema/parse-value.ts'
import { GROUP_PERMISSIONS, type GroupPermission, PERMISSIONS } from '../../../domain/access/permissions.ts'
import { leaves, valueAt } from '../../../domain/schema/schema-tools.ts'
import { UserPatch, type UserView } from '../../../domain/accounts/user.ts'
import { filesAndFolders } from '../../../domain/access/quota.ts'
import { roughSize } from '../../../domain/text/units.ts'
import { command, type CommandGroup, type Invocation, restOf, wordOf } from '../../program/command.ts'
import { type Door, openDoor } from '../../door/door.ts'
import type { Answer } from '../../terminal/output.ts'
import {
  confirmOrFail,
  passwordFrom,
  passwordOptions,
  passwordOrPrompt,
  requireOnePasswordSource,
} from '../../program/prompts.ts'
import { optionsOf, patchFrom } from '../../program/schema-options.ts'
import { drawTable, type TableStyle } from '../../terminal/table.ts'
import { type NamedRoots, placeWords, rootsFor } from './place-words.ts'
import { generatePassword } from './generated-passwords.ts'
import { linkUser, showIdentities, unlinkUser } from './users-identities.ts'
import { exportUsersCommand, importUsersCommand } from './users-transfer.ts'

const accountFlags = optionsOf(UserPatch, ['username'])
const renamingFlags = optionsOf(UserPatch)
const NAMED = 'a user is named by user name, or by id as in id:7'

const list = command({
  name: 'ls',
  summary: 'List all accounts',
  operations: ['users.list'],
  examples: [
    ['users ls', 'a table'],
    ['users ls --json', 'every field, for scripts'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await invocation.output.answer(userList(await door.call(listUsers, {}), invocation.output))
  },
})

const show = command({
  name: 'show <user>',
  oldName: 'find',
  summary: `Show one account; ${NAMED}`,
  operations: ['users.get'],
  examples: [
    ['users show bob', 'every field'],
    ['users show id:7 --json', 'for scripts'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const user = await door.call(getUserAsOperator, { params: { id: wordOf(invocation) } })
    await invocation.output.answer(oneUser(user, invocation.output, { roots: await rootsFor(door, user) }))
  },
})

const add = command({
  name: 'add <username>',
  oldArguments: '[password]',
  summary: 'Add an account; omitted values come from the defaults for new users',
  operations: ['users.create'],
  options: [...passwordOptions(), generatePasswordOption(), denyOption(), ...accountFlags],
  examples: [
    ['users add bob', 'asks for the password'],
    ['users add bob --generate-password', 'prints the password once'],
    ['users add bob --scope /bob --perm.create=false --password-stdin < secret', 'for scripts'],
    ['users add eve --perm.admin --locale fr', 'a second administrator'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const username = wordOf(invocation)
    const fields = { username, ...(patchFrom(accountFlags, invocation.values) as UserPatch), ...deniedFrom(invocation) }
    const generated = await generatedPassword(invocation, door)
    const secret = generated ?? (await passwordOrPrompt(withOldPassword(invocation), username))
    const user = await door.call(createUserAsOperator, { body: { ...fields, ...secret } })
    await invocation.output.answer(oneUser(user, invocation.output, { generated, roots: await rootsFor(door, user) }))
  },
})

const set = command({
  name: 'set <user>',
  oldName: 'update',
  summary: `Change an account; ${NAMED}`,
  operations: ['users.update'],
  options: [...passwordOptions('-p'), denyOption(), ...renamingFlags],
  examples: [
    ['users set bob --locale fr --view-mode mosaic', 'preferences'],
    ['users set bob --perm.create=false --lock-password', 'permissions'],
    ['users set bob --quota 20GiB', 'a limit for everything in the scope of bob; 0 for none'],
    ['users set bob --deny share,delete', 'whatever groups give; "none" for nothing'],
    ['users set id:7 --username robert', 'rename an account'],
    ['users set bob --root photos --scope /2024', 'a folder of another root; see "filemgr roots ls"'],
    ['users set bob --root none', 'no own folder: only what "filemgr roots give" gives'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const fields = { ...(patchFrom(renamingFlags, invocation.values) as UserPatch), ...deniedFrom(invocation) }
    const body = { ...fields, ...(await passwordFrom(invocation)) }
    const user = await door.call(updateUserAsOperator, { params: { id: wordOf(invocation) }, body })
    await invocation.output.answer(oneUser(user, invocation.output, { roots: await rootsFor(door, user) }))
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
    await using door = await openDoor(invocation)
    const params = { id: wordOf(invocation) }
    await confirmOrFail(invocation, async () => {
      const { username } = await door.call(getUserAsOperator, { params })
      return `Remove ${username} and their links and sessions?`
    })
    const user = await door.call(deleteUserAsOperator, { params })
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
      await using door = await openDoor(invocation)
      const named = restOf(invocation)
      // All of them exist, or none is changed.
      for (const id of named) await door.call(getUserAsOperator, { params: { id } })
      const changed: UserView[] = []
      for (const id of named)
        changed.push(await door.call(updateUserAsOperator, { params: { id }, body: { disabled } }))
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
    await using door = await openDoor(invocation)
    const params = { id: wordOf(invocation) }
    const generated = await generatedPassword(invocation, door)
    const secret =
      generated ??
      (await passwordOrPrompt(invocation, async () => (await door.call(getUserAsOperator, { params })).username))
    const { id, username } = await door.call(updateUserAsOperator, { params, body: secret })
    const text = `the password of ${username} is ${generated?.password ?? 'set'}`
    await invocation.output.answer({ json: { id, username, ...generated }, ids: [id], text })
  },
})

function denyOption(): Option {
  const names = GROUP_PERMISSIONS.join(', ')
  return new Option('--deny <permissions>', `what this account never has, whatever groups give, of ${names}; or none`)
}

function deniedFrom({ values: { deny } }: Invocation): Pick<UserPatch, 'denied'> {
  if (typeof deny !== 'string') return {}
  const words = deny === 'none' ? [] : deny.split(/[\s,]+/).filter((word) => word !== '')
  return { denied: [...new Set(words)].map(permissionFrom) }
}

function permissionFrom(word: string): GroupPermission {
  const known = GROUP_PERMISSIONS.join(', ')
  return (
    GROUP_PERMISSIONS.find((permission) => permission === word) ??
    fail('INVALID_INPUT', `--deny: there is no permission "${word}"; use some of ${known}`, { field: 'deny' })
  )
}

const resetFactors = command({
  name: 'reset-factors <user>',
  summary: 'Remove all second factors of an account, whose devices must sign in again',
  operations: ['users.resetFactors'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['users reset-factors bob --yes', 'for a lost phone; the password signs in then, without asking']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const params = { id: wordOf(invocation) }
    await confirmOrFail(invocation, async () => {
      const { username } = await door.call(getUserAsOperator, { params })
      return `Let ${username} sign in without a second factor?`
    })
    const user = await door.call(resetFactorsAsOperator, { params })
    const text = `${user.username} has no second factor now, and must sign in again on all devices`
    await invocation.output.answer({ json: shownUser(user), ids: [user.id], text })
  },
})

function generatePasswordOption(): Option {
  return new Option('--generate-password', 'generate a password and print it once')
}

/** A random password of at least the required length, for --generate-password. @throws INVALID_INPUT */
async function generatedPassword(
  { values, output }: Invocation,
  door: Door,
): Promise<{ password: string } | undefined> {
  if (values['generatePassword'] !== true) return undefined
  requireOnePasswordSource(values)
  if (output.quiet) {
    fail('INVALID_INPUT', '--generate-password prints the password: omit --quiet', { field: 'generate-password' })
  }
  return { password: generatePassword((await door.call(getPasswordRules, {})).minimumLength) }
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
  commands: [
    list,
    show,
    add,
    set,
    disable,
    enable,
    remove,
    passwd,
    showIdentities,
    linkUser,
    unlinkUser,
    resetFactors,
    exportUsersCommand,
    importUsersCommand,
  ],
}

const HEADINGS = [
  'ID', 'USER', 'SCOPE', 'LANGUAGE', 'VIEW', 'PERMISSIONS', 'GROUPS', 'PASSWORD', 'STATE', 'LAST SEEN', 'QUOTA',
] // prettier-ignore
/** Least important first. */
const SPARE = ['VIEW', 'LANGUAGE', 'PASSWORD', 'QUOTA', 'LAST SEEN', 'GROUPS', 'PERMISSIONS', 'SCOPE']

/** Accounts as a table, as JSON, or as their ids. */
export function userList(users: readonly UserView[], style: TableStyle): Answer {
  const rows = users.map((user) => [
    String(user.id),
    user.username,
    user.scope,
    user.locale,
    user.viewMode,
    permissionWords(user.effective ?? user),
    groupNames(user),
    user.lockPassword ? 'locked' : 'free',
    user.disabled === true ? 'disabled' : 'enabled',
    user.lastSeenAt ?? 'never',
    quotaOf(user.effective ?? user),
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

interface MoreOfUser {
  /** A new password to print. */
  readonly generated?: { readonly password: string } | undefined
  /** Those that the account has something to do with. */
  readonly roots: NamedRoots
}

/** Every field of one user, named like the flags that change them. */
export function oneUser(user: UserView, style: TableStyle, { generated, roots }: MoreOfUser): Answer {
  const fields = leaves(UserPatch).filter(({ key, annotation }) => key !== 'password' && annotation.cli !== false)
  const root = nameOfRoot(roots, user.root ?? FILES_ROOT)
  const rows = fields.map((leaf) => [
    leaf.key,
    formatValue(leaf, valueAt({ disabled: false, quota: 0, quotaFiles: 0, ...user, root }, leaf.path)),
  ])
  const password = generated === undefined ? [] : [['password', `${generated.password} (shown only now)`]]
  const more = [
    ['rules', String(user.rules.length + (user.permissionRules?.length ?? 0))],
    ['places', placesOf(user, roots)],
    ['secondFactors', user.secondFactors?.join(' ') ?? 'none'],
    ['denied', user.denied?.join(' ') ?? ''],
    ['groups', groupNames(user)],
    // What is decided by, with what groups give.
    ...(user.effective === undefined
      ? []
      : [
          ['effective permissions', permissionWords(user.effective)],
          ['effective quota', quotaOf(user.effective)],
        ]),
    ['lastSeen', user.lastSeenAt ?? 'never'],
  ]
  const all = [['id', String(user.id)], ...password, ...rows, ...more]
  return {
    json: { ...shownUser(user), ...generated },
    ids: [user.id],
    text: () => drawTable(['FIELD', 'VALUE'], all, style),
  }
}

/** Its own. */
function placesOf({ places, groups = [] }: UserView, roots: NamedRoots): string {
  const own = places?.map((place) => placeWords(place, roots)).join('; ') ?? 'none'
  return groups.length === 0 ? own : `${own}, besides what groups give`
}

function groupNames({ groups = [] }: UserView): string {
  return groups.map(({ name }) => name).join(', ')
}

function quotaOf({ quota, quotaFiles }: Pick<UserView, 'quota' | 'quotaFiles'>): string {
  const limits = [...(quota ? [roughSize(quota)] : []), ...(quotaFiles ? [filesAndFolders(quotaFiles)] : [])]
  return limits.join(', ') || 'none'
}

function permissionWords({ perm }: Pick<UserView, 'perm'>): string {
  const given = PERMISSIONS.filter((permission) => perm[permission])
  return given.length === PERMISSIONS.length ? 'all' : given.join(' ')
}
