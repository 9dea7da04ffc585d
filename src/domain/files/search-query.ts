import { composed, foldForSearch } from '../text/fold.ts'
import { extensionOf, mediaTypeOf } from './media/media-type.ts'
import type { ResourceType } from './resource-type.ts'

/** Header of the reply: the names of places that are away and left out, each percent-encoded, with commas in between. */
export const PLACES_AWAY = 'X-Places-Away'

/** A parsed search text. Plain data, so that it can be sent to a worker. */
export interface SearchQuery {
  readonly isCaseSensitive: boolean
  /** Kinds of media, or extensions without the dot; one must match. Empty: all match. */
  readonly types: readonly string[]
  /** One must be part of the name, as typed. Empty: all names match. */
  readonly terms: readonly string[]
}

/** `path` is relative to the searched folder. */
export interface SearchHit {
  readonly dir: boolean
  readonly path: string
  /** Only if requested. */
  readonly details?: HitDetails
}

/** The same values as in a listing. */
export interface HitDetails {
  readonly size: number
  readonly modified: string
  readonly type: ResourceType
}

/** Values of `type:` that mean a kind of media, with the start of its media types. */
const MEDIA: ReadonlyMap<string, string> = new Map([
  ['image', 'image'],
  ['audio', 'audio'],
  ['music', 'audio'],
  ['video', 'video'],
])

const TYPE = /type:(\w+)/g
const CASE = /case:(?:in)?sensitive/g

/** Parses a text such as `case:sensitive type:image holiday`. Every text is valid. */
export function parseSearchQuery(text: string): SearchQuery {
  const isCaseSensitive = text.includes('case:sensitive')
  const rest = text.replace(CASE, '')
  const types = Array.from(rest.matchAll(TYPE), ([, word = '']) => word)
  const words = rest.replace(TYPE, '').trim()
  return { isCaseSensitive, types, terms: termsOf(words) }
}

/**
 * How a term is compared with names: without case and accents, or just in any Unicode form, if the query says so, or if nothing
 * else is left of the term, such as of "´".
 */
export function foldOfTerm(term: string, { isCaseSensitive }: SearchQuery) {
  return isCaseSensitive || foldForSearch(term).trim() === '' ? composed : foldForSearch
}

/** Compiles a query to a predicate over names of files and folders. */
export function compileSearchQuery(query: SearchQuery): (name: string) => boolean {
  const { types, terms } = query
  const ofFold = Map.groupBy(terms, (term) => foldOfTerm(term, query))
  const groups = Array.from(ofFold, ([fold, some]) => ({ fold, parts: some.map(fold) }))
  return (name) => {
    if (types.length > 0 && !types.some((type) => isOfType(name, type))) return false
    return groups.length === 0 || groups.some(({ fold, parts }) => includesAny(fold(name), parts))
  }
}

function includesAny(text: string, parts: readonly string[]): boolean {
  return parts.some((part) => text.includes(part))
}

/** Drops empty terms, which double spaces produce and which would match every name. */
function termsOf(words: string): string[] {
  const quoted = words === '"' ? '' : /^"(.*)"$/s.exec(words)?.[1]
  const terms = quoted === undefined ? words.split(' ') : [quoted]
  return terms.filter((term) => term !== '')
}

function isOfType(name: string, type: string): boolean {
  const media = MEDIA.get(type)
  return media === undefined ? extensionOf(name) === `.${type}` : (mediaTypeOf(name)?.startsWith(media) ?? false)
}
