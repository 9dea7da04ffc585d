import { isRecord } from '../domain/schema-tools.ts'

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
