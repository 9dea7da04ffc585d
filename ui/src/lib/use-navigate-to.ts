import { useCallback } from 'react'
import { usePlace } from './app-place.ts'

/** Goes to a place of the app, such as `filesHref('/a/')`; with `replace` Back skips the present one. */
export function useNavigateTo(): (to: string, options?: { replace?: boolean }) => void {
  const { basepath, history } = usePlace()
  return useCallback(
    (to, { replace = false } = {}) => {
      const href = appHref(basepath, to)
      if (replace) history.replace(href)
      else history.push(href)
    },
    [basepath, history],
  )
}

/** Puts the base URL before a place of the app. */
export function appHref(basepath: string, to: string): string {
  return `${basepath.replace(/\/$/, '')}${to}`
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry to show in the folder that is gone to. */
    reveal?: string
  }
}
