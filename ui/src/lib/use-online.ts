import { useEffect, useRef, useSyncExternalStore } from 'react'

/** Whether the browser has a network; `onReturn` is called when it comes back. */
export function useOnline(onReturn?: () => void): boolean {
  const callback = useRef(onReturn)
  useEffect(() => {
    callback.current = onReturn
  })
  useEffect(() => {
    const notify = () => callback.current?.()
    addEventListener('online', notify)
    return () => removeEventListener('online', notify)
  }, [])
  return useSyncExternalStore(subscribe, () => navigator.onLine)
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
