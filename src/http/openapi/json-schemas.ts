/** Schemas of ours as plain JSON Schema. */
export interface JsonSchemas {
  /** The schema, or a reference to it where it has a name. */
  readonly of: (schema: unknown) => unknown
  /** Those with a name, written out. */
  readonly shared: Readonly<Record<string, unknown>>
}

/** Leaves out what only our own tools read. @param named schemas that are written out once, in one place */
export function jsonSchemas(named: Readonly<Record<string, unknown>>): JsonSchemas {
  const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))

  const plain = (schema: unknown, self?: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map((item) => plain(item))
    if (typeof schema !== 'object' || schema === null) return schema
    const name = names.get(schema)
    if (name !== undefined && schema !== self) return { $ref: `#/components/schemas/${name}` }
    const kept = Object.entries(schema).filter(([key]) => key !== 'x-filemgr' && !key.startsWith('~'))
    return Object.fromEntries(kept.map(([key, value]) => [key, plain(value)]))
  }

  return {
    of: (schema) => plain(schema),
    shared: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, plain(schema, schema)])),
  }
}
