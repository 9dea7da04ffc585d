import { isRecord } from '../domain/schema-tools.ts'

/** Completes the nested parts of a patch, such as `perm`, with those in force: services take them as a whole. */
export function completePatch(patch: Readonly<Record<string, unknown>>, base: object): Record<string, unknown> {
  const inForce: Record<string, unknown> = { ...base }
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => {
      const before = inForce[name]
      return [name, isRecord(value) && isRecord(before) ? { ...before, ...completePatch(value, before) } : value]
    }),
  )
}
