import type { SearchQuery } from '../../../../domain/search-query.ts'
import type { FolderContent } from './folder-content.ts'

// eslint-disable-next-line no-control-regex -- the whole of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/

/**
 * Tells in one look whether a folder may hold a name that fits, and is wrong in one direction only. Terms in capitals are
 * compared in lower case as the names are; of other alphabets that may depend on the letters around ("Σ"), so there every
 * folder may.
 */
export function createMayFit({ isCaseSensitive, terms }: SearchQuery): (content: FolderContent) => boolean {
  const isSure = terms.length > 0 && (!isCaseSensitive || terms.every((term) => ASCII.test(term)))
  if (!isSure) return () => true
  const lower = isCaseSensitive ? terms.map((term) => term.toLowerCase()) : terms
  return (content) => lower.some((term) => content.lower.includes(term))
}
