import type { TSchema } from 'typebox'
import { fail } from '../../domain/errors.ts'
import { parseJson } from '../../domain/parse-value.ts'
/** What is deeper means nothing to us, and would exhaust the stack of code that walks through it. */
const DEEPEST = 64

const WHITESPACE = /^[\t\n\r ]*/
/** A text may lack its end: looked for again from each quote in it, one of a megabyte would hold the server for minutes. */
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{}]/gs

/**
 * Parses the first JSON value of a body; what follows it is ignored, as clients of the original may rely on. Keys named
 * `__proto__` are refused: copied into another object they would change its prototype. So is what is deeper than 64 levels.
 *
 * @throws INVALID_INPUT
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

/** Where the first object or array ends; a scalar with something behind it is not worth looking for. */
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
      if (depth >= DEEPEST) fail('INVALID_INPUT', `json: the body is deeper than ${DEEPEST} levels`)
      if (Object.hasOwn(next, '__proto__')) fail('INVALID_INPUT', 'json: a key cannot be called __proto__')
      for (const part of Object.values(next) as unknown[]) inner.push(part)
    }
    level = inner
  }
}

interface WithProperties {
  readonly properties?: Readonly<Record<string, TSchema>>
}

/** Renames keys to the spelling of the schema where they differ only in case ("USERNAME"); an exact key always wins. */
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
