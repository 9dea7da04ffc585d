import type { Actor } from '../../domain/accounts/actor.ts'
import { parseSearchQuery, type SearchHit } from '../../domain/files/search-query.ts'
import { parseVirtualPath } from '../../domain/files/virtual-path.ts'
import type { AccessService } from '../access/access.ts'

export interface SearchDeps {
  readonly access: Pick<AccessService, 'for'>
}

/** More hits than a person reads. */
const MOST_HITS = 10_000

/** Whether there were too many hits to return all. */
export type SearchEnd = 'complete' | 'cut'

/** Finding names beneath a folder. */
export function createSearch({ access }: SearchDeps) {
  return {
    /**
     * Hits as they are found, those together that were found together. None where there is no folder, or a hidden one; in a
     * denied one what is allowed again. Whether something else is there is not told.
     */
    async *run(
      actor: Actor,
      text: string,
      { query, details = false }: { readonly query: string; readonly details?: boolean },
      signal?: AbortSignal,
    ): AsyncGenerator<readonly SearchHit[], SearchEnd, void> {
      const path = parseVirtualPath(text)
      await using files = await access.for(actor)
      files.require('search.run')
      if (files.judge.explain(path).hiddenDotfile) return 'complete'
      let left = MOST_HITS
      const view = { ...files.view('/'), query: parseSearchQuery(query), details }
      for await (const hits of files.scope.search(path, view, signal)) {
        if (left > 0) yield hits.slice(0, left)
        left -= hits.length
        if (left < 0) return 'cut'
      }
      return 'complete'
    },
  }
}

export type Search = ReturnType<typeof createSearch>
