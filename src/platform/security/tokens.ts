import { createHash, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../clock.ts'

/** Times in seconds since 1970. */
export interface TokenClaims {
  /** The session. */
  readonly sid: string
  /** This token of it. */
  readonly jti: string
  readonly iat: number
  readonly exp: number
  /** What the page shows before it has asked for anything; nothing is decided by it. */
  readonly user: object
}

/** Signed tokens of three parts (JWS compact, HS256). */
export interface Tokens {
  sign(claims: TokenClaims): Promise<string>
  /** The claims of a token of ours that has not expired; undefined for everything else. */
  verify(token: string): Promise<Omit<TokenClaims, 'user'> | undefined>
  /** The claims of a token of ours, also of one that has expired: worth nothing but together with its session. */
  read(token: string): Promise<Omit<TokenClaims, 'user'> | undefined>
}

export interface TokensDeps {
  /** base64url; asked for at each call, since another process may change it. */
  readonly key: () => string
  readonly clock: Clock
}

const ISSUER = 'filemgr'
const ALGORITHM = 'HS256'
const REMEMBERED = 10_000
const SHAPE = /^[\w-]+\.[\w-]+\.[\w-]+$/

export function createTokens({ key, clock }: TokensDeps): Tokens {
  /** Digest of token and key → claims: each request brings the same token again. The oldest are forgotten first. */
  const verified = new Map<string, Omit<TokenClaims, 'user'>>()
  const secret = () => Buffer.from(key(), 'base64url')

  const check = async (token: string): Promise<Omit<TokenClaims, 'user'> | undefined> => {
    const { errors, jwtVerify } = await import('jose')
    try {
      const { payload } = await jwtVerify(token, secret(), {
        // Fixed: what the token says about its own algorithm is not believed.
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        requiredClaims: ['exp', 'iat', 'jti', 'sid'],
        // Whether it has expired is asked each time, also of a token that is remembered.
        currentDate: new Date(0),
      })
      const { jti = '', iat = 0, exp = 0, sid } = payload
      return typeof sid === 'string' ? { sid, jti, iat, exp } : undefined
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }

  const read: Tokens['read'] = async (token) => {
    if (!SHAPE.test(token)) return undefined
    const digest = hash('sha256', key() + token, 'base64')
    const claims = verified.get(digest) ?? (await check(token))
    if (claims === undefined) return undefined
    verified.set(digest, claims)
    const oldest = verified.size > REMEMBERED ? verified.keys().next().value : undefined
    if (oldest !== undefined) verified.delete(oldest)
    return claims
  }

  return {
    read,

    async sign({ sid, jti, iat, exp, user }) {
      const { SignJWT } = await import('jose')
      return await new SignJWT({ sid, user })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuer(ISSUER)
        .setIssuedAt(iat)
        .setExpirationTime(exp)
        .setJti(jti)
        .sign(secret())
    },

    async verify(token) {
      const claims = await read(token)
      return claims !== undefined && claims.exp * 1000 > clock.now() ? claims : undefined
    },
  }
}

const BYTES = 96

/**
 * A token of 128 characters (base64url) that always comes out the same from a key and a text, and tells nothing about them:
 * HKDF with HMAC-SHA-256 (RFC 5869). It need not be stored anywhere.
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

/** Takes as long wherever the two differ. */
export function equalTexts(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** SHA-256 of a text, in hex. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
