import { useEffect, useRef, useState } from 'react'
import { appHref, useLocation, useNavigation, withoutBase } from '../../lib/navigation/navigation.tsx'
import { isWorthAsking, NO_REQUEST, requestOf, type SearchRequest, valuesOf } from './search-request.ts'

export type ChangeRequest = (now: SearchRequest) => SearchRequest

export interface SearchAddress {
  /** `undefined` while nothing is searched. */
  readonly request: SearchRequest | undefined
  /** Adds a history entry: Back closes the search. */
  open(): void
  /** Replaces the history entry. `change` gets the current request, which may be newer than the rendered one. */
  change(change: ChangeRequest): void
  close(): void
}

const SEARCH_VALUES = ['q', 'type', 'in', 'time', 'size']

/** The search in the address, next to the open folder. Its history entries belong to the visit to that folder. */
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

/** Milliseconds without a key press until the search starts. */
const PAUSE = 250

/**
 * The text in the field, and the request that follows it after a pause.
 *
 * @param first typed before the field was there
 */
export function useTypedText(request: SearchRequest, change: (change: ChangeRequest) => void, first: string) {
  const [text, setText] = useState(first)
  const sent = useRef(request.text)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // Changed by Back, Forward or a recent search.
    if (request.text === sent.current) return
    sent.current = request.text
    setText(request.text)
  }, [request.text])
  const send = (value: string) => {
    clearTimeout(timer.current)
    sent.current = value
    change((now) => ({ ...now, text: value }))
  }
  const type = (typed: string): void => {
    setText(typed)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => send(isWorthAsking({ ...request, text: typed }) ? typed : ''), PAUSE)
  }
  useEffect(() => {
    if (first !== sent.current) type(first)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what is typed later is sent then
  }, [])
  return {
    text,
    /** The typed text is not searched for yet. */
    pending: text.trim() !== request.text.trim(),
    type,
    /** Searches now, however short the text is. */
    submit: () => send(text),
  }
}
