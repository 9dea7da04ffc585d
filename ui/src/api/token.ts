import type { UserView } from '../../../src/domain/accounts/user.ts'

/** The copy of the user inside the token. The server uses its own record for every request. */
export type SessionUser = { readonly factorDue?: number; readonly severalPlaces?: true } & Pick<
  UserView,
  | 'id' | 'username' | 'locale' | 'viewMode' | 'singleClick' | 'redirectAfterCopyMove' | 'perm' | 'commands'
  | 'lockPassword' | 'hideDotfiles' | 'dateFormat' | 'aceEditorTheme' | 'folderSizes' // prettier-ignore
> & {
    /** People of providers may have none. */
    noPassword?: true
  }

interface TokenClaims {
  user: SessionUser
  /** Milliseconds, by the server's clock. */
  expiresAt: number
  issuedAt?: number
}

/** Decodes a token; only the server can verify it. `undefined` if it is malformed. */
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

const CLEARED = ''

/** Stores the token in the browser, separately for each base URL; in memory if the browser refuses to store. */
export function createTokenVault(storage: Storage, baseUrl: string) {
  const key = `filemgr:token:${baseUrl}`
  let current = attempt(() => storage.getItem(key)) ?? undefined
  return {
    read: () => current || undefined,
    write(token: string) {
      current = token
      attempt(() => storage.setItem(key, token))
    },
    /** Deletes the token and records that this was intentional. */
    clear() {
      current = CLEARED
      attempt(() => storage.setItem(key, CLEARED))
    },
    /** Whether the token was deleted with `clear`, rather than lost or never stored. */
    wasCleared: () => current === CLEARED,
  }
}

/** Stores the token between visits. */
export type TokenVault = ReturnType<typeof createTokenVault>

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action()
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}
