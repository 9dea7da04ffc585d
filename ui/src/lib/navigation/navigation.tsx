import { type ReactNode, startTransition, useCallback, useEffect, useState } from 'react'
import { filesPathOf, filesHref, parentFolder } from './app-path.ts'
import type { AppHistory, Entry } from './history.ts'
import { requiredContext } from '../hooks.ts'

interface Navigation {
  /** Base URL of the app; empty at the root. */
  readonly base: string
  readonly history: AppHistory
}

/** The current history entry, without the base URL. */
export type AppLocation = Entry

const [NavigationContext, useNavigation] = requiredContext<Navigation>('Navigation')
const [LocationContext, useLocation] = requiredContext<AppLocation>('Navigation')
export { LocationContext as LocationProvider, useLocation, useNavigation }

interface NavigationProviderProps extends Navigation {
  readonly children: ReactNode
}

export function NavigationProvider({ base, history, children }: NavigationProviderProps) {
  const [navigation] = useState({ base, history })
  const [shown, setShown] = useState(history.location)
  useEffect(() => {
    const follow = (): void => {
      const { location } = history
      const before = drawn
      drawn = location
      // The current screen stays until the code of the next one has loaded. Changes of the query and of panes apply at once:
      // keys that follow a click must be for the pane that was clicked.
      const isPane = history.beside !== undefined && location.pathname.endsWith('/')
      if (isPane || location.pathname === before.pathname) setShown(location)
      else startTransition(() => setShown(location))
    }
    let drawn = history.location
    follow()
    return history.subscribe(follow)
  }, [history])
  return (
    <NavigationContext value={navigation}>
      <LocationContext value={withoutBase(base, shown)}>{children}</LocationContext>
    </NavigationContext>
  )
}

/** A value of the query; `undefined` if missing. */
export function useSearchValue(name: string): string | undefined {
  return new URLSearchParams(useLocation().search).get(name) ?? undefined
}

/** Decoded path of the open folder or file: "/a b/"; `undefined` outside /files. */
export function useFilesPath(): string | undefined {
  return filesPathOf(useLocation().pathname)
}

interface NavigateOptions {
  /** Back skips the current entry. */
  readonly replace?: boolean
  /** The entry to show in the opened folder. */
  readonly reveal?: string
}

/** Navigates to an app address, such as `filesHref('/a/')`. */
export function useNavigateTo(): (to: string, options?: NavigateOptions) => void {
  const { base, history } = useNavigation()
  return useCallback(
    (to, { replace = false, reveal } = {}) => {
      const href = appHref(base, history.beside?.(to) ?? to)
      const state = reveal === undefined ? {} : { reveal }
      if (replace) history.replace(href, state)
      else history.push(href, state)
    },
    [base, history],
  )
}

/** Adds the base URL to an app address. */
export function appHref(base: string, to: string): string {
  return base + to
}

/** Removes the base URL from a history entry. */
export function withoutBase(base: string, entry: Entry): AppLocation {
  const pathname = entry.pathname.slice(base.length) || '/'
  return { ...entry, pathname, href: pathname + entry.search + entry.hash }
}

/** Closes a file: goes back to where it was opened, or to its folder. */
export function useCloseFile(path: string): () => void {
  const { history } = useNavigation()
  const navigateTo = useNavigateTo()
  return useCallback(() => {
    if (history.canGoBack()) history.back()
    else navigateTo(filesHref(parentFolder(path)), { replace: true })
  }, [history, navigateTo, path])
}
