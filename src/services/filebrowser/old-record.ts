import { fail } from '../../domain/errors.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'

/** A record of File Browser with its names in small letters, as they differ between its database and its exports. */
export type OldRecord = Readonly<Record<string, unknown>>

/** Everything that the given files of an old installation say. */
export interface OldInstallation {
  readonly settings?: OldRecord | undefined
  readonly server?: OldRecord | undefined
  /** What the sign-in method needs. */
  readonly auther?: OldRecord | undefined
  readonly users: readonly OldRecord[]
  readonly links: readonly OldRecord[]
}

const DEEPEST = 16

/** A record as it was read, with names in small letters at every depth. @throws INVALID_INPUT unless it is one */
export function oldRecord(value: unknown, what: string): OldRecord {
  if (!isRecord(value)) fail('INVALID_INPUT', `${what} is not a record`)
  return inSmallLetters(value, DEEPEST, what) as OldRecord
}

function inSmallLetters(value: unknown, depth: number, what: string): unknown {
  if (depth === 0) fail('INVALID_INPUT', `${what} is nested too deeply`)
  if (Array.isArray(value)) return value.map((item) => inSmallLetters(item, depth - 1, what))
  if (!isRecord(value)) return value
  // fromEntries makes plain properties, also of "__proto__".
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.toLowerCase(), inSmallLetters(inner, depth - 1, what)]),
  )
}

/** Text; empty when there is none. @throws INVALID_INPUT for anything else */
export function textOf(record: OldRecord, name: string): string {
  const value = record[name] ?? ''
  return typeof value === 'string' ? value : wrong(name, 'a text')
}

/** @throws INVALID_INPUT */
export function booleanOf(record: OldRecord, name: string): boolean {
  const value = record[name] ?? false
  return typeof value === 'boolean' ? value : wrong(name, 'true or false')
}

/** A whole number; 0 when there is none. @throws INVALID_INPUT */
export function integerOf(record: OldRecord, name: string): number {
  const value = record[name] ?? 0
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : wrong(name, 'a whole number')
}

/** @throws INVALID_INPUT */
export function recordOf(record: OldRecord, name: string): OldRecord {
  const value = record[name] ?? {}
  return isRecord(value) ? value : wrong(name, 'a record')
}

/** @throws INVALID_INPUT */
export function listOf(record: OldRecord, name: string): readonly unknown[] {
  const value = record[name] ?? []
  return Array.isArray(value) ? (value as unknown[]) : wrong(name, 'a list')
}

/** @throws INVALID_INPUT */
export function textsOf(record: OldRecord, name: string): string[] {
  return listOf(record, name).map((item) => (typeof item === 'string' ? item : wrong(name, 'a list of texts')))
}

function wrong(name: string, expected: string): never {
  return fail('INVALID_INPUT', `${name} must be ${expected}`, { field: name })
}
