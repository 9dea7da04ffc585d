import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Value } from 'typebox/value'
import { fail, FilemgrError } from '../../domain/errors.ts'
import { parseJson } from '../../domain/schema/parse-value.ts'
import { problemOf } from '../../platform/validation/schema-check.ts'

/**
 * Validates the parts of a request. Query values are strings and are converted; a body is not ("yes" is not a boolean).
 * Compiles on first use, which makes the start faster.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  let validator: Validator | undefined
  const prepare = preparation(schema, httpPart)
  return (value: unknown) => {
    validator ??= Compile(schema)
    const candidate = prepare(value)
    return validator.Check(candidate) ? { value: candidate } : { error: refusal(validator, candidate, httpPart) }
  }
}

function preparation(schema: TSchema, httpPart: string | undefined): (value: unknown) => unknown {
  if (httpPart === 'body') return (value) => matchKeys(value, schema)
  // Most queries have only string fields.
  if (httpPart !== 'querystring' || hasOnlyStrings(schema)) return (value) => value
  return (value) => convertQuery(value as Query, schema)
}

type Query = Record<string, unknown>

/** Converts only exact numbers: the library would convert "true" to 1, and "1.5" to the integer 1. */
function convertQuery(query: Query, schema: TSchema): unknown {
  const texts = { ...query }
  const converted = Value.Convert(schema, query) as Query
  for (const [name, value] of Object.entries(converted))
    if (typeof value === 'number' && String(value) !== texts[name]) converted[name] = texts[name]
  return converted
}

function hasOnlyStrings({ properties = {} }: WithProperties): boolean {
  return Object.values(properties).every((property) => 'type' in property && property.type === 'string')
}

function refusal(validator: Validator, value: unknown, httpPart: string | undefined): FilemgrError {
  // An id of the wrong form does not exist.
  if (httpPart === 'params') return new FilemgrError('NOT_FOUND', 'there is nothing at this address')
  const first = validator.Errors(value)[0]
  const field = first?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  const message = problemOf(first)
  if (httpPart === 'body')
    return new FilemgrError('INVALID_INPUT', `json: ${field || 'the body'} ${message}`, { field })
  return field === ''
    ? new FilemgrError('INVALID_INPUT', `the query ${message}`)
    : new FilemgrError('INVALID_INPUT', `${field}: ${message}`, { field })
}

/** No valid body is deeper, and recursive code would exhaust the stack. */
const MAX_DEPTH = 64

const WHITESPACE = /^[\t\n\r ]*/
/** Also matches an unterminated string: otherwise each quote in it would start a new scan to the end, in quadratic time. */
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{}]/gs

/**
 * Parses the first JSON value of a body and ignores what follows it, like the original.
 *
 * @throws INVALID_INPUT also for nesting deeper than 64 levels, and for keys named `__proto__` (prototype pollution)
 */
export function parseBody(text: string): unknown {
  if (WHITESPACE.exec(text)?.[0].length === text.length) fail('INVALID_INPUT', 'json: the body is empty')
  const value = parseFirst(text)
  requireHarmless(value)
  return value
}

function parseFirst(text: string): unknown {
  const whole = parseJson(text)
  if (whole !== undefined) return whole
  const end = endOfValue(text)
  const first = end === undefined ? undefined : parseJson(text.slice(0, end))
  if (first === undefined) fail('INVALID_INPUT', 'json: the body is not valid')
  return first
}

/** The end of the first object or array. A scalar followed by other text is not supported. */
function endOfValue(text: string): number | undefined {
  let depth = 0
  for (const token of text.matchAll(TOKEN)) {
    if ('{['.includes(token[0])) depth += 1
    else if ('}]'.includes(token[0])) depth -= 1
    else if (depth > 0) continue
    if (depth <= 0) return token.index + token[0].length
  }
  return undefined
}

function requireHarmless(value: unknown): void {
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    const inner: unknown[] = []
    for (const next of level) {
      if (typeof next !== 'object' || next === null) continue
      if (depth >= MAX_DEPTH) fail('INVALID_INPUT', `json: the body is deeper than ${MAX_DEPTH} levels`)
      if (Object.hasOwn(next, '__proto__')) fail('INVALID_INPUT', 'json: a key cannot be called __proto__')
      for (const part of Object.values(next) as unknown[]) inner.push(part)
    }
    level = inner
  }
}

interface WithProperties {
  readonly properties?: Readonly<Record<string, TSchema>>
}

/** Renames keys that differ from the schema only in case ("USERNAME"); an exact key takes precedence. */
export function matchKeys(value: unknown, schema: TSchema): unknown {
  const { properties } = schema as WithProperties
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const spelled = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]))
  const renamed = Object.entries(value as Record<string, unknown>).map(([key, inner]) => {
    const name = Object.hasOwn(properties, key) ? key : (spelled.get(key.toLowerCase()) ?? key)
    return { name, isExact: name === key, inner: properties[name] ? matchKeys(inner, properties[name]) : inner }
  })
  const exactLast = renamed.toSorted((a, b) => Number(a.isExact) - Number(b.isExact))
  return Object.fromEntries(exactLast.map(({ name, inner }) => [name, inner]))
}
