import type { UserView } from '../../../src/domain/user.ts'

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
