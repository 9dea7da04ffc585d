import {
  createContext,
  type Provider,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'

/** A provider and a hook for its value. The hook throws where the provider is missing. */
export function requiredContext<Value>(name: string): readonly [Provider<Value | undefined>, () => Value] {
  const Context = createContext<Value | undefined>(undefined)
  function useRequired(): Value {
    const value = useContext(Context)
    if (value === undefined) throw new Error(`${name}Provider is missing above this component`)
    return value
  }
  return [Context.Provider, useRequired]
}

/** The value of the last render, for callbacks that outlive it. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}

/** Debounces: the value, once it has not changed for `pause` milliseconds. */
export function useSettled<Value>(value: Value, pause: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value, pause])
  return settled
}

/** Up to this width, actions move to the bottom, dialogs become sheets and the sidebar a drawer. */
export const NARROW = '(max-width: 736px)'

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
