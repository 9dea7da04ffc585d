import { Type, type Static } from 'typebox'

export const SORT_KEYS = ['name', 'size', 'modified', 'type'] as const

/** On the wire `name` is inverted: `asc: false` is A to Z. An empty `by` means name. */
export const Sorting = Type.Object(
  {
    by: Type.Enum([...SORT_KEYS, ''], { default: 'name', title: 'Sort by' }),
    asc: Type.Boolean({
      default: false,
      title: 'Reverse the sort order',
      description: 'Names from Z to A, smallest first, oldest first.',
    }),
  },
  { title: 'Sorting' },
)
export type Sorting = Static<typeof Sorting>

/**
 * As stored and sent. Old clients store their own keys in `by` and expect them back; the listing treats unknown keys as the name
 * if ascending, and as byte order otherwise.
 */
export const KeptSorting = Type.Object(
  { ...Sorting.properties, by: Type.Unsafe<Sorting['by']>(Type.String({ default: 'name', maxLength: 32 })) },
  { title: 'Sorting' },
)

export const DEFAULT_SORTING: Sorting = { by: 'name', asc: false }
