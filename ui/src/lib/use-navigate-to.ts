import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Goes to a place of the app, such as `filesHref('/a/')`; with `replace` Back skips the present one. */
export function useNavigateTo(): (to: string, options?: { replace?: boolean }) => void {
  const router = useRouter()
  return useCallback(
    (to, { replace = false } = {}) => {
      const href = appHref(router.basepath, to)
      if (replace) router.history.replace(href)
      else router.history.push(href)
    },
    [router],
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
