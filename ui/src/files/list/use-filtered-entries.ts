import { useMemo } from 'react'
import type { Resource } from '../../../../src/domain/resource.ts'
import { fold } from './model/type-ahead.ts'

/** The entries whose name holds the text; all of them without one. */
export function useFilteredEntries(entries: readonly Resource[], filter: string | null): readonly Resource[] {
  return useMemo(() => {
    const wanted = fold(filter?.trim() ?? '')
    return wanted === '' ? entries : entries.filter(({ name }) => fold(name).includes(wanted))
  }, [entries, filter])
}
