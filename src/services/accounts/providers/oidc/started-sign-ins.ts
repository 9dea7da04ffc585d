import type { Claims } from '../../../../domain/accounts/provider-mapping.ts'
import type { SessionFamily, UserId } from '../../../../domain/ids.ts'
import type { OpenIdSecrets } from '../../../../platform/security/openid.ts'
import type { Random } from '../../../../platform/security/random.ts'
import { digestOf, equalTexts } from '../../../../platform/security/tokens.ts'
import type { SharedFacts } from '../../../../store/store.ts'

/** Milliseconds in which a person must come back from the provider. */
export const TIME_TO_RETURN = 10 * 60_000
/** Milliseconds in which the page must fetch the session. */
const TIME_TO_REDEEM = 60_000
/** Milliseconds. Longer than any token that ends sessions is accepted. */
const NOTICE_MEMORY = 20 * 60_000

/** A person who has gone to a provider. */
export interface StartedSignIn {
  readonly provider: string
  readonly secrets: OpenIdSecrets
  readonly redirectUri: string
  /** Where the person wanted to go; a path of the page. */
  readonly to: string
  /** Set if the person is signed in and only adds this way to the account. */
  readonly link?: { readonly userId: UserId; readonly session: SessionFamily } | undefined
}

/** A person whom a provider has proven, and what it says that counts here. */
export interface ProvenSignIn {
  readonly provider: string
  readonly issuer: string
  readonly subject: string
  readonly label: string
  readonly claims: Claims
  /** The session at the provider. */
  readonly sid?: string
  readonly idToken?: string
  readonly link?: StartedSignIn['link']
}

interface Bound<T> {
  readonly value: T
  /** Digest of the secret in the cookie of the browser. */
  readonly browser: string
}

/**
 * What must be remembered between the requests of a sign-in, which may reach different daemons. Each is used once, and only by
 * the browser that began: the attacks are to make somebody else finish one's own sign-in, or to finish theirs.
 */
export function createStartedSignIns({ facts, random }: { readonly facts: SharedFacts; readonly random: Random }) {
  const keep = async <T extends object>(kind: string, name: string, bound: Bound<T>, lifetime: number) => {
    const key = keyOf(kind, name)
    await facts.change([key], (all) => all.set(key, bound, lifetime))
  }

  /** Also used up by another browser: whoever knows the name without the cookie has stolen it. */
  const take = async <T extends object>(kind: string, name: string, secret: string): Promise<T | undefined> => {
    const key = keyOf(kind, name)
    const found = await facts.change([key], (all) => {
      const kept = all.get(key) as Bound<T> | undefined
      if (kept !== undefined) all.remove(key)
      return kept
    })
    return found !== undefined && equalTexts(found.browser, digestOf(secret)) ? found.value : undefined
  }

  return {
    /** @returns the secret for a cookie of the browser */
    async begin(started: StartedSignIn): Promise<string> {
      const secret = random.token(32)
      const bound = { value: started, browser: digestOf(secret) }
      await keep('sign-in', started.secrets.state, bound, TIME_TO_RETURN)
      return secret
    },

    takeStarted: async (state: string, secret: string) => await take<StartedSignIn>('sign-in', state, secret),

    /** @param tag how the code begins @returns a code with which the page fetches the session */
    async prove(tag: string, proven: ProvenSignIn, secret: string): Promise<string> {
      const code = tag + random.token(24)
      await keep('sign-in-proof', code, { value: proven, browser: digestOf(secret) }, TIME_TO_REDEEM)
      return code
    },

    takeProven: async (code: string, secret: string) => await take<ProvenSignIn>('sign-in-proof', code, secret),

    /** Whether this token of a provider was not used before. */
    async isFirstNotice(provider: string, id: string): Promise<boolean> {
      const key = keyOf('logout-token', `${provider} ${id}`)
      return await facts.change([key], (all) => {
        if (all.get(key) !== undefined) return false
        all.set(key, {}, NOTICE_MEMORY)
        return true
      })
    },
  }
}

export type StartedSignIns = ReturnType<typeof createStartedSignIns>

/** By digest, so that the time of a lookup reveals nothing about a secret, nor does the database. */
function keyOf(kind: string, name: string): string {
  return `${kind}/${digestOf(name)}`
}
