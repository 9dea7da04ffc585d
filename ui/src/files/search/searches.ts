import type { Client } from '../../api/client.ts'
import { createStore } from '../../lib/create-store.ts'
import { createSearchRun, type SearchRun, type SearchState } from './search-run.ts'
import { searchLines } from '../../api/search-lines.ts'

/** Keeps the last search, so that Back from what was opened finds its results as they were left. */
export interface Searches {
  /** Stands for a search while nothing is searched. */
  readonly none: KeptSearch
  /** Starts the search, unless it is the one that is kept. */
  run(folder: string, query: string, everywhere: boolean): KeptSearch
  /** Starts the search, whatever is kept. */
  again(folder: string, query: string, everywhere: boolean): KeptSearch
}

export interface KeptSearch extends SearchRun {
  readonly key: string
  /** The folder that is searched, with a slash at its end. */
  readonly folder: string
  readonly query: string
  /** How its list was left. */
  readonly left: { active: number; offset: number }
}

export function createSearches(client: Client, onError: (error: unknown) => void): Searches {
  let kept: KeptSearch | undefined
  const none: KeptSearch = {
    ...{ key: '', folder: '/', query: '', left: { active: 0, offset: 0 } },
    state: createStore<SearchState>({ status: 'complete', hits: [], cut: false }),
    stop: () => undefined,
  }
  const start = (folder: string, query: string): KeptSearch => {
    kept?.stop()
    const lines = (signal: AbortSignal) => searchLines(client, folder, { query, details: 'true' }, signal)
    kept = {
      ...createSearchRun({ folder, lines, onError }),
      ...{ key: `${folder}\n${query}`, folder, query, left: { active: 0, offset: 0 } },
    }
    return kept
  }
  const placeOf = (folder: string, everywhere: boolean) => (everywhere ? '/' : folder)
  return {
    none,
    run(folder, query, everywhere) {
      const place = placeOf(folder, everywhere)
      const isKept = kept?.folder === place && kept.query === query && kept.state.get().status !== 'failed'
      return isKept && kept ? kept : start(place, query)
    },
    again: (folder, query, everywhere) => start(placeOf(folder, everywhere), query),
  }
}
