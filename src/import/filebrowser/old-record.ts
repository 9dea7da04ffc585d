import { fail } from '../../domain/errors.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'
import type { ImportReport } from './import-report.ts'
import type { ShareTerms } from '../../domain/shares/share-terms.ts'

/** A record of File Browser with lower-case names: case differs between its database and its exports. */
export type OldRecord = Readonly<Record<string, unknown>>

/** What a link gives its visitors, and how often they have downloaded. */
export interface LinkTerms {
  readonly terms: ShareTerms
  readonly downloads: number
}

/** A folder that an installation serves beside others. */
export interface OldRoot {
  /** On the disk: what its users and links name it by. */
  readonly location: string
  readonly name: string
  readonly readOnly: boolean
}

/** The content of the files of an old installation. JSON can hold it. */
export interface OldInstallation {
  readonly settings?: OldRecord | undefined
  readonly server?: OldRecord | undefined
  /** Settings of the sign-in method. */
  readonly auther?: OldRecord | undefined
  readonly users: readonly OldRecord[]
  /** Members by user name, for installations of another program: File Browser has no groups. */
  readonly groups?: readonly { readonly name: string; readonly members: readonly string[] }[]
  /** For installations of another program: File Browser serves one folder. The first one is the root of `server`. */
  readonly roots?: readonly OldRoot[]
  readonly links: readonly OldRecord[]
  /** Terms of links by their hash, for installations of another program: File Browser's links have none. */
  readonly linkTerms?: readonly (readonly [hash: string, terms: LinkTerms])[]
  /** The report on the conversion to this form, for installations of another program. */
  readonly notes?: { readonly settings: ImportReport; readonly content: ImportReport }
}

const MAX_DEPTH = 16

/** Converts names to lower case at every depth. @throws INVALID_INPUT if `value` is not a record */
export function oldRecord(value: unknown, label: string): OldRecord {
  if (!isRecord(value)) fail('INVALID_INPUT', `${label} is not a record`)
  return withLowerCaseNames(value, MAX_DEPTH, label) as OldRecord
}

function withLowerCaseNames(value: unknown, depth: number, label: string): unknown {
  if (depth === 0) fail('INVALID_INPUT', `${label} is nested too deeply`)
  if (Array.isArray(value)) return value.map((item) => withLowerCaseNames(item, depth - 1, label))
  if (!isRecord(value)) return value
  // fromEntries makes even "__proto__" a plain property, so a record cannot change its prototype.
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name.toLowerCase(), withLowerCaseNames(field, depth - 1, label)]),
  )
}

/** A text; empty if absent. @throws INVALID_INPUT for another type */
export function textOf(record: OldRecord, name: string): string {
  const value = record[name] ?? ''
  return typeof value === 'string' ? value : wrong(name, 'a text')
}

/** False if absent. @throws INVALID_INPUT for another type */
export function booleanOf(record: OldRecord, name: string): boolean {
  const value = record[name] ?? false
  return typeof value === 'boolean' ? value : wrong(name, 'true or false')
}

/** A whole number; 0 if absent. @throws INVALID_INPUT for another type */
export function integerOf(record: OldRecord, name: string): number {
  const value = record[name] ?? 0
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : wrong(name, 'a whole number')
}

/** An empty record if absent. @throws INVALID_INPUT for another type */
export function recordOf(record: OldRecord, name: string): OldRecord {
  const value = record[name] ?? {}
  return isRecord(value) ? value : wrong(name, 'a record')
}

/** An empty list if absent. @throws INVALID_INPUT for another type */
export function listOf(record: OldRecord, name: string): readonly unknown[] {
  const value = record[name] ?? []
  return Array.isArray(value) ? (value as unknown[]) : wrong(name, 'a list')
}

/** A list of texts; empty if absent. @throws INVALID_INPUT for another type */
export function textsOf(record: OldRecord, name: string): string[] {
  return listOf(record, name).map((item) => (typeof item === 'string' ? item : wrong(name, 'a list of texts')))
}

function wrong(name: string, expected: string): never {
  return fail('INVALID_INPUT', `${name} must be ${expected}`, { field: name })
}
