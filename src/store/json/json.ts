/** The subset of JSON Schema that our documents use. */
interface JsonSchema {
  readonly type?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: unknown
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

const mapValues = <A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

/**
 * The same schema, but refusing unknown fields: a typo in a hand edit, a flipped bit in a name or a clear-text
 * password that strayed into a record must not go unnoticed.
 */
export function refuseUnknownFields(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(schema.properties && { properties: mapValues(schema.properties, refuseUnknownFields) }),
    ...(schema.patternProperties && { patternProperties: mapValues(schema.patternProperties, refuseUnknownFields) }),
    ...(schema.items && { items: refuseUnknownFields(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(refuseUnknownFields) }),
    ...(schema.type === 'object' && { additionalProperties: false }),
  }
}

/**
 * True if `value`, already valid by the schema, has no field that `refuseUnknownFields` would refuse. False may also mean
 * "undecided", for a field with several alternatives. Far cheaper than the schema validator, which compiles a
 * regular expression from the names in each object.
 */
export function knowsAllFields(schema: JsonSchema, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  const { type, properties = {}, patternProperties = {}, items, anyOf } = schema
  if (anyOf !== undefined) return false
  if (Array.isArray(value)) return items === undefined || value.every((item) => knowsAllFields(items, item))
  if (type !== 'object') return true
  const fieldOf = (key: string): JsonSchema | undefined =>
    Object.hasOwn(properties, key)
      ? properties[key]
      : Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, 'u').test(key))?.[1]
  return Object.entries(value).every(([key, field]) => {
    const known = fieldOf(key)
    return known !== undefined && knowsAllFields(known, field)
  })
}

/**
 * Fills in the defaults of missing required fields, at any depth. Optional fields stay absent: whether a server option
 * was ever saved matters. Copies only values that lack something: copying a hundred thousand records takes long.
 */
export function fillDefaults(schema: JsonSchema, value: unknown): unknown {
  if (value === undefined && schema.default !== undefined) return structuredClone(schema.default)
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return value
    const filled = value.map((item) => fillDefaults(items, item))
    return filled.some((item, index) => item !== value[index]) ? filled : value
  }
  if (schema.type !== 'object' || !schema.properties) return value
  if (value !== undefined && (typeof value !== 'object' || value === null)) return value
  const given = (value ?? {}) as Readonly<Record<string, unknown>>
  let filled: Record<string, unknown> | undefined
  for (const key of Object.keys(schema.properties)) {
    const property = schema.properties[key]
    if (property === undefined || (given[key] === undefined && !schema.required?.includes(key))) continue
    const field = fillDefaults(property, given[key])
    if (field !== given[key]) (filled ??= { ...given })[key] = field
  }
  return filled ?? given
}

/**
 * Where a text stops being JSON. The parser's own message often quotes the surrounding text, which may be a key or a
 * password hash and must not reach a log.
 */
export function locateJsonError(text: string): string {
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (isJsonPrefix(text.slice(0, middle))) good = middle
    else bad = middle
  }
  if (good === text.length) return 'ends too early'
  const lines = text.slice(0, good).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}: this is not JSON`
}

/** Whether a text could be the beginning of a JSON document. */
function isJsonPrefix(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as SyntaxError
    const position = /at position (\d+)/.exec(message)?.[1]
    return /end of JSON input|Unterminated/.test(message) || (position !== undefined && Number(position) >= text.length)
  }
}

/** Freezes a tree of plain JSON values, in place. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
  return value
}
