import { requestOf, type SearchRequest, type SearchValues, valuesOf } from './search-request.ts'

const MOST = 8

/** What was looked for last, the newest first, kept by this browser for one account. */
export interface RecentQueries {
  all(): readonly SearchRequest[]
  add(request: SearchRequest): void
  clear(): void
}

/** @param owner whose they are: people who share a browser do not see each other's */
export function createRecentQueries(storage: Storage, owner: string): RecentQueries {
  const key = `filemgr:searches:${owner}`
  const all = (): SearchRequest[] => {
    const kept = readList(storage.getItem(key))
    return kept.map(requestOf).filter((request) => request !== undefined)
  }
  return {
    all,
    add(request) {
      const wanted = { ...request, text: request.text.trim() }
      const others = all().filter((other) => !isContinued(other, wanted))
      keep(storage, key, [wanted, ...others].slice(0, MOST).map(valuesOf))
    },
    clear: () => storage.removeItem(key),
  }
}

/** Typing "holiday" is no search for "hol" on the way. */
function isContinued(before: SearchRequest, now: SearchRequest): boolean {
  return now.text.startsWith(before.text) && before.types.join() === now.types.join()
}

function readList(text: string | null): SearchValues[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? (list as SearchValues[]) : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

function keep(storage: Storage, key: string, values: readonly SearchValues[]): void {
  try {
    storage.setItem(key, JSON.stringify(values))
  } catch (error) {
    // A full storage costs the memory, not the search.
    if (!(error instanceof DOMException)) throw error
  }
}
