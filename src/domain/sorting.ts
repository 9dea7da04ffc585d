import { Type, type Static } from 'typebox'

export const SORT_KEYS = ['name', 'size', 'modified'] as const

/** On the wire `name` is inverted: `asc: false` is A to Z. An empty `by` means name. */
export const Sorting = Type.Object(
  {
    by: Type.Enum([...SORT_KEYS, ''], { default: 'name', title: 'Sort by' }),
    asc: Type.Boolean({ default: false, title: 'Ascending' }),
  },
  { title: 'Sorting' },
)
export type Sorting = Static<typeof Sorting>

export const DEFAULT_SORTING: Sorting = { by: 'name', asc: false }
