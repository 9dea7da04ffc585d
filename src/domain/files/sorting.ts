import { Type, type Static } from 'typebox'

export const SORT_KEYS = ['name', 'size', 'modified'] as const

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
 * As it is stored and shown. Old clients keep words of their own in `by`, and read them again: ascending they mean the
 * name, else no order but that of the bytes.
 */
export const KeptSorting = Type.Object(
  { ...Sorting.properties, by: Type.Unsafe<Sorting['by']>(Type.String({ default: 'name', maxLength: 32 })) },
  { title: 'Sorting' },
)

export const DEFAULT_SORTING: Sorting = { by: 'name', asc: false }
