/** The types that the chips offer, as the query language names them. */
export const SEARCH_TYPES = ['image', 'video', 'audio', 'pdf'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

/** The modification times and sizes that the chips offer. */
export const SEARCH_TIMES = ['day', 'week', 'month', 'year'] as const
export type SearchTime = (typeof SEARCH_TIMES)[number]
export const SEARCH_SIZES = ['small', 'medium', 'large'] as const
export type SearchSize = (typeof SEARCH_SIZES)[number]

/** What to search for, and where. Kept in the address, so that Back restores it. */
export interface SearchRequest {
  readonly text: string
  readonly types: readonly SearchType[]
  /** Searches all files instead of the open folder. */
  readonly everywhere: boolean
  readonly time?: SearchTime | undefined
  readonly size?: SearchSize | undefined
}

export const NO_REQUEST: SearchRequest = { text: '', types: [], everywhere: false }

/** Shorter texts are searched for only on Enter, since nearly every name contains them. */
const MIN_QUERY_LENGTH = 2

/** The parameters of a query string. */
export type SearchValues = Readonly<Record<string, string>>

/** Reads a request from the address; `undefined` without a search. */
export function requestOf({ q, type, in: where, time, size }: SearchValues): SearchRequest | undefined {
  if (q === undefined) return undefined
  const chosen = (type ?? '').split(',')
  return {
    text: q,
    types: SEARCH_TYPES.filter((known) => chosen.includes(known)),
    everywhere: where === 'all',
    time: SEARCH_TIMES.find((known) => known === time),
    size: SEARCH_SIZES.find((known) => known === size),
  }
}

/** Writes a request for the address, without defaults. */
export function valuesOf({ text, types, everywhere, time, size }: SearchRequest): SearchValues {
  return {
    q: text,
    ...(types.length > 0 && { type: types.join(',') }),
    ...(everywhere && { in: 'all' }),
    ...(time && { time }),
    ...(size && { size }),
  }
}

/** The request in the query language of the server; "" for no search. */
export function queryOf({ text, types }: SearchRequest): string {
  return [...types.map((type) => `type:${type}`), text.trim()].filter(Boolean).join(' ')
}

export function isWorthAsking({ text, types }: SearchRequest): boolean {
  return types.length > 0 || text.trim().length >= MIN_QUERY_LENGTH
}
