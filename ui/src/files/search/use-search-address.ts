import { type AnyRouter, useRouter, useRouterState } from '@tanstack/react-router'
import { NO_REQUEST, requestOf, type SearchRequest, type SearchValues, valuesOf } from './search-request.ts'

export type ChangeRequest = (now: SearchRequest) => SearchRequest

export interface SearchAddress {
  /** `undefined` while nothing is searched. */
  readonly request: SearchRequest | undefined
  /** A new step of the history: Back closes the search. */
  open(): void
  /** The same step. What is changed is the request of this moment, which may be newer than the one that is shown. */
  change(change: ChangeRequest): void
  close(): void
}

/** Marks the steps of the history that `open` made, which closing goes back from. */
const OPENED = 'filemgrSearch'

/** The search in the address of the page, beside the folder that is open. */
export function useSearchAddress(): SearchAddress {
  const router = useRouter()
  const values: SearchValues = useRouterState({ select: ({ location }) => location.search })
  return {
    request: requestOf(values),
    open() {
      if (requestOf(router.state.location.search) !== undefined) return
      const state = stateOf(history)
      const index = Number(state['__TSR_index'] ?? 0) + 1
      history.pushState({ ...state, __TSR_index: index, [OPENED]: true }, '', hrefWith(router, valuesOf(NO_REQUEST)))
    },
    change(change) {
      const now = requestOf(router.options.parseSearch(location.search)) ?? NO_REQUEST
      history.replaceState(stateOf(history), '', hrefWith(router, valuesOf(change(now))))
    },
    close() {
      if (stateOf(history)[OPENED] === true) history.back()
      else history.replaceState(stateOf(history), '', hrefWith(router, {}))
    },
  }
}

/**
 * The history is changed directly, with the state that it has: the router would give the step a name of its own, and the
 * folder beneath would take that for another visit and begin anew. The router hears of it all the same.
 */
function hrefWith(router: AnyRouter, values: SearchValues): string {
  const {
    q: _text,
    type: _types,
    in: _where,
    time: _time,
    size: _size,
    ...others
  } = router.state.location.search as SearchValues
  return location.pathname + router.options.stringifySearch({ ...others, ...values })
}

function stateOf({ state }: History): Record<string, unknown> {
  return (state ?? {}) as Record<string, unknown>
}
