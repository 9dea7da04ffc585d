import { useEffect } from 'react'
import type { Uploads } from './uploads.ts'

/** Lets the browser ask before the page goes away while something is sent; not when the session has taken it already. */
export function useLeaveWarning({ state }: Uploads): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      const { totals, hold } = state.get()
      if (totals.active + totals.waiting > 0 && hold !== 'session') event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [state])
}
