import type { Static, TSchema } from 'typebox'
import { fail } from '../errors.ts'

/** What our schemas say beyond JSON Schema, under the single key `x-filemgr`. */
export interface Annotation {
  readonly group?: string
  readonly widget?: 'bytes' | 'duration' | 'mode' | 'words' | 'lines' | 'rules' | 'secret' | 'color' | 'folder'
  /** Takes effect after a restart only. */
  readonly restart?: boolean
  readonly secret?: boolean
  /** One-letter flag of the command line. */
  readonly short?: string
  /** A value of the right form, shown when another one is refused. */
  readonly example?: string
  /** False: no flag of its own; another command edits it. */
  readonly cli?: boolean
  /** False: never by the web settings. */
  readonly web?: boolean
}

/** The parts of a JSON Schema that a flag, a form field or a line of documentation is made from. */
export interface LeafSchema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: LeafSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly pattern?: string
}

/** One value of a nested schema, such as `branding.name`. */
export interface Leaf {
  readonly path: readonly string[]
  /** The path joined by dots. */
  readonly key: string
  readonly schema: LeafSchema
  /** Its own annotation over the one of the group around it. */
  readonly annotation: Annotation
}

interface ObjectSchema extends LeafSchema {
  readonly properties?: Readonly<Record<string, ObjectSchema>>
  readonly 'x-filemgr'?: Annotation
}

/** All values of a schema in its order, depth first. Lists and maps are values as a whole. */
export function leaves(schema: TSchema): Leaf[] {
  return walk(schema, [], {})
}

function walk(schema: ObjectSchema, path: readonly string[], inherited: Annotation): Leaf[] {
  const annotation = { ...inherited, ...schema['x-filemgr'] }
  if (schema.properties === undefined) return [{ path, key: path.join('.'), schema, annotation }]
  return Object.entries(schema.properties).flatMap(([name, property]) => walk(property, [...path, name], annotation))
}

/** A fresh value made of the defaults of a schema; what has none is left out. */
export function defaultsOf<S extends TSchema>(schema: S): Static<S> {
  return collectDefaults(schema) as Static<S>
}

function collectDefaults(schema: ObjectSchema): unknown {
  if (schema.default !== undefined) return structuredClone(schema.default)
  if (schema.properties === undefined) return undefined
  const entries = Object.entries(schema.properties).map(
    ([name, property]) => [name, collectDefaults(property)] as const,
  )
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/**
 * All that a schema names, with the empty value of its kind (false, 0, "", no items) in place of what is absent or null.
 * What has another type stays as it is.
 */
export function emptyFilled(schema: TSchema, value: unknown): unknown {
  const { properties, type } = schema as ObjectSchema
  if (properties === undefined) return value ?? emptyOf(type)
  const given = value ?? {}
  if (!isRecord(given)) return given
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, emptyFilled(inner as TSchema, given[name])]),
  )
}

function emptyOf(type: string | undefined): unknown {
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return 0
  if (type === 'array') return []
  return type === 'object' ? {} : ''
}

/** The value that a dotted path names in a nested object. */
export function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), object)
}

/** Sets the value that a path names, making the objects on the way. Only for paths of `leaves`: they never hold `__proto__`. */
export function setAt(object: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path
  if (name === undefined) fail('INTERNAL', 'a setting without a name')
  if (rest.length === 0) {
    object[name] = value
    return
  }
  if (!isRecord(object[name])) object[name] = {}
  setAt(object[name] as Record<string, unknown>, rest, value)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The parts of a value that a schema names, at any depth; the rest, which other versions may know, is left out. */
export function knownParts(schema: TSchema, value: unknown): unknown {
  const { properties, items } = schema as { properties?: Readonly<Record<string, TSchema>>; items?: TSchema }
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => knownParts(items, item))
  if (properties === undefined || !isRecord(value)) return value
  const known = Object.entries(properties).filter(([name]) => value[name] !== undefined)
  return Object.fromEntries(known.map(([name, inner]) => [name, knownParts(inner, value[name])]))
}

/** The parts of an object to change, at any depth; lists are replaced as a whole. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T

/** A copy of `base` with the changed parts; undefined changes nothing. The result is not checked. */
export function merged<T>(base: T, change: DeepPartial<T>): T {
  return mergeAny(base, change) as T
}

function mergeAny(base: unknown, change: unknown): unknown {
  if (!isRecord(base) || !isRecord(change)) return structuredClone(change)
  const changed = Object.entries(change).filter(([, value]) => value !== undefined)
  // fromEntries makes plain properties, also of "__proto__", where an assignment would change the prototype.
  return { ...base, ...Object.fromEntries(changed.map(([key, value]) => [key, mergeAny(base[key], value)])) }
}
