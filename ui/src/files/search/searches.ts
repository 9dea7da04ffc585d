import { type Client, useClient } from '../../api/client.ts'
import { createStore } from '../../lib/create-store.ts'
import { type SearchRun, type SearchState, createSearchRun } from './search-run.ts'
import { searchLines } from '../../api/search.ts'
import { ApiError } from '../../api/api-error.ts'
import { useConfig } from '../../api/page-config.tsx'
import { useUser } from '../../api/session.ts'
import { keep, readKept } from '../../lib/kept-list.ts'
import { type SearchRequest, type SearchValues, requestOf, valuesOf } from './search-request.ts'

/** Keeps the last search, so that Back from an opened hit restores its results. */
export interface Searches {
  /** Used while there is no query. */
  readonly none: CachedSearch
  /** Returns the cached search if it is the same one, else starts it. */
  run(folder: string, query: string, everywhere: boolean): CachedSearch
  /** Starts the search even if it is cached. */
  again(folder: string, query: string, everywhere: boolean): CachedSearch
}

export interface CachedSearch extends SearchRun {
  readonly key: string
  /** The folder that is searched, with a slash at its end. */
  readonly folder: string
  readonly query: string
  /** The state in which the user left the list of hits. */
  readonly lastView: { active: number; offset: number }
}

function createSearches(client: Client, onError: (error: unknown) => void): Searches {
  let kept: CachedSearch | undefined
  const none: CachedSearch = {
    key: '',
    folder: '/',
    query: '',
    lastView: { active: 0, offset: 0 },
    state: createStore<SearchState>({ status: 'complete', hits: [], cut: false, away: [] }),
    stop: () => undefined,
  }
  const start = (folder: string, query: string): CachedSearch => {
    kept?.stop()
    const lines: Parameters<typeof createSearchRun>[0]['lines'] = (signal, onAway) =>
      searchLines(client, folder, { query, details: 'true' }, signal, onAway)
    kept = {
      ...createSearchRun({ folder, lines, onError }),
      key: `${folder}\n${query}`,
      folder,
      query,
      lastView: { active: 0, offset: 0 },
    }
    return kept
  }
  const folderOf = (folder: string, everywhere: boolean) => (everywhere ? '/' : folder)
  return {
    none,
    run(folder, query, everywhere) {
      const searched = folderOf(folder, everywhere)
      const isKept = kept?.folder === searched && kept.query === query && kept.state.get().status !== 'failed'
      return isKept && kept ? kept : start(searched, query)
    },
    again: (folder, query, everywhere) => start(folderOf(folder, everywhere), query),
  }
}

/** State that outlives the overlay. */
export interface SearchMemory {
  searches?: Searches
}

export function useSearchMemory(memory: SearchMemory): { searches: Searches; recents: RecentQueries } {
  const client = useClient()
  const { BaseURL } = useConfig()
  const owner = useUser()?.id ?? 0
  memory.searches ??= createSearches(client, reportBug)
  return { searches: memory.searches, recents: createRecentQueries(localStorage, `${BaseURL}:${owner}`) }
}

/** The list shows errors of the server; any other error is a bug. */
export function reportBug(error: unknown): void {
  if (!(error instanceof ApiError)) reportError(error)
}

const MAX_RECENT = 8

/** The latest searches, newest first, kept in this browser per account. */
export interface RecentQueries {
  all(): readonly SearchRequest[]
  add(request: SearchRequest): void
  clear(): void
}

/** @param owner the account; users who share a browser do not see each other's searches */
export function createRecentQueries(storage: Storage, owner: string): RecentQueries {
  const key = `filemgr:searches:${owner}`
  const all = (): SearchRequest[] => {
    const kept = readKept(storage, key) as SearchValues[]
    return kept.map(requestOf).filter((request) => request !== undefined)
  }
  return {
    all,
    add(request) {
      const added = { ...request, text: request.text.trim() }
      const others = all().filter((other) => !isContinued(other, added))
      keep(storage, key, [added, ...others].slice(0, MAX_RECENT).map(valuesOf))
    },
    clear: () => storage.removeItem(key),
  }
}

/** Typing "holiday" does not leave "hol" among the recent searches. */
function isContinued(before: SearchRequest, now: SearchRequest): boolean {
  return now.text.startsWith(before.text) && before.types.join() === now.types.join()
}
