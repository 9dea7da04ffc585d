/**
 * What the page's build puts in the place of the package typebox (`resolve.alias` in config/vite.config.ts), under which the
 * schemas in src/domain and src/api import it. At run time the page only reads titles, defaults and limits of these schemas,
 * for which plain JSON Schema is enough: the package is 13 kB of checks that only the server makes.
 */
type Schema = Readonly<Record<string, unknown>>

const OPTIONAL = '~optional'

export const Type = {
  Array: (items: Schema, options?: Schema): Schema => ({ type: 'array', items, ...options }),
  Boolean: (options?: Schema): Schema => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: Schema): Schema => ({ enum: [...values], ...options }),
  Integer: (options?: Schema): Schema => ({ type: 'integer', ...options }),
  Literal: (value: unknown, options?: Schema): Schema => ({ type: typeof value, const: value, ...options }),
  Null: (options?: Schema): Schema => ({ type: 'null', ...options }),
  Object: (properties: Record<string, Schema>, options?: Schema): Schema => {
    const required = Object.keys(properties).filter((name) => properties[name]?.[OPTIONAL] !== true)
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional: (schema: Schema): Schema => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  Partial: ({ properties }: Schema, options?: Schema): Schema => {
    const optional = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => {
      return [name, Type.Optional(schema)] as const
    })
    return { type: 'object', properties: Object.fromEntries(optional), ...options }
  },
  Record: ({ pattern = '^.*$' }: Schema, value: Schema, options?: Schema): Schema => {
    return { type: 'object', patternProperties: { [String(pattern)]: value }, ...options }
  },
  String: (options?: Schema): Schema => ({ type: 'string', ...options }),
  Union: (anyOf: readonly Schema[], options?: Schema): Schema => ({ anyOf, ...options }),
  Unknown: (options?: Schema): Schema => ({ ...options }),
  Unsafe: (schema: Schema): Schema => schema,
}
