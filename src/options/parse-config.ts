import { extname } from 'node:path'
import { fail, isFilemgrError } from '../domain/errors.ts'
import { nearestName } from '../domain/option-names.ts'
import { parseValue } from '../domain/parse-value.ts'
import { isRecord, setAt } from '../domain/schema-tools.ts'
import type { ServerOptions } from '../domain/server-options.ts'
import { parseYaml } from '../platform/yaml.ts'
import { findOption, OBSOLETE_NAMES, SERVER_LEAVES } from './original-names.ts'

export interface ConfigValues {
  readonly options: Partial<ServerOptions>
  /** Account of the first start. */
  readonly username?: string
  readonly password?: string
  /** Of File Browser: not used here, but to be moved in. */
  readonly database?: string
}

/**
 * Reads the text of a config file: flat keys, spelled like the options in any of their spellings.
 *
 * @throws INVALID_INPUT naming the file and the line
 */
export async function parseConfig(path: string, text: string): Promise<ConfigValues> {
  const document = await parseText(path, text)
  if (!isRecord(document)) fail('INVALID_INPUT', `${path} line 1: a config file holds names and values`)
  const options: Record<string, unknown> = {}
  const texts: { username?: string; password?: string; database?: string } = {}
  for (const [name, value] of Object.entries(document)) {
    const place = `${path} line ${lineOf(text, name)}`
    if (name === 'username' || name === 'password' || name === 'database') texts[name] = String(value)
    else if (OBSOLETE_NAMES.includes(name.toLowerCase())) continue
    else readOption(options, name, value, place)
  }
  return { options, ...texts }
}

function readOption(options: Record<string, unknown>, name: string, value: unknown, place: string): void {
  const known = findOption(name)
  if (known === undefined) {
    const nearest = nearestName(
      name,
      SERVER_LEAVES.map((leaf) => leaf.key),
    )
    const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
    fail('INVALID_INPUT', `${place}: unknown option "${name}"${hint}`, { field: name })
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const parsed = parseValue(known.leaf, text, `${place}: ${name}`)
  setAt(options, known.leaf.path, known.inverted ? parsed === false : parsed)
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

/** Where a parser stopped: TOML's says the line, YAML's and JSON's the offset. */
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
