/** What an entry of the browser's history keeps beside its address. */
export interface EntryState {
  /** Names one visit of a screen: steps that only change the search of the address share it. */
  readonly key: string
  /** The position in the history of the app; 0 for its first entry. */
  readonly index: number
  /** The entry to show in the folder that is gone to. */
  readonly reveal?: string
  /** The step that opened the search. */
  readonly opensSearch?: boolean
}

/** An entry of the history, with the base URL in its address. */
export interface Entry {
  readonly href: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
  readonly state: EntryState
}

/** Asked before the page shows another path, so that unsaved changes are not lost. */
export interface LeaveGuard {
  hasUnsavedChanges(): boolean
  /** Asks the user. Called only when there are unsaved changes. */
  mayLeave(): Promise<boolean>
  /** Whether the browser asks before it closes or reloads the page. */
  warnsBeforeUnload(): boolean
}

export interface AppHistory {
  readonly location: Entry
  /** Adds an entry. `href` includes the base URL. */
  push(href: string, state?: Partial<EntryState>): void
  /** Replaces the present entry: Back skips it. */
  replace(href: string, state?: Partial<EntryState>): void
  back(): void
  /** False at the first entry: Back would leave the app. */
  canGoBack(): boolean
  /** Calls back after every change of `location`. */
  subscribe(listener: () => void): () => void
  guard(guard: LeaveGuard): () => void
}

/** The History API of the browser with guards against leaving, and a key for each visit. */
export function createBrowserHistory(page: Window = window): AppHistory {
  const listeners = new Set<() => void>()
  const guards = new Set<LeaveGuard>()
  let current = read({ key: newKey(), index: 0 })
  let ignoresNextPop = false

  /** @param unmarked the state of an entry that the app did not make, such as by a link to `#main` */
  function read(unmarked: EntryState): Entry {
    const { pathname, search, hash } = page.location
    const kept = page.history.state as EntryState | null
    const isKnown = kept?.key !== undefined
    if (!isKnown) page.history.replaceState(unmarked, '')
    return { href: pathname + search + hash, pathname, search, hash, state: isKnown ? kept : unmarked }
  }

  /** An entry that the browser made belongs to the visit that it was made in. */
  function readNext(): Entry {
    return read({ key: current.state.key, index: current.state.index + 1 })
  }

  function update(): void {
    current = readNext()
    for (const listener of [...listeners]) listener()
  }

  /** Asks the guards that have something to lose, unless the path stays. */
  function guardsAgainst(pathname: string): LeaveGuard[] {
    if (pathname === current.pathname) return []
    return [...guards].filter((guard) => guard.hasUnsavedChanges())
  }

  async function navigate(href: string, isReplaced: boolean, state: Partial<EntryState>): Promise<void> {
    const { pathname } = new URL(href, page.location.href)
    // Without a guard this runs at once, so that the caller sees the new location.
    const asked = guardsAgainst(pathname)
    if (asked.length > 0 && !(await allAgree(asked))) return
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
    const asked = guardsAgainst(page.location.pathname)
    if (asked.length > 0) {
      const steps = readNext().state.index - current.state.index
      if (!(await allAgree(asked))) {
        // Back and forward cannot be prevented, only undone.
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
