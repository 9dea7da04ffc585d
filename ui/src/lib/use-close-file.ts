import { useCallback } from 'react'
import { filesHref, parentFolder } from './app-path.ts'
import { useNavigation, useNavigateTo } from './navigation.tsx'

/** Leaves the file at a path: back to where it was opened, else for its folder. */
export function useCloseFile(path: string): () => void {
  const { history } = useNavigation()
  const navigateTo = useNavigateTo()
  return useCallback(() => {
    if (history.canGoBack()) history.back()
    else navigateTo(filesHref(parentFolder(path)), { replace: true })
  }, [history, navigateTo, path])
}
