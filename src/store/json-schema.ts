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
