/** State stored with a history entry. */
export interface EntryState {
  /** Identifies a visit of a screen. Entries that differ only in the query share it. */
  readonly key: string
  /** Position in the app's history; 0 for the first entry. */
  readonly index: number
  /** The entry to show in the opened folder. */
  readonly reveal?: string
  /** Whether this entry opened the search. */
  readonly opensSearch?: boolean
}

/** A history entry. Its address includes the base URL. */
export interface Entry {
  readonly href: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
  readonly state: EntryState
}

/** Asked before the page shows another path, to protect unsaved changes. */
export interface LeaveGuard {
  hasUnsavedChanges(): boolean
  /** Asks the user. Called only when there are unsaved changes. */
  mayLeave(): Promise<boolean>
  /** Whether the browser should ask before it closes or reloads the page. */
  warnsBeforeUnload(): boolean
}

export interface AppHistory {
  readonly location: Entry
  /** Adds an entry. `href` includes the base URL. */
  push(href: string, state?: Partial<EntryState>): void
  /** Replaces the current entry: Back skips it. */
  replace(href: string, state?: Partial<EntryState>): void
  back(): void
  /** False at the first entry: Back would leave the app. */
  canGoBack(): boolean
  /** Calls back after every change of `location`. */
  subscribe(listener: () => void): () => void
  guard(guard: LeaveGuard): () => void
  /** Adds to the address of a folder what stays beside it. Set while there is something. */
  beside?: (to: string) => string
}

/** The browser's History API, with leave guards and a key for each visit. */
export function createBrowserHistory(page: Window = window): AppHistory {
  const listeners = new Set<() => void>()
  const guards = new Set<LeaveGuard>()
  let current = read({ key: newKey(), index: 0 })
  let ignoresNextPop = false

  /** @param unmarked state for entries that the app did not create, such as a link to `#main` */
  function read(unmarked: EntryState): Entry {
    const { pathname, search, hash } = page.location
    const kept = page.history.state as EntryState | null
    const isKnown = kept?.key !== undefined
    if (!isKnown) page.history.replaceState(unmarked, '')
    return { href: pathname + search + hash, pathname, search, hash, state: isKnown ? kept : unmarked }
  }

  /** An entry that the browser created belongs to the current visit. */
  function readNext(): Entry {
    return read({ key: current.state.key, index: current.state.index + 1 })
  }

  function update(): void {
    current = readNext()
    for (const listener of [...listeners]) listener()
  }

  /** Guards with unsaved changes, unless the path stays the same. */
  function guardsAgainst(pathname: string): LeaveGuard[] {
    if (pathname === current.pathname) return []
    return [...guards].filter((guard) => guard.hasUnsavedChanges())
  }

  async function navigate(href: string, isReplaced: boolean, state: Partial<EntryState>): Promise<void> {
    const { pathname } = new URL(href, page.location.href)
    // Without guards this runs synchronously, so that the caller sees the new location.
    const guards = guardsAgainst(pathname)
    if (guards.length > 0 && !(await allAgree(guards))) return
    const { index } = current.state
    const next: EntryState = { key: newKey(), index: isReplaced ? index : index + 1, ...state }
    if (isReplaced) page.history.replaceState(next, '', href)
    else page.history.pushState(next, '', href)
    update()
  }

  async function handlePop(): Promise<void> {
    if (ignoresNextPop) {
      ignoresNextPop = false
      return
    }
    const guards = guardsAgainst(page.location.pathname)
    if (guards.length > 0) {
      const steps = readNext().state.index - current.state.index
      if (!(await allAgree(guards))) {
        // Back and Forward cannot be prevented, only undone.
        ignoresNextPop = true
        page.history.go(-steps)
        return
      }
    }
    update()
  }

  page.addEventListener('popstate', () => void handlePop())
  page.addEventListener('beforeunload', (event) => {
    if ([...guards].some((guard) => guard.warnsBeforeUnload())) event.preventDefault()
  })

  return {
    get location() {
      return current
    },
    push: (href, state = {}) => void navigate(href, false, state),
    replace: (href, state = {}) => void navigate(href, true, state),
    back: () => page.history.back(),
    canGoBack: () => current.state.index > 0,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    guard(guard) {
      guards.add(guard)
      return () => guards.delete(guard)
    },
  }
}

async function allAgree(guards: readonly LeaveGuard[]): Promise<boolean> {
  for (const guard of guards) if (!(await guard.mayLeave())) return false
  return true
}

function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(2)).join('-')
}
