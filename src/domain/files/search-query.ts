import { extensionOf, mediaTypeOf } from './media/media-type.ts'
import type { ResourceType } from './resource-type.ts'
/** A parsed search text. Plain data, so that it can be sent to a worker. */
export interface SearchQuery {
  readonly isCaseSensitive: boolean
  /** Kinds of media, or extensions without the dot; one must fit. Empty: all do. */
  readonly types: readonly string[]
  /** One must be part of the name. Empty: all names fit. */
  readonly terms: readonly string[]
}

/** `path` is relative to the searched folder. */
export interface SearchHit {
  readonly dir: boolean
  readonly path: string
  /** Only where it was asked for. */
  readonly details?: HitDetails
}

/** What a listing would say of a hit. */
export interface HitDetails {
  readonly size: number
  readonly modified: string
  readonly type: ResourceType
}

/** Words of `type:` that stand for many extensions, and how the media type of these begins. */
const MEDIA: ReadonlyMap<string, string> = new Map([
  ['image', 'image'],
  ['audio', 'audio'],
  ['music', 'audio'],
  ['video', 'video'],
])

const TYPE = /type:(\w+)/g
const CASE = /case:(?:in)?sensitive/g

/** Reads a text like `case:sensitive type:image holiday`. Every text means something. */
export function parseSearchQuery(text: string): SearchQuery {
  const isCaseSensitive = text.includes('case:sensitive')
  const rest = text.replace(CASE, '')
  const types = Array.from(rest.matchAll(TYPE), ([, word = '']) => word)
  const words = rest.replace(TYPE, '').trim()
  return { isCaseSensitive, types, terms: termsOf(isCaseSensitive ? words : words.toLowerCase()) }
}

/** Tells whether a name fits. Folders are asked for by their names too. */
export function compileSearchQuery({ isCaseSensitive, types, terms }: SearchQuery): (name: string) => boolean {
  return (name) => {
    if (types.length > 0 && !types.some((type) => isOfType(name, type))) return false
    if (terms.length === 0) return true
    const text = isCaseSensitive ? name : name.toLowerCase()
    return terms.some((term) => text.includes(term))
  }
}

/** An empty term would fit every name: two spaces are no wish for that. */
function termsOf(words: string): string[] {
  const quoted = words === '"' ? '' : /^"(.*)"$/s.exec(words)?.[1]
  const terms = quoted === undefined ? words.split(' ') : [quoted]
  return terms.filter((term) => term !== '')
}

function isOfType(name: string, type: string): boolean {
  const media = MEDIA.get(type)
  return media === undefined ? extensionOf(name) === `.${type}` : (mediaTypeOf(name)?.startsWith(media) ?? false)
}
