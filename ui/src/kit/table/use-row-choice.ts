import { useRef } from 'react'
import type { RowChoice } from './data-table.tsx'
import { chooseRows } from './table-rows.ts'

interface RowChoiceInput<Row> {
  /** In the order in which they are shown. */
  rows: readonly Row[]
  keyOf: (row: Row) => string
  choice: RowChoice<Row> | undefined
}

interface RowChooser {
  chooseRow: (key: string, on: boolean, range: boolean) => void
  chooseAll: (on: boolean) => void
  allChecked: boolean | 'mixed'
}

/** Chooses single rows, runs of rows from the last one on, and all of them. */
export function useRowChoice<Row>({ rows, keyOf, choice }: RowChoiceInput<Row>): RowChooser {
  const last = useRef<string>(undefined)
  const keys = rows.map(keyOf)
  const chosen = choice?.chosen ?? new Set<string>()
  const count = keys.filter((key) => chosen.has(key)).length
  return {
    chooseRow(key, on, range) {
      choice?.onChange(chooseRows(chosen, { keys, key, on, from: range ? last.current : undefined }))
      last.current = key
    },
    chooseAll(on) {
      const all = new Set(keys)
      const others = [...chosen].filter((key) => !all.has(key))
      choice?.onChange(new Set(on ? [...others, ...keys] : others))
    },
    allChecked: count === 0 ? false : count === keys.length || 'mixed',
  }
}
