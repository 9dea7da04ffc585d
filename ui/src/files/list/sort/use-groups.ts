import { useMemo } from 'react'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../../../src/domain/files/sorting.ts'
import { useLocale, useText, useTextPart } from '../../../i18n/use-text.tsx'
import type * as Groups from './groups.ts'
import type { Grouping } from './sort-order.ts'

function createLazyGroups() {
  let loaded: typeof Groups | undefined
  return { get: () => loaded, load: async () => (loaded ??= await import('./groups.ts')) }
}

/** Loaded by the first folder that is grouped, before its entries are drawn. */
export const lazyGroups = createLazyGroups()

/** The entries in their groups, with the titles of these; unchanged without a grouping. */
export function useGroups(entries: readonly Resource[], grouping: Grouping, sorting: Sorting) {
  const t = useText()
  const locale = useLocale()
  useTextPart(...(grouping === 'type' ? (['tools'] as const) : []))
  const code = grouping === 'none' ? undefined : lazyGroups.get()
  const today = new Date().toDateString()
  const { by, asc } = sorting
  const grouped = useMemo(
    () =>
      grouping === 'none' ? undefined : code?.groupEntries(entries, grouping, { by, asc }, new Date(today), locale),
    [entries, grouping, by, asc, today, locale, code],
  )
  if (code === undefined || grouped === undefined) return { entries, groups: undefined, titleOf: undefined }
  return { ...grouped, titleOf: (key: string) => code.groupTitle(t, key, locale) }
}
