import { accessSync, constants, lstatSync } from 'node:fs'
import { extname, isAbsolute, join, relative, resolve } from 'node:path'
import { fail, isFilemgrError } from '../domain/errors.ts'
import { type Environment, findOption, isObsolete, SERVER_LEAVES } from './environment.ts'
import { nearestName } from '../domain/text/option-names.ts'
import { parseValue } from '../domain/schema/parse-value.ts'
import { isRecord, setAt } from '../domain/schema/schema-tools.ts'
import type { ServerOptions } from '../domain/server/server-options.ts'
import { readTextFile } from '../platform/text/read-text-file.ts'
import { parseYaml } from '../platform/validation/yaml.ts'

/** The last one is File Browser's. */
const SYSTEM_FOLDERS = ['/etc/filemgr', '/etc/filebrowser']
const EXTENSIONS = ['json', 'yaml', 'yml', 'toml']

export interface ConfigFile extends ConfigValues {
  readonly path: string
  /** True if it was found in a standard folder instead of being named. */
  readonly discovered: boolean
}

/** Where to look for a config file. */
export interface ConfigSearch {
  readonly named?: string | undefined
  readonly workingFolder: string
  readonly environment: Environment
}

/**
 * The named config file, else the first of filemgr.{json,yaml,yml,toml} and .filebrowser.{…} in the working folder,
 * the home folder, /etc/filemgr and /etc/filebrowser.
 *
 * @throws INVALID_INPUT for a named file that is missing, and for any that is malformed, naming the line
 */
export async function loadConfigFile({
  named,
  workingFolder,
  environment,
}: ConfigSearch): Promise<ConfigFile | undefined> {
  if (named !== undefined) return await loadNamed(resolve(workingFolder, named))
  const { HOME: homeFolder } = environment
  // "sudo -u filemgr" keeps the working folder and HOME of the caller, which the account may not be able to enter.
  const ownFolders = [workingFolder, homeFolder].filter((folder) => folder !== undefined).filter(canEnter)
  for (const folder of [...ownFolders, ...SYSTEM_FOLDERS]) {
    for (const name of ['filemgr', '.filebrowser']) {
      for (const extension of EXTENSIONS) {
        const path = join(folder, `${name}.${extension}`)
        const text = await readIfThere(path)
        if (text !== undefined) return { path, discovered: true, ...(await parseConfig(path, text)) }
      }
    }
  }
  return undefined
}

/**
 * True if a discovered file is inside the served folder. Such a file is not trusted: a user with upload permission could create
 * it and so choose the options of the next start.
 */
export function liesInside(file: Pick<ConfigFile, 'path'>, root: string): boolean {
  const path = relative(root, file.path)
  return path !== '' && path.split('/')[0] !== '..' && !isAbsolute(path)
}

function canEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function loadNamed(path: string): Promise<ConfigFile> {
  if (!EXTENSIONS.includes(extname(path).slice(1))) {
    fail('INVALID_INPUT', `config file ${path}: its name must end in .json, .yaml, .yml or .toml`, { field: 'config' })
  }
  const text = await readIfThere(path)
  if (text === undefined) fail('INVALID_INPUT', `config file ${path} does not exist`, { field: 'config' })
  return { path, discovered: false, ...(await parseConfig(path, text)) }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    // Most of the two dozen candidates do not exist, and this check costs a tenth of a failed read.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined
    return await readTextFile(path, undefined, `config file ${path}`)
  } catch (error) {
    if (isFilemgrError(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    fail(
      'INVALID_INPUT',
      `config file ${path} cannot be read (${code ?? 'unknown error'})`,
      { field: 'config' },
      { cause: error },
    )
  }
}

export interface ConfigValues {
  readonly options: Partial<ServerOptions>
  /** True if it has File Browser's option that has no effect here. */
  readonly hasObsolete: boolean
  /** Name of the administrator that the first start creates. */
  readonly username?: string
  readonly password?: string
  /** File Browser's database. It is not used; the user is advised to import it. */
  readonly database?: string
}

/**
 * Parses a config file with flat keys, which are option names in any spelling.
 *
 * @throws INVALID_INPUT naming the file and the line
 */
async function parseConfig(path: string, text: string): Promise<ConfigValues> {
  const document = await parseText(path, text)
  if (!isRecord(document)) fail('INVALID_INPUT', `${path} line 1: a config file must contain names and values`)
  const options: Record<string, unknown> = {}
  let hasObsolete = false
  const texts: { username?: string; password?: string; database?: string } = {}
  for (const [name, value] of Object.entries(document)) {
    const position = `${path} line ${lineOf(text, name)}`
    if (name === 'username' || name === 'password' || name === 'database') texts[name] = String(value)
    else if (isObsolete(name)) hasObsolete = true
    else readOption(options, name, value, position)
  }
  return { options, hasObsolete, ...texts }
}

function readOption(options: Record<string, unknown>, name: string, value: unknown, position: string): void {
  const known = findOption(name)
  if (known === undefined) {
    const nearest = nearestName(
      name,
      SERVER_LEAVES.map((leaf) => leaf.key),
    )
    const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
    fail('INVALID_INPUT', `${position}: unknown option "${name}"${hint}`, { field: name })
  }
  const text = typeof value === 'string' ? value : textOf(known.leaf.key, value)
  const parsed = parseValue(known.leaf, text, `${position}: ${name}`)
  setAt(options, known.leaf.path, known.inverted ? parsed === false : parsed)
}

/** YAML and TOML read 0660 and 0o660 as octal numbers; a number above 0o777 was written without the leading zero. */
function textOf(key: string, value: unknown): string {
  if (key === 'socketPerm' && typeof value === 'number' && value <= 0o777) return `0${value.toString(8)}`
  return JSON.stringify(value)
}

async function parseText(path: string, text: string): Promise<unknown> {
  try {
    return await parsers[extname(path)]?.(text)
  } catch (error) {
    if (isFilemgrError(error) || !(error instanceof Error)) throw error
    fail('INVALID_INPUT', `${path} line ${lineOfError(error, text)}: ${firstLine(error.message)}`, {}, { cause: error })
  }
}

type Parser = (text: string) => unknown

const parsers: Readonly<Record<string, Parser>> = {
  '.json': (text) => JSON.parse(text) as unknown,
  '.yaml': parseYaml,
  '.yml': parseYaml,
  '.toml': async (text) => (await import('smol-toml')).parse(text),
}

/** TOML errors contain a line, YAML and JSON errors an offset. */
function lineOfError(error: Error & { line?: unknown; pos?: unknown }, text: string): number {
  if (typeof error.line === 'number') return error.line
  const offset = Array.isArray(error.pos)
    ? Number(error.pos[0])
    : Number(/position (\d+)/.exec(error.message)?.[1] ?? text.length)
  return text.slice(0, offset).split('\n').length
}

function lineOf(text: string, name: string): number {
  const lines = text.split('\n')
  const index = lines.findIndex((line) => line.includes(name))
  return index < 0 ? 1 : index + 1
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message
}
