import type { TSchema } from 'typebox'
import { fail } from '../errors.ts'
import { isRecord } from './schema-tools.ts'

interface NullableSchema {
  readonly type?: string
  readonly anyOf?: readonly NullableSchema[]
  readonly items?: NullableSchema
  readonly properties?: Readonly<Record<string, NullableSchema>>
  readonly patternProperties?: Readonly<Record<string, NullableSchema>>
}

/**
 * Refuses a null that would empty something: a client that lost a value must not reset rules or permissions. Programs in Go
 * write an empty list as null, which is taken where the present list is empty too, or where there is none.
 *
 * @param present the value that would be replaced
 * @throws INVALID_INPUT naming the field
 */
export function refuseResettingNull(schema: TSchema, value: unknown, present?: unknown): void {
  const field = findNull(schema, value, present, [])?.join('.')
  if (field === undefined) return
  fail('INVALID_INPUT', `json: ${field} must not be null; leave it out to keep it, or send what it should be`, {
    field,
  })
}

function findNull(
  schema: NullableSchema,
  value: unknown,
  present: unknown,
  path: readonly string[],
): readonly string[] | undefined {
  if (value === null) return mayBeNull(schema, present) ? undefined : path
  if (Array.isArray(value)) return findFirst(value.entries(), () => [schema.items, undefined] as const, path)
  if (!isRecord(value)) return undefined
  const now = isRecord(present) ? present : {}
  const [others] = Object.values(schema.patternProperties ?? {})
  return findFirst(Object.entries(value), (name) => [schema.properties?.[name] ?? others, now[name]] as const, path)
}

function findFirst<Key extends string | number>(
  entries: Iterable<readonly [Key, unknown]>,
  within: (key: Key) => readonly [schema: NullableSchema | undefined, present: unknown],
  path: readonly string[],
): readonly string[] | undefined {
  for (const [key, value] of entries) {
    const [schema, present] = within(key)
    const found = schema && findNull(schema, value, present, [...path, `${key}`])
    if (found !== undefined) return found
  }
  return undefined
}

function mayBeNull({ type, anyOf = [] }: NullableSchema, present: unknown): boolean {
  if (type === 'null' || anyOf.some((each) => each.type === 'null')) return true
  return type === 'array' && (!Array.isArray(present) || present.length === 0)
}
