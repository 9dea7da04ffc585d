import { extname } from 'node:path'
import type { TSchema } from 'typebox'
import { fail, isFilemgrError } from '../domain/errors.ts'
import { foldName, foldOldName, nearestName } from '../domain/text/option-names.ts'
import { parseValue } from '../domain/schema/parse-value.ts'
import { isRecord, type Leaf } from '../domain/schema/schema-tools.ts'
import { formatYaml, parseYaml } from '../platform/validation/yaml.ts'

export type TextFormat = 'json' | 'yaml'

/** JSON or YAML, by the extension of the name. @throws INVALID_INPUT for any other */
export function formatOfName(name: string): TextFormat {
  const extension = extname(name).toLowerCase()
  if (extension === '.json') return 'json'
  if (extension === '.yaml' || extension === '.yml') return 'yaml'
  return fail('INVALID_INPUT', `${name}: the name must end in .json, .yaml or .yml; otherwise, add --format`, {
    field: 'file',
  })
}

/** As `formatOfName`. Of standard input, which has no name, JSON begins with a bracket. */
export function formatOfText(name: string, text: string): TextFormat {
  if (name !== '-') return formatOfName(name)
  return text.trimStart().startsWith('{') ? 'json' : 'yaml'
}

/** Ends with a line break. */
export async function formatText(value: unknown, format: TextFormat): Promise<string> {
  return format === 'json' ? `${JSON.stringify(value, null, 2)}\n` : await formatYaml(value)
}

/** @throws INVALID_INPUT naming the file and the problem */
export async function parseText(text: string, format: TextFormat, name: string): Promise<unknown> {
  try {
    return format === 'json' ? (JSON.parse(text) as unknown) : await parseYaml(text)
  } catch (error) {
    if (isFilemgrError(error) || !(error instanceof Error)) throw error
    return fail('INVALID_INPUT', `${name} is not ${format.toUpperCase()}: ${firstLine(error.message)}`)
  }
}

/** @throws INVALID_INPUT for a name that is not in the schema, which would otherwise be ignored silently */
export function requireKnownNames(schema: TSchema, value: unknown, parent = ''): void {
  const { properties } = schema as { properties?: Readonly<Record<string, TSchema>> }
  if (properties === undefined) return
  if (!isRecord(value)) fail('INVALID_INPUT', `${parent === '' ? 'the settings' : parent} must be names with values`)
  for (const [name, inner] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    const path = parent === '' ? name : `${parent}.${name}`
    if (known === undefined) {
      const nearest = nearestName(name, Object.keys(properties))
      const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
      fail('INVALID_INPUT', `there is no setting "${path}"${hint}`, { field: path })
    }
    requireKnownNames(known, inner, path)
  }
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? message
}

/** Finds a value by its key in any spelling. @throws INVALID_INPUT suggesting the nearest key */
export function findLeaf(leaves: readonly Leaf[], key: string): Leaf {
  const found = leaves.find((leaf) => foldName(leaf.key) === foldOldName(key))
  if (found === undefined) {
    const nearest = nearestName(
      key,
      leaves.map((leaf) => leaf.key),
    )
    const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
    fail('INVALID_INPUT', `there is no setting named "${key}"${hint}`, { field: key })
  }
  if (found.annotation.cli === false) fail('INVALID_INPUT', `${found.key} has its own commands`, { field: found.key })
  return found
}

/** Parses an argument such as "tus.chunkSize=20MiB". @throws INVALID_INPUT */
export function parseAssignment(leaves: readonly Leaf[], word: string): { leaf: Leaf; value: unknown } {
  const equals = word.indexOf('=')
  if (equals < 1) fail('INVALID_INPUT', `"${word}" sets nothing; write name=value`, { field: word })
  const leaf = findLeaf(leaves, word.slice(0, equals))
  return { leaf, value: parseValue(leaf, word.slice(equals + 1)) }
}
