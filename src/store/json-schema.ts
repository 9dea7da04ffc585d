/** The part of JSON Schema that documents are built of. */
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

const mapValues = <A, B>(of: Readonly<Record<string, A>>, map: (value: A) => B) =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, map(value)]))

/**
 * The same schema, refusing fields it does not know: a misspelt field in a hand edit, a flipped bit in a name and a clear
 * password that strayed into a record must all be noticed, not carried along.
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
 * True when `value`, which is of the schema, holds nothing that `refuseUnknownFields` would refuse. False also means "not
 * sure", where a field may be one of several kinds. Far cheaper than the checker of schemas, which makes a
 * regular expression of the names of each object.
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
 * Gives required fields that are absent the default of their schema, at any depth. Optional fields stay absent: that
 * a server option was never saved is a fact of its own.
 */
export function fillDefaults(schema: JsonSchema, value: unknown): unknown {
  if (value === undefined && schema.default !== undefined) return structuredClone(schema.default)
  if (Array.isArray(value)) {
    const { items } = schema
    return items ? value.map((item) => fillDefaults(items, item)) : value
  }
  if (schema.type !== 'object' || !schema.properties) return value
  if (value !== undefined && (typeof value !== 'object' || value === null)) return value
  const filled: Record<string, unknown> = { ...value }
  for (const [key, property] of Object.entries(schema.properties)) {
    if (filled[key] === undefined && !schema.required?.includes(key)) continue
    const field = fillDefaults(property, filled[key])
    if (field !== undefined) filled[key] = field
  }
  return filled
}
