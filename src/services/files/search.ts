import type { Actor } from '../../domain/accounts/actor.ts'
import { parseSearchQuery, type SearchHit } from '../../domain/files/search-query.ts'
import { ROOT } from '../../domain/files/virtual-path.ts'
import type { AccessService } from '../access/access.ts'

/** More hits than a person reads. */
const MAX_HITS = 10_000

/** "cut" if there were more hits than returned. */
export type SearchEnd = 'complete' | 'cut'

interface SearchOptions {
  readonly query: string
  readonly details?: boolean
  /** Called before the first hit with the names of places that are left out because they are away. */
  readonly onAway?: (names: readonly string[]) => void
}

/** Searches for names in a folder, at any depth. */
export function createSearch({ access }: { readonly access: AccessService }) {
  return {
    /**
     * Yields batches of hits as they are found. A missing or hidden folder has none, and a denied folder only what another rule
     * allows, so the result does not reveal whether it exists.
     */
    async *run(
      actor: Actor,
      text: string,
      { query, details = false, onAway }: SearchOptions,
      signal?: AbortSignal,
    ): AsyncGenerator<readonly SearchHit[], SearchEnd, void> {
      using files = await access.at(actor, text)
      const { path } = files
      if (files.judge.explain(path).hiddenDotfile) return 'complete'
      if (path === ROOT && files.away !== undefined && files.away.length > 0) onAway?.(files.away)
      let remaining = MAX_HITS
      files.keepRulesOf(path)
      const view = { ...files.view('/'), query: parseSearchQuery(query), details }
      for await (const hits of files.scope.search(path, view, signal)) {
        if (remaining > 0) yield hits.slice(0, remaining)
        remaining -= hits.length
        if (remaining < 0) return 'cut'
      }
      return 'complete'
    },
  }
}
