import { useCallback, useSyncExternalStore } from 'react'

/** Up to this width actions move to the bottom, dialogs become sheets and the sidebar a drawer. */
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
