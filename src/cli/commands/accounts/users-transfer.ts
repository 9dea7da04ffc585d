import { extname, join, resolve } from 'node:path'
import { Option } from 'commander'
import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import type { User } from '../../../domain/accounts/user.ts'
import { printable, printableJson } from '../../../domain/text/printable.ts'
import { formatYaml, parseYaml } from '../../../platform/validation/yaml.ts'
import type { ImportPlan } from '../../../services/accounts/users/user-transfer.ts'
import { counted } from '../../../domain/text/units.ts'
import { command, type Invocation, wordOf } from '../../program/command.ts'
import { dataFolder } from '../../data-folder.ts'
import { readText, writePrivateFile } from '../../terminal/named-files.ts'
import { openContext } from '../../open-context.ts'
import { confirmOrFail } from '../../terminal/prompts.ts'
import { formatUsersCsv, parseUsersCsv } from './users-csv.ts'

const YAML = ['.yaml', '.yml']

function isCsv(name: string): boolean {
  return extname(name) === '.csv'
}

export const exportUsersCommand = command({
  name: 'export [file]',
  summary: 'Write all accounts with their password hashes to a JSON, YAML or CSV file',
  options: [
    new Option('--format <form>', 'filemgr, or filebrowser for its "users import"')
      .choices(['filemgr', 'filebrowser'])
      .default('filemgr'),
  ],
  examples: [
    ['users export users.json', 'readable for its owner only'],
    ['users export', 'to standard output'],
    ['users export users.csv', 'for a spreadsheet'],
    ['users export users.yaml --format filebrowser', 'to move back to File Browser'],
  ],
  async run(invocation) {
    const { output, terminal, values, words } = invocation
    await using context = await openContext(invocation)
    const forFileBrowser = values['format'] === 'filebrowser'
    const users = forFileBrowser
      ? await inOldForm(context.store.snapshot().users, invocation)
      : context.services.userTransfer.export(OPERATOR)
    const [file] = words
    if (typeof file !== 'string') {
      await output.answer({ json: users, text: printableJson(JSON.stringify(users, undefined, 2)) })
      return
    }
    const path = resolve(terminal.cwd(), file)
    if (forFileBrowser && isCsv(path)) fail('INVALID_INPUT', 'File Browser reads JSON and YAML only', { field: 'file' })
    await writePrivateFile(path, await textFor(path, users, forFileBrowser))
    const text = `${path}: ${counted(users.length, 'account')} with password hashes`
    await output.answer({ json: { file: path, users: users.length }, ids: [path], text })
  },
})

export const importUsersCommand = command({
  name: 'import <file>',
  isOld: true,
  summary: 'Add all accounts of a JSON, YAML or CSV file, from filemgr or File Browser, or none',
  options: [
    new Option('--dry-run', 'show what would be done, and the folders of new accounts, without doing it'),
    new Option('--overwrite', 'also change accounts with the same names'),
    new Option('--replace', 'also remove accounts that are not in the file, after saving the old list'),
    new Option('-y, --yes', 'do not ask'),
  ],
  examples: [
    ['users import users.json --dry-run', 'what would be added and where, changed and removed'],
    ['users import users.yaml --overwrite', 'accounts of the same name become as the file says'],
    ['users import users.json --replace --yes', 'afterwards there are these accounts and no others'],
  ],
  async run(invocation) {
    const { output, values } = invocation
    const list = await readList(invocation)
    const mode = { overwrite: values['overwrite'] === true, replace: values['replace'] === true }
    await using context = await openContext(invocation)
    const { userTransfer } = context.services
    const planned = userTransfer.plan(OPERATOR, list, mode)
    if (values['dryRun'] === true) {
      await answer(invocation, planned, true)
      return
    }
    if (planned.removed.length > 0) {
      // File Browser reads no CSV.
      const isOldLine = invocation.isOldLine && !isCsv(wordOf(invocation))
      await confirmOrFail(
        { ...invocation, isOldLine },
        `Remove ${namesOf(planned.removed)} with their links and sessions?`,
      )
    }
    if (mode.replace) {
      const backup = await saveOld(invocation, userTransfer.export(OPERATOR))
      output.notice(`the old accounts are saved in ${backup}`)
    }
    await answer(invocation, await userTransfer.import(OPERATOR, list, mode), false)
  },
})

async function answer({ output }: Invocation, plan: ImportPlan, dryRun: boolean): Promise<void> {
  const { added, changed, removed } = plan
  const names = (users: readonly User[]) => users.map(({ username }) => username)
  const lines = [
    ['added', added.map(({ username, scope }) => `${username} (${printable(scope)})`)] as const,
    ['changed', names(changed)] as const,
    ['removed', names(removed)] as const,
  ].flatMap(([kind, users]) => (users.length === 0 ? [] : [`${kind}: ${users.join(', ')}`]))
  await output.answer({
    json: {
      ...{ dryRun, added: names(added), changed: names(changed), removed: names(removed) },
      scopes: added.map(({ username, scope }) => ({ username, scope })),
    },
    ids: [...added, ...changed].map(({ id }) => id),
    text: [...lines, dryRun ? 'nothing was changed: this was a dry run' : 'done'].join('\n'),
  })
}

async function readList(invocation: Invocation): Promise<unknown> {
  const name = wordOf(invocation)
  const text = await readText(name, invocation)
  if (isCsv(name)) return await parseUsersCsv(text, name)
  try {
    return YAML.includes(extname(name)) ? await parseYaml(text) : (JSON.parse(text) as unknown)
  } catch (error) {
    return fail('INVALID_INPUT', `${name} is not valid: ${(error as Error).message.split('\n', 1)[0] ?? ''}`)
  }
}

async function saveOld({ globals, terminal }: Invocation, users: readonly object[]): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const path = join(dataFolder(globals, terminal), `users-before-import-${time}.json`)
  await writePrivateFile(path, await textFor(path, users, false))
  return path
}

async function textFor(path: string, users: readonly object[], forFileBrowser: boolean): Promise<string> {
  if (isCsv(path)) return await formatUsersCsv(users)
  if (!YAML.includes(extname(path))) return `${JSON.stringify(users, undefined, 2)}\n`
  if (!forFileBrowser) return await formatYaml(users)
  const { toYamlForm } = await import('../../../services/filebrowser/export.ts')
  return await formatYaml(toYamlForm(users))
}

async function inOldForm(users: readonly User[], { output }: Invocation): Promise<readonly object[]> {
  const { exportUsers } = await import('../../../services/filebrowser/export.ts')
  const { users: list, withoutPassword } = exportUsers(users)
  if (withoutPassword.length > 0) {
    output.warning(
      `File Browser only supports bcrypt, so these users need a new password there: ${withoutPassword.join(', ')}`,
    )
  }
  return list
}

function namesOf(users: readonly { readonly username: string }[]): string {
  return users.map(({ username }) => username).join(', ')
}
