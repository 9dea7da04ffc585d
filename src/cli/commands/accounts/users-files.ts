import { extname } from 'node:path'
import { fail } from '../../../domain/errors.ts'
import { formatYaml, parseYaml } from '../../../platform/validation/yaml.ts'
import type { Invocation } from '../../program/command.ts'
import { readText } from '../../program/named-files.ts'
import { formatValue, parseJson, parseValue } from '../../../domain/schema/parse-value.ts'
import { type Leaf, leaves, setAt, valueAt } from '../../../domain/schema/schema-tools.ts'
import { UserPatch } from '../../../domain/accounts/user.ts'

export type ListFormat = 'json' | 'yaml' | 'csv'

const FORMATS: Readonly<Record<string, ListFormat>> = {
  '.json': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.csv': 'csv',
}

/** By the extension of the file name; undefined without one that is known. */
export function formatOf(name: string): ListFormat | undefined {
  return FORMATS[extname(name).toLowerCase()]
}

export interface UserList {
  readonly format: ListFormat
  /** Not checked yet. */
  readonly list: unknown
}

/** Reads a list of accounts from a file, or from standard input for "-". @throws NOT_FOUND; INVALID_INPUT naming the line */
export async function readUserList(name: string, invocation: Invocation): Promise<UserList> {
  const text = await readText(name, invocation)
  const shown = name === '-' ? 'standard input' : name
  const format = formatOf(name) ?? looksLike(text)
  if (format === 'csv') return { format, list: await parseUsersCsv(text, shown) }
  try {
    return { format, list: format === 'yaml' ? await parseYaml(text) : (JSON.parse(text) as unknown) }
  } catch (error) {
    return fail('INVALID_INPUT', `${shown} is not valid: ${(error as Error).message.split('\n', 1)[0] ?? ''}`)
  }
}

/** A list begins with a bracket in JSON and with a dash in YAML, a table with its first column. */
function looksLike(text: string): ListFormat {
  const begin = text.trimStart().charAt(0)
  if (begin === '[' || begin === '{' || begin === '') return 'json'
  return begin === '-' || begin === '#' ? 'yaml' : 'csv'
}

/** @param forFileBrowser with its names of fields */
export async function formatUserList(
  users: readonly object[],
  format: ListFormat,
  { forFileBrowser }: { readonly forFileBrowser: boolean },
): Promise<string> {
  if (format === 'csv') return await formatUsersCsv(users)
  if (format === 'json') return `${JSON.stringify(users, undefined, 2)}\n`
  if (!forFileBrowser) return await formatYaml(users)
  const { toYamlForm } = await import('../../../import/filebrowser/export.ts')
  return await formatYaml(toYamlForm(users))
}

const LEAVES = leaves(UserPatch).filter(({ key }) => key !== 'password')
const COLUMNS = ['id', ...LEAVES.map(({ key }) => key), 'groups', 'passwordHash']
/** Only read: an export has hashes. */
const READ_COLUMNS = [...COLUMNS, 'password']

/** A table with one row per account. A field that is not a single value, such as rules, is JSON in one cell. */
async function formatUsersCsv(users: readonly object[]): Promise<string> {
  const { default: papa } = await import('papaparse')
  const rows = users.map((user) => [
    String(valueAt(user, ['id'])),
    ...LEAVES.map((leaf) => cellOf(leaf, valueAt(user, leaf.path))),
    ((valueAt(user, ['groups']) ?? []) as string[]).join(', '),
    String(valueAt(user, ['passwordHash'])),
  ])
  // A user who signs up as "=HYPERLINK(…)" must not reach the spreadsheet of an administrator.
  return `${papa.unparse({ fields: COLUMNS, data: rows }, { newline: '\n', escapeFormulae: true })}\n`
}

/** A table of passwords by user name, which `parseUsersCsv` reads too. */
export async function formatPasswordsCsv(passwords: ReadonlyMap<string, string>): Promise<string> {
  const { default: papa } = await import('papaparse')
  const table = { fields: ['username', 'password'], data: [...passwords] }
  return `${papa.unparse(table, { newline: '\n', escapeFormulae: true })}\n`
}

/**
 * Reads the accounts of a table. An empty cell leaves its field unset, like a missing column.
 *
 * @throws INVALID_INPUT naming the line
 */
async function parseUsersCsv(text: string, name: string): Promise<object[]> {
  const { default: papa } = await import('papaparse')
  const { data, meta, errors } = papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: 'greedy' })
  const unknown = (meta.fields ?? []).find((field) => !READ_COLUMNS.includes(field))
  if (unknown !== undefined) {
    fail('INVALID_INPUT', `${name}: unknown column "${unknown}"; the columns are ${READ_COLUMNS.join(', ')}`)
  }
  // The parser reports a missing separator, which a table of one column does not have.
  const problem = errors.find(({ type }) => type !== 'Delimiter')
  if (problem !== undefined) fail('INVALID_INPUT', `${name} line ${(problem.row ?? 0) + 2}: ${problem.message}`)
  return data.map((row, index) => accountOf(row, `${name} line ${index + 2}`))
}

function accountOf(row: Readonly<Record<string, string>>, position: string): object {
  const account: Record<string, unknown> = {}
  const { id = '', password = '', passwordHash = '', groups = '' } = row
  if (id !== '') account['id'] = Number(id)
  if (password !== '' && passwordHash !== '')
    fail('INVALID_INPUT', `${position} has both password and passwordHash; leave one of them empty`)
  if (password !== '') account['password'] = password
  if (passwordHash !== '') account['passwordHash'] = passwordHash
  const names = unescaped(groups)
    .split(',')
    .map((name) => name.trim())
  if (groups !== '') account['groups'] = names.filter((name) => name !== '')
  for (const leaf of LEAVES) {
    const cell = unescaped(row[leaf.key] ?? '')
    if (cell !== '') setAt(account, leaf.path, valueOf(leaf, cell, `${position}: ${leaf.key}`))
  }
  return account
}

/** Without the mark that keeps a spreadsheet from reading a formula. */
function unescaped(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r])/, '')
}

function isJson({ annotation, key }: Leaf): boolean {
  return annotation.cli === false || key === 'commands'
}

function cellOf(leaf: Leaf, value: unknown): string {
  return isJson(leaf) ? JSON.stringify(value) : formatValue(leaf, value)
}

function valueOf(leaf: Leaf, cell: string, position: string): unknown {
  if (!isJson(leaf)) return parseValue(leaf, cell, position)
  return parseJson(cell) ?? fail('INVALID_INPUT', `${position} must be JSON, not "${cell}"`)
}
