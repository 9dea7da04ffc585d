import { parseSearchQuery } from '../../../../src/domain/search-query.ts'

export interface NamePart {
  readonly text: string
  /** It is what was looked for. */
  readonly hit: boolean
}

/** Cuts names where the words of a query stand in them. */
export function createHighlight(query: string): (name: string) => readonly NamePart[] {
  const { terms, isCaseSensitive } = parseSearchQuery(query)
  if (terms.length === 0) return (text) => [{ text, hit: false }]
  const longestFirst = terms.toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.map(escapePattern).join('|'), isCaseSensitive ? 'gu' : 'giu')
  return (name) => partsOf(name, pattern)
}

function partsOf(name: string, pattern: RegExp): NamePart[] {
  const parts: NamePart[] = []
  let end = 0
  for (const { 0: text, index } of name.matchAll(pattern)) {
    if (index > end) parts.push({ text: name.slice(end, index), hit: false })
    parts.push({ text, hit: true })
    end = index + text.length
  }
  if (end < name.length) parts.push({ text: name.slice(end), hit: false })
  return parts
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
