/** Where the token stays between visits of the page. */
export interface TokenVault {
  read(): string | undefined
  write(token: string): void
  clear(): void
}

/** Keeps the token in the browser, apart for each base URL; in memory only where the browser refuses to store. */
export function createTokenVault(storage: Storage, baseUrl: string): TokenVault {
  const key = `filemgr:token:${baseUrl}`
  let current = attempt(() => storage.getItem(key)) ?? undefined
  return {
    read: () => current,
    write(token) {
      current = token
      attempt(() => storage.setItem(key, token))
    },
    clear() {
      current = undefined
      attempt(() => storage.removeItem(key))
    },
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
