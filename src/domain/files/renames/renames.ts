import { type Static, Type } from 'typebox'
import type { ErrorCode } from '../../errors.ts'
import { Failure } from '../../failure.ts'
import { NAME_PROBLEMS, nameProblem } from '../name-text.ts'

const LETTERS = ['keep', 'lower', 'upper', 'words'] as const
const MAX_TEXT = 255

/**
 * How the new names of several entries are made: text is found and replaced in the old name, the template is filled, then the
 * letters are changed. The extension of a file stays, unless `extension` is set.
 */
export const RenamePattern = Type.Object({
  template: Type.Optional(
    Type.String({
      default: '{name}',
      maxLength: MAX_TEXT,
      title: 'New name',
      description: 'without the extension; {name} is the old name, {n} a counter, {date} the day of the last change',
    }),
  ),
  find: Type.Optional(Type.String({ maxLength: MAX_TEXT, title: 'Text to find', description: 'in the old name' })),
  replace: Type.Optional(
    Type.String({ maxLength: MAX_TEXT, title: 'Text to put in its place', description: 'nothing by default' }),
  ),
  ignoreCase: Type.Optional(Type.Boolean({ default: false, title: 'Find upper and lower case letters alike' })),
  letters: Type.Optional(
    Type.Enum(LETTERS, {
      default: 'keep',
      title: 'Letters of the new name',
      description: 'as they are, lower case, upper case, or with a capital at the start of each word',
    }),
  ),
  extension: Type.Optional(
    Type.Boolean({ default: false, title: 'Find, replace and change letters in extensions too' }),
  ),
  start: Type.Optional(Type.Integer({ default: 1, minimum: 0, maximum: 1e9, title: 'First number of the counter' })),
  step: Type.Optional(Type.Integer({ default: 1, minimum: 1, maximum: 1e6, title: 'From one number to the next' })),
  digits: Type.Optional(
    Type.Integer({ default: 1, minimum: 1, maximum: 10, title: 'Least digits of a number, filled up with zeros' }),
  ),
  date: Type.Optional(
    Type.String({
      default: 'YYYY-MM-DD',
      maxLength: 64,
      title: 'Form of a date',
      description: 'YYYY, MM, DD, hh, mm and ss stand for its parts',
    }),
  ),
  timeZone: Type.Optional(
    Type.String({ maxLength: 64, title: 'Time zone of dates', description: 'such as Europe/Berlin; otherwise UTC' }),
  ),
})
export type RenamePattern = Static<typeof RenamePattern>

/** Entries that one request can rename. */
export const MAX_RENAMES = 5000

/** The old and the new name of an entry of a folder. */
export const Rename = Type.Object({ from: Type.String(), to: Type.String() })
export type Rename = Static<typeof Rename>

const PROBLEMS = [...NAME_PROBLEMS, 'twice', 'taken', 'missing', 'denied'] as const

/** Why an entry cannot be renamed: an invalid name, one for several entries, one that is taken, no such entry, or a rule. */
const RenameProblem = Type.Enum(PROBLEMS)
export type RenameProblem = Static<typeof RenameProblem>

/** New names: by a pattern for all or some entries of a folder, or as a list. */
export const RenameRequest = Type.Object({
  pattern: Type.Optional(RenamePattern),
  names: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MAX_RENAMES,
      description: 'The entries that the pattern is for, in the order of the counter; all in the folder if absent',
    }),
  ),
  renames: Type.Optional(
    Type.Array(Rename, { maxItems: MAX_RENAMES, description: 'Instead of a pattern. Names may be swapped' }),
  ),
})
export type RenameRequest = Static<typeof RenameRequest>

export const RenamePlan = Type.Object({
  renames: Type.Array(Type.Object({ ...Rename.properties, problem: Type.Optional(RenameProblem) })),
})
export type RenamePlan = Static<typeof RenamePlan>
export type PlannedRename = RenamePlan['renames'][number]

/** What was renamed, in a form that can be sent back with old and new names swapped, and what was not. */
export const RenameOutcome = Type.Object({
  renamed: Type.Array(Rename),
  failed: Type.Array(Type.Object({ ...Rename.properties, error: Failure })),
})
export type RenameOutcome = Static<typeof RenameOutcome>

/** The error that refuses a request with such a problem. */
export const PROBLEM_ERRORS: Readonly<Record<RenameProblem, readonly [code: ErrorCode, reason: string]>> = {
  empty: ['INVALID_INPUT', 'nothing would be left of its name'],
  slash: ['INVALID_INPUT', 'a name cannot contain "/"'],
  dots: ['INVALID_INPUT', '"." and ".." are not names'],
  controls: ['INVALID_INPUT', 'a new name must be valid text without control characters'],
  tooLong: ['INVALID_INPUT', 'its new name would be longer than 255 bytes'],
  twice: ['CONFLICT', 'others would get the same name'],
  taken: ['CONFLICT', 'there is something of its new name already'],
  missing: ['NOT_FOUND', 'it is not in this folder'],
  denied: ['FORBIDDEN', 'a rule denies its old or its new name, or the name is reserved'],
}

export function changesName({ from, to }: Rename): boolean {
  return from !== to
}

/** The new names that must not exist yet, because no entry moves away from them. */
export function namesToBeFree(renames: readonly Rename[]): string[] {
  const leaving = new Set(renames.filter(changesName).map(({ from }) => from))
  return renames.filter((rename) => changesName(rename) && !leaving.has(rename.to)).map(({ to }) => to)
}

/** Adds the problem of each rename. @param exists whether the folder has an entry of this name now */
export function planRenames(renames: readonly Rename[], exists: (name: string) => boolean): PlannedRename[] {
  const counts = new Map<string, number>()
  for (const { to } of renames) counts.set(to, (counts.get(to) ?? 0) + 1)
  const free = new Set(namesToBeFree(renames))
  const problemOf = ({ to }: Rename): RenameProblem | undefined =>
    nameProblem(to) ?? ((counts.get(to) ?? 0) > 1 ? 'twice' : free.has(to) && exists(to) ? 'taken' : undefined)
  return renames.map((rename) => {
    const problem = changesName(rename) ? problemOf(rename) : undefined
    return problem === undefined ? rename : { ...rename, problem }
  })
}

/** One step. In a cycle, one entry first moves to a temporary name ("out"), and at the end to its new one ("in"). */
export interface RenameStep {
  readonly rename: Rename
  readonly part: 'all' | 'out' | 'in'
}

/** An order in which each new name is free when its turn comes: "a" to "b" after "b" to "c". Old and new names must be unique. */
export function renameSteps(renames: readonly Rename[]): RenameStep[] {
  const waiting = new Map(renames.filter(changesName).map((rename) => [rename.from, rename]))
  const steps: RenameStep[] = []
  for (const first of waiting.values()) {
    const chain: Rename[] = []
    for (let next: Rename | undefined = first; next !== undefined; next = waiting.get(next.to)) {
      waiting.delete(next.from)
      chain.push(next)
    }
    const isCycle = chain.at(-1)?.to === first.from
    if (isCycle) steps.push({ rename: first, part: 'out' })
    const straight = (isCycle ? chain.slice(1) : chain).reverse()
    steps.push(...straight.map((rename): RenameStep => ({ rename, part: 'all' })))
    if (isCycle) steps.push({ rename: first, part: 'in' })
  }
  return steps
}
