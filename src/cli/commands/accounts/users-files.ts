import { extname } from 'node:path'
import { fail } from '../../../domain/errors.ts'
import { formatYaml, parseYaml } from '../../../platform/validation/yaml.ts'
import type { Invocation } from '../../program/command.ts'
import { readText } from '../../terminal/named-files.ts'
import { formatUsersCsv, parseUsersCsv } from './users-csv.ts'

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
