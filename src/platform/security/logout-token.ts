import type { JWTVerifyGetKey } from 'jose'
import type { Clock } from '../clock.ts'
import type { EgressFetch } from '../network/egress.ts'
import { CLOCK_TOLERANCE } from './openid.ts'

/** Whose sessions a provider wants to end, by its own names for the person and for the session there. */
export interface LogoutNotice {
  readonly subject: string | undefined
  readonly sid: string | undefined
  /** Of the token, which may be used once. */
  readonly id: string
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Only with keys that the provider publishes: with a shared secret, whoever knows it could sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Old providers do not name the type. */
const TYPES: readonly unknown[] = [undefined, 'logout+jwt', 'application/logout+jwt', 'JWT']

/** How many providers have keys in memory. */
const MAX_PROVIDERS = 100

/** Reads the tokens by which providers end sessions (OpenID Connect Back-Channel Logout 1.0). */
export function createLogoutTokens(deps: { readonly fetch: EgressFetch; readonly clock: Clock }) {
  const { fetch, clock } = deps
  const keys = new Map<string, JWTVerifyGetKey>()

  const keysAt = async (url: string): Promise<JWTVerifyGetKey> => {
    const found = keys.get(url)
    if (found !== undefined) return found
    const { createRemoteJWKSet, customFetch } = await import('jose')
    // An unknown key is looked for at most twice a minute, whoever sends such tokens.
    const made = createRemoteJWKSet(new URL(url), {
      cacheMaxAge: 5 * 60_000,
      [customFetch]: async (address: string, { signal }: { signal: AbortSignal }) =>
        await fetch(address, { headers: { accept: 'application/json' }, signal }),
    })
    if (keys.size >= MAX_PROVIDERS) keys.clear()
    keys.set(url, made)
    return made
  }

  return {
    /** @returns undefined if the token is not one that this provider made for us now. @throws EgressError */
    async read(
      token: string,
      { issuer, audience, keysUrl }: { issuer: string; audience: string; keysUrl: string },
    ): Promise<LogoutNotice | undefined> {
      const { errors, jwtVerify } = await import('jose')
      try {
        const { payload, protectedHeader } = await jwtVerify(token, await keysAt(keysUrl), {
          algorithms: ALGORITHMS,
          issuer,
          audience,
          requiredClaims: ['iat', 'jti', 'events'],
          maxTokenAge: CLOCK_TOLERANCE,
          clockTolerance: CLOCK_TOLERANCE,
          currentDate: new Date(clock.now()),
        })
        const { sub, sid, jti, events } = payload
        // An ID token must not pass for one: it has a nonce, and no such event.
        if (!TYPES.includes(protectedHeader.typ) || 'nonce' in payload || !namesLogout(events)) return undefined
        if (typeof jti !== 'string' || jti === '' || jti.length > 255) return undefined
        if (sub === undefined && typeof sid !== 'string') return undefined
        return { subject: sub, sid: typeof sid === 'string' ? sid : undefined, id: jti }
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined
        throw error
      }
    },
  }
}

export type LogoutTokens = ReturnType<typeof createLogoutTokens>

function namesLogout(events: unknown): boolean {
  if (typeof events !== 'object' || events === null) return false
  const named: unknown = (events as Readonly<Record<string, unknown>>)[EVENT]
  return typeof named === 'object' && named !== null
}
