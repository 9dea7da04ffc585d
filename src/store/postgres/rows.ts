import type { TSchema } from 'typebox'
import type { StoreDocument } from '../document.ts'
import { fillDefaults } from '../json/json.ts'
import type { FinishedDraft } from '../json/drafts.ts'
import type { Row } from './tables.ts'

type Fields = Record<string, unknown>

/** The fields of the document that are lists with a table of their own, and the ids of their records. */
const LISTS = {
  users: ({ id }: StoreDocument['users'][number]) => String(id),
  shares: ({ hash }: StoreDocument['shares'][number]) => hash,
  tokens: ({ id }: StoreDocument['tokens'][number]) => id,
} as const
type List = keyof typeof LISTS

/** Characters of a row, roughly. */
export const ROW_SIZE = 256

const idIn = (list: List, record: unknown): string => LISTS[list](record as never)

const isList = (key: string): key is List => Object.hasOwn(LISTS, key)

const emptyLists = (): Fields => Object.fromEntries(Object.keys(LISTS).map((list) => [list, []]))

/** The rows to write so that the tables contain `now`. Records that are the same object count as unchanged. */
export function rowsBetween(before: Readonly<Partial<StoreDocument>>, now: Readonly<StoreDocument>): Row[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(now)])
  // The version has a column of its own.
  keys.delete('version')
  return [...keys].flatMap((key): Row[] => {
    const [was, is] = [(before as Fields)[key], (now as Fields)[key]]
    if (was === is) return []
    if (isList(key)) return rowsOfList(key, (was ?? []) as readonly unknown[], is as readonly unknown[])
    return [{ kind: 'fields', id: key, data: is ?? null }]
  })
}

function rowsOfList(list: List, before: readonly unknown[], now: readonly unknown[]): Row[] {
  const known = new Map(before.map((record) => [idIn(list, record), record]))
  const rows: Row[] = []
  for (const record of now) {
    const id = idIn(list, record)
    if (known.get(id) !== record) rows.push({ kind: list, id, data: record })
    known.delete(id)
  }
  return [...rows, ...[...known.keys()].map((id) => ({ kind: list, id, data: null }))]
}

/** The document that all rows make, unchecked. */
export function documentOf(rows: readonly Row[], version: number): Fields {
  const document: Fields = { version, ...emptyLists() }
  for (const { kind, id, data } of rows) {
    if (kind === 'fields') document[id] = data
    else if (isList(kind)) (document[kind] as unknown[]).push(data)
  }
  return document
}

/** The document after rows have changed. Records without a changed row stay the same objects. */
export function withRows(
  before: Readonly<StoreDocument>,
  changedRows: readonly Row[],
  schema: typeof StoreDocument,
): FinishedDraft<StoreDocument> {
  const rows = changedRows.map((row) => ({ ...row, data: completed(row, schema) }))
  const changed = rows.filter(({ kind }) => kind === 'fields').map(({ id, data }) => [id, data] as const)
  const fields = Object.entries<unknown>({ ...before, ...Object.fromEntries(changed) })
  const document: Fields = Object.fromEntries(fields.filter(([, value]) => value !== null))
  const unchecked: Fields = { ...document, ...emptyLists() }
  for (const list of Object.keys(LISTS).filter(isList)) {
    const records = new Map(rows.filter(({ kind }) => kind === list).map(({ id, data }) => [id, data]))
    if (records.size === 0) continue
    unchecked[list] = [...records.values()].filter((data) => data !== null)
    document[list] = changedList(list, before[list], records)
  }
  return { document: document as StoreDocument, unchecked, size: rows.length * ROW_SIZE }
}

/** Fills in defaults: a machine with an older filemgr does not write fields that a later version has added. */
function completed({ kind, id, data }: Row, { properties }: typeof StoreDocument): unknown {
  if (data === null) return null
  const schema = isList(kind) ? properties[kind].items : (properties as Readonly<Record<string, TSchema>>)[id]
  return schema === undefined ? data : fillDefaults(schema, data)
}

function changedList(list: List, before: readonly unknown[], changed: ReadonlyMap<string, unknown>): unknown[] {
  const added = new Map(changed)
  const kept = before.flatMap((record) => {
    const id = idIn(list, record)
    if (!added.delete(id)) return [record]
    const data = changed.get(id)
    return data === null ? [] : [data]
  })
  return [...kept, ...[...added.values()].filter((data) => data !== null)]
}
