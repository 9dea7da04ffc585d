import { changedSpan } from '../../platform/changed-span.ts'
import { isEqual } from './drafts.ts'

/** The fields of a document that are lists of records, and the field that identifies a record in each. */
export type ListKeys = Readonly<Record<string, string>>

export type Fields = Readonly<Record<string, unknown>>

/** A change of one field of a document, as a journal has it. */
export type DocumentChange = ListChange | FieldChange

/** Records that are the same are not named. New ones are at the end of the list, the others where they were. */
interface ListChange {
  readonly field: string
  readonly put: readonly unknown[]
  /** Keys of records. */
  readonly remove: readonly unknown[]
}

interface FieldChange {
  readonly field: string
  /** Absent if the field is. */
  readonly set?: unknown
}

type AreSame = (one: unknown, other: unknown) => boolean

/**
 * What turns one state of a document into another.
 *
 * @param areSame whether two records, or fields, count as unchanged; by default, if they are the same object
 */
export function changesBetween(
  before: Fields,
  now: Fields,
  keys: ListKeys,
  areSame: AreSame = Object.is,
): DocumentChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...fields].flatMap((field): DocumentChange[] => {
    const [was, is] = [before[field], now[field]]
    if (areSame(was, is)) return []
    const key = keys[field]
    const change = key !== undefined && Array.isArray(was) && Array.isArray(is) && listChange(was, is, key, areSame)
    if (change) return [{ field, ...change }]
    return [is === undefined ? { field } : { field, set: is }]
  })
}

/** Undefined if the list has another order, or not one record for each key. */
function listChange(
  was: readonly unknown[],
  is: readonly unknown[],
  key: string,
  areSame: AreSame,
): Pick<ListChange, 'put' | 'remove'> | undefined {
  const { start, end } = changedSpan(was, is, areSame)
  const inPlace = changedInPlace(was, is, start, is.length - end, key, areSame)
  if (inPlace !== undefined) return { put: inPlace, remove: [] }
  const before = was.slice(start, was.length - end)
  const now = is.slice(start, is.length - end)
  const known = new Map(before.map((record) => [keyOf(record, key), record]))
  const nowKeys = new Set(now.map((record) => keyOf(record, key)))
  const put = now.filter((record) => !areSame(known.get(keyOf(record, key)), record))
  const remove = [...known.keys()].filter((id) => !nowKeys.has(id))
  // Records are added at the end of the list, so none may follow.
  const isAdded = now.some((record) => !known.has(keyOf(record, key)))
  if (isAdded && end > 0) return undefined
  if (known.size !== before.length || nowKeys.size !== now.length) return undefined
  changeRecords(known, { put, remove }, key)
  const made = [...known.keys()]
  return made.every((id, at) => id === keyOf(now[at], key)) ? { put, remove } : undefined
}

/** The changed records between two positions; undefined if records were added, removed or moved. */
function changedInPlace(
  was: readonly unknown[],
  is: readonly unknown[],
  start: number,
  end: number,
  key: string,
  areSame: AreSame,
): unknown[] | undefined {
  if (was.length !== is.length) return undefined
  const changed: unknown[] = []
  for (let at = start; at < end; at += 1) {
    if (areSame(was[at], is[at])) continue
    if (keyOf(was[at], key) !== keyOf(is[at], key)) return undefined
    changed.push(is[at])
  }
  return changed
}

/** The document after changes. Records of one list have different keys. */
export function withChanges(document: Fields, changes: readonly DocumentChange[], keys: ListKeys): Fields {
  const made: Record<string, unknown> = { ...document }
  // A journal has thousands of changes, and a list a hundred thousand records: one pass over each is all.
  const lists = new Map<string, Keyed>()
  for (const change of changes) {
    const { field } = change
    if ('put' in change) {
      const key = keys[field] ?? ''
      const records = lists.get(field) ?? byKey(listIn(made, field), key)
      lists.set(field, records)
      changeRecords(records, change, key)
      continue
    }
    lists.delete(field)
    made[field] = change.set
  }
  for (const [field, records] of lists) made[field] = [...records.values()]
  return withoutAbsent(made)
}

/** A map keeps a changed record in its place, and has a new one at its end. */
function changeRecords(records: Keyed, { put, remove }: Pick<ListChange, 'put' | 'remove'>, key: string): void {
  for (const id of remove) records.delete(id)
  for (const record of put) records.set(keyOf(record, key), record)
}

/**
 * The document that somebody has made from `base` by hand, with changes that were made to `base` meanwhile. Where both have
 * changed the same value, the edit wins.
 */
export function withEdit(base: Fields, edit: Fields, changes: readonly DocumentChange[], keys: ListKeys): Fields {
  const now = withChanges(base, changes, keys)
  const made: Record<string, unknown> = { ...edit }
  for (const { field } of changesBetween(base, now, keys, isEqual)) {
    const key = keys[field]
    made[field] =
      key !== undefined && [base, edit, now].every((document) => Array.isArray(document[field]))
        ? mergedList(listIn(base, field), listIn(edit, field), listIn(now, field), key)
        : mergedValue(base[field], edit[field], now[field])
  }
  return withoutAbsent(made)
}

function mergedList(
  base: readonly unknown[],
  edit: readonly unknown[],
  now: readonly unknown[],
  key: string,
): readonly unknown[] {
  const [original, edited, current] = [base, edit, now].map((list) => byKey(list, key)) as [Keyed, Keyed, Keyed]
  const put: unknown[] = []
  for (const [id, record] of current) {
    const [before, byHand] = [original.get(id), edited.get(id)]
    const isRemovedByHand = before !== undefined && byHand === undefined
    if (!isEqual(before, record) && !isRemovedByHand) put.push(mergedValue(before, byHand, record))
  }
  const remove = [...original.keys()].filter((id) => !current.has(id) && isEqual(original.get(id), edited.get(id)))
  changeRecords(edited, { put, remove }, key)
  return [...edited.values()]
}

function mergedValue(base: unknown, edit: unknown, now: unknown): unknown {
  if (isEqual(base, edit)) return now
  if (isEqual(base, now) || !isObject(base) || !isObject(edit) || !isObject(now)) return edit
  const names = new Set([...Object.keys(edit), ...Object.keys(now)])
  return withoutAbsent(
    Object.fromEntries([...names].map((name) => [name, mergedValue(base[name], edit[name], now[name])])),
  )
}

const withoutAbsent = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

type Keyed = Map<unknown, unknown>

const byKey = (list: readonly unknown[], key: string): Keyed =>
  new Map(list.map((record) => [keyOf(record, key), record]))

function listIn(document: Fields, field: string): readonly unknown[] {
  const list = document[field]
  return Array.isArray(list) ? list : []
}

function keyOf(record: unknown, key: string): unknown {
  return isObject(record) ? record[key] : undefined
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
