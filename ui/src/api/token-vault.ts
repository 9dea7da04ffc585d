/** Where the token stays between visits of the page. */
export interface TokenVault {
  read(): string | undefined
  write(token: string): void
  /** Forgets the token, and remembers that this was wanted. */
  clear(): void
  /** Whether the token was cleared, rather than lost with all that the browser had stored, or never there. */
  wasCleared(): boolean
}

const CLEARED = ''

/** Keeps the token in the browser, apart for each base URL; in memory only where the browser refuses to store. */
export function createTokenVault(storage: Storage, baseUrl: string): TokenVault {
  const key = `filemgr:token:${baseUrl}`
  let current = attempt(() => storage.getItem(key)) ?? undefined
  return {
    read: () => current || undefined,
    write(token) {
      current = token
      attempt(() => storage.setItem(key, token))
    },
    clear() {
      current = CLEARED
      attempt(() => storage.setItem(key, CLEARED))
    },
    wasCleared: () => current === CLEARED,
  }
}

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action()
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}
