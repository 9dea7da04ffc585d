import { fail } from '../../../domain/errors.ts'
import { formatValue, parseJson, parseValue } from '../../../domain/schema/parse-value.ts'
import { type Leaf, leaves, setAt, valueAt } from '../../../domain/schema/schema-tools.ts'
import { UserPatch } from '../../../domain/accounts/user.ts'

const LEAVES = leaves(UserPatch).filter(({ key }) => key !== 'password')
const COLUMNS = ['id', ...LEAVES.map(({ key }) => key), 'passwordHash']
/** Only read: an export has hashes. */
const READ_COLUMNS = [...COLUMNS, 'password']

/** A table with one row per account. A field that is not a single value, such as rules, is JSON in one cell. */
export async function formatUsersCsv(users: readonly object[]): Promise<string> {
  const { default: papa } = await import('papaparse')
  const rows = users.map((user) => [
    String(valueAt(user, ['id'])),
    ...LEAVES.map((leaf) => cellOf(leaf, valueAt(user, leaf.path))),
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
export async function parseUsersCsv(text: string, name: string): Promise<object[]> {
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
  const { id = '', password = '', passwordHash = '' } = row
  if (id !== '') account['id'] = Number(id)
  if (password !== '' && passwordHash !== '')
    fail('INVALID_INPUT', `${position} has both password and passwordHash; leave one of them empty`)
  if (password !== '') account['password'] = password
  if (passwordHash !== '') account['passwordHash'] = passwordHash
  for (const leaf of LEAVES) {
    const cell = (row[leaf.key] ?? '').replace(/^'(?=[=+\-@\t\r])/, '')
    if (cell !== '') setAt(account, leaf.path, valueOf(leaf, cell, `${position}: ${leaf.key}`))
  }
  return account
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
