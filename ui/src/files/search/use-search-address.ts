import { appHref, useLocation, useNavigation, withoutBase } from '../../lib/navigation.tsx'
import { NO_REQUEST, requestOf, type SearchRequest, valuesOf } from './search-request.ts'

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

const SEARCH_VALUES = ['q', 'type', 'in', 'time', 'size']

/** The search in the address of the page, beside the folder that is open: its steps belong to the visit of the folder. */
export function useSearchAddress(): SearchAddress {
  const { base, history } = useNavigation()
  const shown = useLocation()
  const requestNow = () => requestIn(history.location.search)
  const hrefWith = (request: SearchRequest | undefined): string => {
    const { pathname, search } = withoutBase(base, history.location)
    const values = new URLSearchParams(search)
    for (const name of SEARCH_VALUES) values.delete(name)
    for (const [name, value] of Object.entries(request ? valuesOf(request) : {})) values.set(name, value)
    return appHref(base, pathname + (values.size === 0 ? '' : `?${values.toString()}`))
  }
  return {
    request: requestIn(shown.search),
    open() {
      const { key } = history.location.state
      if (requestNow() === undefined) history.push(hrefWith(NO_REQUEST), { key, opensSearch: true })
    },
    change: (change) => history.replace(hrefWith(change(requestNow() ?? NO_REQUEST)), history.location.state),
    close() {
      if (history.location.state.opensSearch === true) history.back()
      else history.replace(hrefWith(undefined), history.location.state)
    },
  }
}

function requestIn(search: string): SearchRequest | undefined {
  return requestOf(Object.fromEntries(new URLSearchParams(search)))
}
