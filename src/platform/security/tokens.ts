import { createHash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { isRecord } from '../../domain/schema/schema-tools.ts'
import type { Clock } from '../clock.ts'

/** Times in seconds since 1970. */
export interface TokenClaims {
  /** Id of the session. */
  readonly sid: string
  /** Id of this token. */
  readonly jti: string
  readonly iat: number
  readonly exp: number
  /** What clients know of the user before their first request. Nothing is decided by it. */
  readonly user: object
}

export interface TokensDeps {
  /** base64url. A function, because another process may change the key. */
  readonly key: () => string
  readonly clock: Clock
}

const ISSUER = 'filemgr'
const ALGORITHM = 'HS256'
const MAX_CACHED = 10_000
const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Signs and verifies tokens (JWT: JWS compact serialization, HS256). */
export function createTokens({ key, clock }: TokensDeps) {
  /** Claims by token, because each request of a client has the same one. The oldest are evicted. */
  const verified = new Map<string, TokenClaims>()
  let verifiedBy = ''
  const secret = () => Buffer.from(key(), 'base64url')

  const check = async (token: string): Promise<TokenClaims | undefined> => {
    const { errors, jwtVerify } = await import('jose')
    try {
      const { payload } = await jwtVerify(token, secret(), {
        // Fixed, so that a forged token cannot choose its own algorithm.
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        requiredClaims: ['exp', 'iat', 'jti', 'sid'],
        // Disables jose's own check: `verify` checks expiry each time, also for a cached token.
        currentDate: new Date(0),
      })
      const { jti = '', iat = 0, exp = 0, sid, user } = payload
      return typeof sid === 'string' ? { sid, jti, iat, exp, user: isRecord(user) ? user : {} } : undefined
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }

  /** Like `verify`, but accepts an expired token. Callers must check its session. */
  const read = async (token: string): Promise<TokenClaims | undefined> => {
    const present = key()
    if (verifiedBy !== present) verified.clear()
    verifiedBy = present
    const known = verified.get(token)
    if (known !== undefined) return known
    if (!SHAPE.test(token)) return undefined
    const claims = await check(token)
    // The key may have changed meanwhile.
    if (claims === undefined || key() !== present) return undefined
    verified.set(token, claims)
    const oldest = verified.size > MAX_CACHED ? verified.keys().next().value : undefined
    if (oldest !== undefined) verified.delete(oldest)
    return claims
  }

  return {
    read,

    async sign({ sid, jti, iat, exp, user }: TokenClaims): Promise<string> {
      const { SignJWT } = await import('jose')
      return await new SignJWT({ sid, user })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setIssuedAt(iat)
        .setExpirationTime(exp)
        .setJti(jti)
        .sign(secret())
    },

    /** The claims of a token that we signed and that has not expired; else undefined. */
    async verify(token: string): Promise<TokenClaims | undefined> {
      const claims = await read(token)
      return claims !== undefined && claims.exp * 1000 > clock.now() ? claims : undefined
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>

const BYTES = 96

/**
 * Derives a token of 128 characters (base64url) from a key and texts, by HKDF with HMAC-SHA-256 (RFC 5869). It reveals nothing
 * about them, and is the same each time, so it need not be stored.
 *
 * @param key base64url
 */
export function deriveToken(key: string, ...parts: readonly string[]): string {
  const info = JSON.stringify(parts)
  const derived = hkdfSync(
    'sha256',
    Buffer.from(key, 'base64url'),
    '',
    createHash('sha256').update(info).digest(),
    BYTES,
  )
  return Buffer.from(derived).toString('base64url')
}

/** Compares in constant time: the time does not reveal where the texts differ. */
export function equalTexts(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** SHA-256 of a text, in hex. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
