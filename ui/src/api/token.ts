import type { UserView } from '../../../src/domain/accounts/user.ts'

/** The copy of the signed-in user that the token carries. The server looks at its own record at every request. */
export type SessionUser = Pick<
  UserView,
  | 'id' | 'username' | 'locale' | 'viewMode' | 'singleClick' | 'redirectAfterCopyMove' | 'perm' | 'commands'
  | 'lockPassword' | 'hideDotfiles' | 'dateFormat' | 'aceEditorTheme' // prettier-ignore
>

interface TokenClaims {
  user: SessionUser
  /** Milliseconds, by the clock of the server. */
  expiresAt: number
  issuedAt?: number
}

/** Reads what a token says; only the server can tell whether it is true. `undefined` for anything that is no token. */
export function readToken(token: string): TokenClaims | undefined {
  const payload = token.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as { user?: SessionUser; exp?: number; iat?: number }
    if (claims.user === undefined || claims.exp === undefined) return undefined
    return {
      user: claims.user,
      expiresAt: claims.exp * 1000,
      ...(claims.iat !== undefined && { issuedAt: claims.iat * 1000 }),
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) return undefined
    throw error
  }
}

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
