import type { Static, TSchema } from 'typebox'
import { fail } from '../errors.ts'

/** Annotations of our schemas beyond JSON Schema, under the key `x-filemgr`. */
export interface Annotation {
  readonly group?: string
  readonly widget?:
    'bytes' | 'duration' | 'mode' | 'words' | 'groups' | 'lines' | 'rules' | 'secret' | 'color' | 'folder'
  /** Takes effect only after a restart. */
  readonly restart?: boolean
  readonly secret?: boolean
  /** One-letter command-line flag. */
  readonly short?: string
  /** A valid value, shown in the error for an invalid one. */
  readonly example?: string
  /** False if it has no flag because a separate command edits it. */
  readonly cli?: boolean
  /** True if every command has its flag. */
  readonly global?: boolean
  /** False if the web settings may not change it. */
  readonly web?: boolean
}

/** The parts of a JSON Schema that flags, form fields and documentation are generated from. */
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
  /** Includes the annotations of the enclosing groups. */
  readonly annotation: Annotation
}

interface ObjectSchema extends LeafSchema {
  readonly properties?: Readonly<Record<string, ObjectSchema>>
  readonly 'x-filemgr'?: Annotation
}

/** All values of a schema, depth first in declaration order. Lists and maps count as one value. */
export function leaves(schema: TSchema): Leaf[] {
  return walk(schema, [], {})
}

function walk(schema: ObjectSchema, path: readonly string[], inherited: Annotation): Leaf[] {
  const annotation = { ...inherited, ...schema['x-filemgr'] }
  if (schema.properties === undefined) return [{ path, key: path.join('.'), schema, annotation }]
  return Object.entries(schema.properties).flatMap(([name, property]) => walk(property, [...path, name], annotation))
}

/** A fresh value from the defaults of a schema, without fields that have none. */
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
 * All fields of a schema, with the empty value of the type (false, 0, "", []) for those that are absent or null. Values of a
 * wrong type stay unchanged.
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

export function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), object)
}

/** Creates missing objects along the path. Only for paths from `leaves`, which never contain `__proto__`. */
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

/** Drops fields that are not in the schema, at any depth: other versions may know more fields. */
export function knownParts(schema: TSchema, value: unknown): unknown {
  const { properties, items } = schema as { properties?: Readonly<Record<string, TSchema>>; items?: TSchema }
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => knownParts(items, item))
  if (properties === undefined || !isRecord(value)) return value
  const known = Object.entries(properties).filter(([name]) => value[name] !== undefined)
  return Object.fromEntries(known.map(([name, inner]) => [name, knownParts(inner, value[name])]))
}

/** Changes to an object, at any depth. Lists are replaced as a whole. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T

/** A copy of `base` with the changes; undefined changes nothing. The result is not validated. */
export function merged<T>(base: T, change: DeepPartial<T>): T {
  return mergeAny(base, change) as T
}

function mergeAny(base: unknown, change: unknown): unknown {
  if (!isRecord(base) || !isRecord(change)) return structuredClone(change)
  const changed = Object.entries(change).filter(([, value]) => value !== undefined)
  // fromEntries creates an own property even for "__proto__"; an assignment would change the prototype.
  return { ...base, ...Object.fromEntries(changed.map(([key, value]) => [key, mergeAny(base[key], value)])) }
}
