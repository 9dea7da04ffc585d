import { createContext, type ReactNode, startTransition, useCallback, useContext, useEffect, useState } from 'react'
import { filesPathOf, filesHref, parentFolder } from './app-path.ts'
import type { AppHistory, Entry } from './history.ts'

interface Navigation {
  /** The base URL, which addresses of the app begin with; empty at the root. */
  readonly base: string
  readonly history: AppHistory
}

/** The entry of the history that is shown, without the base URL. */
export type AppLocation = Entry

const NavigationContext = createContext<Navigation | undefined>(undefined)
const LocationContext = createContext<AppLocation | undefined>(undefined)

interface NavigationProviderProps extends Navigation {
  readonly children: ReactNode
}

export function NavigationProvider({ base, history, children }: NavigationProviderProps) {
  const [navigation] = useState({ base, history })
  const [shown, setShown] = useState(history.location)
  useEffect(() => {
    const follow = (): void => {
      const { location } = history
      const isSamePath = location.pathname === shownPath
      shownPath = location.pathname
      // The present screen stays until the code of the next one is there; a search that is typed follows at once.
      if (isSamePath) setShown(location)
      else startTransition(() => setShown(location))
    }
    let shownPath = history.location.pathname
    follow()
    return history.subscribe(follow)
  }, [history])
  return (
    <NavigationContext value={navigation}>
      <LocationContext value={withoutBase(base, shown)}>{children}</LocationContext>
    </NavigationContext>
  )
}

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext)
  if (navigation === undefined) throw new Error('NavigationProvider is missing above this component')
  return navigation
}

export function useLocation(): AppLocation {
  const location = useContext(LocationContext)
  if (location === undefined) throw new Error('NavigationProvider is missing above this component')
  return location
}

/** A value of the address behind the question mark; `undefined` when it has none. */
export function useSearchValue(name: string): string | undefined {
  return new URLSearchParams(useLocation().search).get(name) ?? undefined
}

/** The decoded path of the folder or file that is open: "/a b/"; `undefined` outside of /files. */
export function useFilesPath(): string | undefined {
  return filesPathOf(useLocation().pathname)
}

interface NavigateOptions {
  /** Back skips the present entry. */
  readonly replace?: boolean
  /** The entry to show in the folder that is gone to. */
  readonly reveal?: string
}

/** Goes to a place of the app, such as `filesHref('/a/')`. */
export function useNavigateTo(): (to: string, options?: NavigateOptions) => void {
  const { base, history } = useNavigation()
  return useCallback(
    (to, { replace = false, reveal } = {}) => {
      const href = appHref(base, to)
      const state = reveal === undefined ? {} : { reveal }
      if (replace) history.replace(href, state)
      else history.push(href, state)
    },
    [base, history],
  )
}

/** Puts the base URL before a place of the app. */
export function appHref(base: string, to: string): string {
  return base + to
}

/** Takes the base URL from an address of the app. */
export function withoutBase(base: string, entry: Entry): AppLocation {
  const pathname = entry.pathname.slice(base.length) || '/'
  return { ...entry, pathname, href: pathname + entry.search + entry.hash }
}

/** Leaves the file at a path: back to where it was opened, else for its folder. */
export function useCloseFile(path: string): () => void {
  const { history } = useNavigation()
  const navigateTo = useNavigateTo()
  return useCallback(() => {
    if (history.canGoBack()) history.back()
    else navigateTo(filesHref(parentFolder(path)), { replace: true })
  }, [history, navigateTo, path])
}
