import { fail } from '../errors.ts'
import type { Leaf, LeafSchema } from './schema-tools.ts'
import { formatMode, parseMode, formatByteSize, parseByteSize, parseDuration } from '../text/units.ts'

/** Undefined for text that is not valid JSON, such as a truncated file. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The single letters are for scripts of File Browser. */
const TRUE = ['true', 't', '1', 'yes', 'on']
const FALSE = ['false', 'f', '0', 'no', 'off']

/**
 * Turns the text of a flag, an environment variable or a config file into the value of a leaf.
 *
 * @param name as the person wrote it ("--port", "FILEMGR_PORT"), for the message
 * @throws INVALID_INPUT with the name and the expected form
 */
export function parseValue(leaf: Leaf, text: string, name: string = leaf.key): unknown {
  const value = convert(leaf, text.trim(), text)
  const complaint = value === undefined ? expected(leaf) : violation(leaf, value)
  if (complaint !== undefined) fail('INVALID_INPUT', `${name} ${complaint}, not "${text}"`, { field: leaf.key })
  return value
}

/** The text for a value, in the form that `parseValue` reads. */
export function formatValue(leaf: Leaf, value: unknown): string {
  if (leaf.annotation.widget === 'bytes' && typeof value === 'number') return formatByteSize(value)
  if (leaf.annotation.widget === 'mode' && typeof value === 'number') return formatMode(value)
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',')
  return value === undefined ? '' : JSON.stringify(value)
}

/**
 * Reads a value from an exported file, where sizes and modes may also be strings ("20MiB", "0640").
 *
 * @throws INVALID_INPUT
 */
export function parseWritten(leaf: Leaf, value: unknown, name: string = leaf.key): unknown {
  if (leaf.schema.type !== 'integer') return value
  if (typeof value === 'string') return parseValue(leaf, value, name)
  const complaint = typeof value === 'number' ? numberViolation(leaf.schema, value) : undefined
  // An unquoted 640 is a decimal number in every file format.
  if (complaint !== undefined && leaf.annotation.widget === 'mode') {
    fail('INVALID_INPUT', `${name} ${expected(leaf)} in quotes, not ${String(value)}`, { field: leaf.key })
  }
  return value
}

/** The value for an exported file: sizes and modes as readable strings, everything else unchanged. */
export function writtenForm(leaf: Leaf, value: unknown): unknown {
  const isPrinted = leaf.annotation.widget === 'bytes' || leaf.annotation.widget === 'mode'
  return isPrinted && typeof value === 'number' ? formatValue(leaf, value) : value
}

/** The placeholder in help texts, such as "integer" or "light|dark". */
export function placeholder({ schema, annotation }: Leaf): string {
  if (annotation.widget === 'bytes') return 'size'
  if (annotation.widget === 'duration' || annotation.widget === 'mode') return annotation.widget
  if (schema.enum !== undefined) return schema.enum.filter((value) => value !== '').join('|')
  if (schema.type === 'array') return 'list'
  return schema.type === 'string' ? 'text' : (schema.type ?? 'json')
}

/** Names of groups may have spaces. */
function partsOf(text: string, widget: Leaf['annotation']['widget']): string[] {
  const parts = text.split(widget === 'groups' ? ',' : /[\s,]+/)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function convert({ schema, annotation }: Leaf, trimmed: string, text: string): unknown {
  if (schema.enum !== undefined) return schema.enum.includes(trimmed) ? trimmed : undefined
  switch (schema.type) {
    case 'boolean':
      return TRUE.includes(trimmed.toLowerCase()) || (FALSE.includes(trimmed.toLowerCase()) ? false : undefined)
    case 'integer':
      return convertInteger(annotation.widget, trimmed)
    case 'array':
      return trimmed.startsWith('[') ? parseList(trimmed) : partsOf(trimmed, annotation.widget)
    default:
      return annotation.widget === 'duration' && parseDuration(trimmed) === undefined ? undefined : text
  }
}

function convertInteger(widget: Leaf['annotation']['widget'], text: string): number | undefined {
  if (widget === 'bytes') return parseByteSize(text)
  if (widget === 'mode') return parseMode(text)
  return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
}

function parseList(text: string): unknown {
  const list = parseJson(text)
  return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
}

function expected({ schema, annotation }: Leaf): string {
  if (annotation.widget === 'bytes') return 'must be a size such as 20MiB'
  if (annotation.widget === 'duration') return 'must be a duration such as 30m, 2h30m or 7d'
  if (annotation.widget === 'mode') return 'must be an octal mode such as 0640'
  if (schema.enum !== undefined)
    return `must be one of ${schema.enum.map((value) => (value === '' ? '""' : String(value))).join(', ')}`
  if (schema.type === 'boolean') return 'must be true or false'
  if (schema.type === 'integer') return 'must be a whole number'
  return 'must be a list of words'
}

/** How a converted value violates its schema, as the end of a sentence; undefined if it is valid. */
function violation({ schema, annotation }: Leaf, value: unknown): string | undefined {
  if (typeof value === 'number')
    return numberViolation(schema, value, annotation.widget === 'mode' ? formatMode : String)
  if (typeof value === 'string') return stringViolation(schema, value, annotation.example)
  if (Array.isArray(value)) {
    if (value.length > (schema.maxItems ?? Infinity)) return `must not have more than ${schema.maxItems} words`
    return value.map((item) => stringViolation(schema.items ?? {}, String(item))).find((found) => found !== undefined)
  }
  return undefined
}

function numberViolation(
  { minimum = -Infinity, maximum = Infinity }: LeafSchema,
  value: number,
  format: (number: number) => string = String,
): string | undefined {
  if (value >= minimum && value <= maximum) return undefined
  if (maximum === Infinity) return `must be at least ${format(minimum)}`
  return `must be between ${format(minimum)} and ${format(maximum)}`
}

function stringViolation(schema: LeafSchema, value: string, example?: string): string | undefined {
  if (value.length < (schema.minLength ?? 0)) return 'must not be empty'
  if (value.length > (schema.maxLength ?? Infinity)) return `must not be longer than ${schema.maxLength} characters`
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
    return example === undefined ? `must match ${schema.pattern}` : `must look like ${example}`
  }
  return undefined
}
