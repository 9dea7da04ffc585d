import type { OidcProvider } from '../../../../domain/accounts/provider.ts'
import { claimTexts } from '../../../../domain/accounts/claim-texts.ts'
import type { Claims } from '../../../../domain/accounts/provider-mapping.ts'
import { auditText } from '../../../../domain/server/audit.ts'
import { fail, FilemgrError, isFilemgrError } from '../../../../domain/errors.ts'
import type { ProviderId } from '../../../../domain/ids.ts'
import { counted } from '../../../../domain/text/units.ts'
import type { Clock } from '../../../../platform/clock.ts'
import type { Logger } from '../../../../platform/logging/logger.ts'
import type { OpenId, OpenIdAnswer } from '../../../../platform/security/openid.ts'
import type { StoreDocument } from '../../../../store/document.ts'
import type { SharedFacts, Store } from '../../../../store/store.ts'
import type { Auth } from '../../auth/auth.ts'
import { createFailureBuckets } from '../../auth/failure-buckets.ts'
import type { ClientInfo } from '../../auth/sign-in-request.ts'
import { addressKey, type Throttle } from '../../auth/throttle.ts'
import type { Person, ProviderSignIn } from '../provider-sign-in.ts'
import { enabledOidc, failOpenId, sourceOf } from './oidc-source.ts'
import type { ProvenSignIn, StartedSignIn, StartedSignIns } from './started-sign-ins.ts'

export interface OidcSignInDeps {
  readonly store: Store<StoreDocument>
  readonly openId: OpenId
  readonly started: StartedSignIns
  readonly signIn: Pick<ProviderSignIn, 'userOf'>
  readonly auth: Pick<Auth, 'signIn' | 'method'>
  readonly throttle: Throttle
  readonly facts: SharedFacts
  readonly clock: Clock
  readonly log: Logger
}

export interface SignInStart {
  readonly redirectUri: string
  /** Where the person wanted to go. */
  readonly to: string
  readonly client: ClientInfo
  readonly link?: StartedSignIn['link']
}

/** Where to send the browser, and what to give it to keep. */
export interface GoToProvider {
  readonly url: string
  /** Name of the cookie, and of what it is for. */
  readonly tag: string
  readonly secret: string
}

/** A person who is back. */
export interface BackFromProvider {
  readonly to: string
  readonly isLink: boolean
  /** Fetches the session, once. */
  readonly code?: string
  /** Why there is none. */
  readonly problem?: FilemgrError
}

/** Sign-ins from one address in ten minutes before delays begin: many people may share one. */
const FREE_STARTS = 300

/** Tells the sign-ins of several tabs apart. */
const TAG_LENGTH = 8

/** Part of each state and code: names the cookie in which the browser has the other half. */
export const tagOf = (stateOrCode: string): string => stateOrCode.slice(0, TAG_LENGTH)

const TOO_OLD = { reason: 'expired', explained: true }

/** Signing in by OpenID Connect: to the provider, back, and into the account. */
export function createOidcSignIn(deps: OidcSignInDeps) {
  const { store, openId, started, signIn, auth, throttle, facts, clock, log } = deps
  const starts = createFailureBuckets({ facts, clock })

  const requireOpen = (id: string): OidcProvider => {
    const provider = auth.method() === 'noauth' ? undefined : enabledOidc(store.snapshot().providers, id)
    return (
      provider ??
      fail('NOT_FOUND', 'this sign-in method is switched off; ask an administrator', { reason: 'providerOff' })
    )
  }

  /** The attack: to fill the memory of the daemons with sign-ins that nobody finishes. */
  const requireBelowLimit = async (address: string): Promise<void> => {
    const limits = [{ key: `sign-in-start/${addressKey(address)}`, free: FREE_STARTS }]
    const seconds = await starts.begin(limits)
    if (seconds > 0)
      fail('RATE_LIMITED', `too many sign-ins; try again in ${counted(seconds, 'second')}`, { retryAfter: seconds })
    await starts.end(limits, false)
  }

  const proven = (provider: OidcProvider, answer: OpenIdAnswer, link: StartedSignIn['link']): ProvenSignIn => {
    const claims = claimTexts(answer.claims)
    const [sid] = claims['sid'] ?? []
    return {
      provider: provider.id,
      issuer: provider.issuer,
      subject: answer.subject,
      label: labelIn(claims) ?? answer.subject,
      claims: neededClaims(provider, claims),
      ...(sid !== undefined && sid.length <= 255 && { sid }),
      ...(provider.signsOut && answer.idToken !== undefined && { idToken: answer.idToken }),
      ...(link !== undefined && { link }),
    }
  }

  const takeProven = async (id: string, code: string, secret: string, client: ClientInfo): Promise<ProvenSignIn> => {
    const found = await throttle.attempt(
      { address: client.address },
      async () => await started.takeProven(code, secret),
    )
    if (found?.provider !== id) fail('WRONG_CREDENTIALS', 'this sign-in is used up or too old; sign in again', TOO_OLD)
    return found
  }

  const personOf = (provider: OidcProvider, { subject, label, claims }: ProvenSignIn): Person => ({
    provider,
    subject,
    username: claims[provider.usernameClaim]?.[0],
    label,
    claims,
  })

  return {
    /** @throws NOT_FOUND if this way is closed; UNAVAILABLE if the provider is; RATE_LIMITED */
    async start(id: string, { redirectUri, to, client, link }: SignInStart): Promise<GoToProvider> {
      const provider = requireOpen(id)
      await requireBelowLimit(client.address)
      const { url, secrets } = await openId
        .start(await sourceOf(provider), redirectUri)
        .catch((error: unknown) => failOpenId(provider, error))
      const secret = await started.begin({ provider: id, secrets, redirectUri, to, ...(link && { link }) })
      return { url, secret, tag: tagOf(secrets.state) }
    },

    /**
     * Takes a person back from the provider.
     *
     * @param search the query of the request, with `code` and `state`
     * @param secret from the cookie of this browser
     */
    async finish(id: string, search: string, secret: string): Promise<BackFromProvider> {
      const state = new URLSearchParams(search).get('state') ?? ''
      const begun = await started.takeStarted(state, secret)
      // Mix-up: an answer to one provider's address must not be taken for that of another.
      if (begun?.provider !== id) {
        const problem = new FilemgrError('FORBIDDEN', 'this sign-in was begun elsewhere, or too long ago', TOO_OLD)
        return { to: '', isLink: false, problem }
      }
      const back = { to: begun.to, isLink: begun.link !== undefined }
      try {
        const provider = requireOpen(id)
        const answer = await openId
          .finish(await sourceOf(provider), { redirectUri: begun.redirectUri, search, secrets: begun.secrets })
          .catch((error: unknown) => failOpenId(provider, error))
        return { ...back, code: await started.prove(tagOf(state), proven(provider, answer, begun.link), secret) }
      } catch (error) {
        if (!isFilemgrError(error)) throw error
        log.warn({ provider: id, err: error }, 'a sign-in at a provider failed')
        return { ...back, problem: error }
      }
    },

    /**
     * Signs in with the code that `finish` gave. Returns a token.
     *
     * @throws WRONG_CREDENTIALS for a code that is wrong or was used; FORBIDDEN without an account; MAINTENANCE; RATE_LIMITED
     */
    async redeem(id: string, code: string, secret: string, client: ClientInfo): Promise<string> {
      const found = await takeProven(id, code, secret, client)
      if (found.link !== undefined) fail('WRONG_CREDENTIALS', 'this sign-in only links an account', TOO_OLD)
      const provider = requireSame(requireOpen(id), found)
      const user = await signIn.userOf(personOf(provider, found))
      const way = {
        method: 'oidc',
        provider: id as ProviderId,
        ...(found.sid !== undefined && { providerSession: found.sid }),
        ...(found.idToken !== undefined && { idToken: found.idToken }),
      } as const
      const token = await auth.signIn(user, way, client)
      log.info({ user: auditText(user.username), provider: id }, 'signed in at a provider')
      return token
    },

    /** The person whom a signed-in user has proven to be, to link it. @throws WRONG_CREDENTIALS, FORBIDDEN */
    async redeemLink(id: string, code: string, secret: string, client: ClientInfo) {
      const found = await takeProven(id, code, secret, client)
      if (found.link === undefined) fail('WRONG_CREDENTIALS', 'this sign-in links no account', TOO_OLD)
      return { link: found.link, person: personOf(requireSame(requireOpen(id), found), found) }
    },
  }
}

export type OidcSignIn = ReturnType<typeof createOidcSignIn>

/** The proof was made by the issuer of that time. */
function requireSame(provider: OidcProvider, { issuer }: ProvenSignIn): OidcProvider {
  return provider.issuer === issuer
    ? provider
    : fail('WRONG_CREDENTIALS', 'the provider has changed; sign in again', TOO_OLD)
}

function labelIn(claims: Claims): string | undefined {
  return (claims['email'] ?? claims['preferred_username'] ?? claims['name'])?.[0]
}

/** Nothing else about the person is remembered. */
function neededClaims({ usernameClaim, mapping }: OidcProvider, claims: Claims): Claims {
  const needed = new Set([usernameClaim, ...mapping.map(({ claim }) => claim)])
  return Object.fromEntries(Object.entries(claims).filter(([name]) => needed.has(name)))
}
