import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
import { exportUsers, importUsers } from '../../../api/accounts/operator.ts'
import { getPasswordRules } from '../../../api/accounts/auth.ts'
import type { ReplyOf } from '../../../api/operation.ts'
import { type ErrorCode, fail, isFilemgrError } from '../../../domain/errors.ts'
import { printable, printableJson } from '../../../domain/text/printable.ts'
import { counted } from '../../../domain/text/units.ts'
import { command, type Invocation, wordOf } from '../../program/command.ts'
import { writePrivateFile } from '../../program/named-files.ts'
import { openDoor } from '../../door/door.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { generatePassword, requireNewList, writePasswordList } from './generated-passwords.ts'

export const exportUsersCommand = command({
  name: 'export [file]',
  summary: 'Write all accounts with their password hashes to a JSON, YAML or CSV file',
  operations: ['users.export'],
  options: [
    new Option('--format <form>', 'filemgr, or filebrowser for its "users import"')
      .choices(['filemgr', 'filebrowser'])
      .default('filemgr'),
  ],
  examples: [
    ['users export users.json', 'readable for its owner only'],
    ['users export -', 'as JSON to standard output'],
    ['users export users.csv', 'for a spreadsheet'],
    ['users export users.yaml --format filebrowser', 'to move back to File Browser'],
  ],
  async run(invocation) {
    const { output, terminal, values, words } = invocation
    const [file = '-'] = words
    const { formatOf, formatUserList } = await import('./users-files.ts')
    const format = formatOf(String(file)) ?? 'json'
    const forFileBrowser = values['format'] === 'filebrowser'
    if (forFileBrowser && format === 'csv')
      fail('INVALID_INPUT', 'File Browser reads JSON and YAML only', { field: 'file' })
    await using door = await openDoor(invocation)
    const form = forFileBrowser ? 'filebrowser' : 'filemgr'
    const { users, withoutPassword, losing } = await door.call(exportUsers, { query: { form } })
    if (losing.length > 0)
      output.warning(
        `File Browser has one folder, and no permissions in parts of it, so these users lose such permissions, their places and other roots: ${losing.join(', ')}`,
      )
    if (withoutPassword.length > 0)
      output.warning(
        `File Browser only supports bcrypt, so these users need a new password there: ${withoutPassword.join(', ')}`,
      )
    if (typeof file !== 'string' || file === '-') {
      await output.answer({ json: users, text: printableJson(JSON.stringify(users, undefined, 2)) })
      return
    }
    const path = resolve(terminal.cwd(), file)
    await writePrivateFile(path, await formatUserList(users, format, { forFileBrowser }))
    const text = `${path}: ${counted(users.length, 'account')} with password hashes`
    await output.answer({ json: { file: path, users: users.length }, ids: [path], text })
  },
})

export const importUsersCommand = command({
  name: 'import <file>',
  isOld: true,
  summary: 'Add all accounts of a JSON, YAML or CSV file, from filemgr or File Browser, or none',
  operations: ['users.import'],
  options: [
    new Option('--dry-run', 'show what would be done, and the folders of new accounts, without doing it'),
    new Option('--overwrite', 'also change accounts with the same names'),
    new Option('--replace', 'also remove accounts that are not in the file, after saving the old list'),
    new Option(
      '--generate-passwords <list>',
      'give new accounts without a password one, and write them to this new file',
    ),
    new Option('-y, --yes', 'do not ask'),
  ],
  examples: [
    ['users import users.json --dry-run', 'what would be added and where, changed and removed'],
    ['users import users.csv --generate-passwords passwords.csv', 'only its owner can read the list'],
    ['users import users.yaml --overwrite', 'accounts of the same name become as the file says'],
    ['users import users.json --replace --yes', 'afterwards there are these accounts and no others'],
    ['users import - < users.csv', 'from standard input'],
  ],
  async run(invocation) {
    const { output, values } = invocation
    const { readUserList } = await import('./users-files.ts')
    const { format, list } = await readUserList(wordOf(invocation), invocation)
    const mode = {
      overwrite: values['overwrite'] === true,
      replace: values['replace'] === true,
      clearPasswords: format === 'csv',
    }
    const listPath = passwordListFrom(invocation)
    await using door = await openDoor(invocation)
    const planned = await door.call(importUsers, { query: { dryRun: true }, body: { list, ...mode } })
    const { minimumLength } = await door.call(getPasswordRules, {})
    const passwords = new Map(
      (listPath === undefined ? [] : newWithoutPassword(planned)).map((name) => [
        name,
        generatePassword(minimumLength),
      ]),
    )
    const report = { listPath: passwords.size > 0 ? listPath : undefined, generated: [...passwords.keys()] }
    if (values['dryRun'] === true) {
      if (report.listPath !== undefined) await requireNewList(report.listPath)
      await answer(invocation, planned, { ...report, dryRun: true })
      return
    }
    if (planned.removed.length > 0) {
      // File Browser reads no CSV.
      const isOldLine = invocation.isOldLine && format !== 'csv'
      await confirmOrFail(
        { ...invocation, isOldLine },
        `Remove ${namesOf(planned.removed)} with their links and sessions?`,
      )
    }
    const body = { list, ...mode, passwords: Object.fromEntries(passwords) }
    const run = async () => await door.call(importUsers, { query: {}, body })
    const done = await (report.listPath === undefined ? run() : withPasswordList(report.listPath, passwords, run))
    if (done.saved !== undefined) output.notice(`the old accounts are saved in ${done.saved}`)
    await answer(invocation, done, { ...report, dryRun: false })
    if (listPath !== undefined && report.listPath === undefined)
      output.notice(`no password was generated, so ${listPath} was not written`)
  },
})

/** Where to write generated passwords. @throws INVALID_INPUT */
function passwordListFrom({ values, terminal }: Invocation): string | undefined {
  const { generatePasswords } = values
  if (typeof generatePasswords !== 'string') return undefined
  // The list must be on a disk before the accounts are made; nobody knows where standard output ends.
  if (generatePasswords === '-')
    fail('INVALID_INPUT', '--generate-passwords needs the name of a new file', { field: 'generate-passwords' })
  return resolve(terminal.cwd(), generatePasswords)
}

type ImportPlan = ReplyOf<typeof importUsers>

function newWithoutPassword({ added, withoutPassword }: ImportPlan): string[] {
  const names = new Set(added.map(({ username }) => username))
  return withoutPassword.filter((name) => names.has(name))
}

/** After these errors no account was made. After others, such as a daemon that does not answer, it may still be made. */
const REFUSALS: readonly ErrorCode[] = ['INVALID_INPUT', 'CONFLICT', 'FORBIDDEN', 'NOT_FOUND', 'NO_SPACE']

/** Removes the list again if no account was made: otherwise it is the only copy of the passwords. */
async function withPasswordList<T>(
  path: string,
  passwords: ReadonlyMap<string, string>,
  makeAccounts: () => Promise<T>,
): Promise<T> {
  await writePasswordList(path, passwords)
  try {
    return await makeAccounts()
  } catch (error) {
    if (isFilemgrError(error) && REFUSALS.includes(error.code)) await rm(path, { force: true })
    throw error
  }
}

interface Report {
  readonly dryRun: boolean
  readonly listPath: string | undefined
  /** Names of those who get a generated password. */
  readonly generated: readonly string[]
}

async function answer(
  { output }: Invocation,
  plan: ImportPlan,
  { dryRun, listPath, generated }: Report,
): Promise<void> {
  const { added, changed, removed } = plan
  const names = (users: ImportPlan['added']) => users.map(({ username }) => username)
  const withoutPassword = plan.withoutPassword.filter((name) => !generated.includes(name))
  const lines = [
    ['added', added.map(({ username, scope }) => `${username} (${printable(scope)})`)] as const,
    ['changed', names(changed)] as const,
    ['removed', names(removed)] as const,
    [`with a generated password, ${dryRun ? 'to be written' : 'written'} to ${listPath ?? ''}`, generated] as const,
    ['without a password, so they cannot sign in with one', withoutPassword] as const,
  ].flatMap(([kind, users]) => (users.length === 0 ? [] : [`${kind}: ${users.join(', ')}`]))
  await output.answer({
    json: {
      dryRun,
      added: names(added),
      changed: names(changed),
      removed: names(removed),
      scopes: added.map(({ username, scope }) => ({ username, scope })),
      withoutPassword,
      ...(listPath !== undefined && { passwords: { file: listPath, users: generated } }),
    },
    ids: [...added, ...changed].map(({ id }) => id),
    text: [...lines, dryRun ? 'nothing was changed: this was a dry run' : 'done'].join('\n'),
  })
  if (withoutPassword.length > 0 && !dryRun)
    output.notice(
      'set a password: filemgr users passwd NAME; or let an import generate them: --generate-passwords LIST',
    )
}

function namesOf(users: readonly { readonly username: string }[]): string {
  return users.map(({ username }) => username).join(', ')
}
