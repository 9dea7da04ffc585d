import type { ClientAuth, Configuration, IDToken } from 'openid-client'
import type { Clock } from '../clock.ts'
import { EgressError, type EgressFetch } from '../network/egress.ts'

/** Seconds by which the clocks of the two machines may differ. */
export const CLOCK_TOLERANCE = 300
/** Milliseconds for which the addresses of a provider are remembered. */
const KNOWN_FOR = 5 * 60_000
/** Characters of an ID token that is kept for the sign-out; a larger one does not fit into an address anyway. */
const MAX_ID_TOKEN = 6000

/** A provider, and what we are there. */
export interface OpenIdSource {
  readonly issuer: string
  readonly clientId: string
  /** Empty for a client without a secret, which PKCE alone protects. */
  readonly clientSecret: string
  readonly scopes: string
}

/** What the browser must bring back. */
export interface OpenIdSecrets {
  readonly state: string
  readonly nonce: string
  /** Of PKCE. */
  readonly verifier: string
}

export interface OpenIdAnswer {
  readonly issuer: string
  readonly subject: string
  /** Of the ID token and of the userinfo endpoint. */
  readonly claims: Readonly<Record<string, unknown>>
  /** Undefined if it is too large to be sent back. */
  readonly idToken: string | undefined
}

/**
 * Why a sign-in failed. "away": the provider did not answer. "refused": it answered that this person may not come in, or that
 * the person changed their mind. "client": it does not accept us, by id, secret or redirect address. "clock": the clocks differ.
 * "invalid": the answer is not one that this provider could have given to this browser.
 */
export type OpenIdProblem = 'away' | 'private' | 'refused' | 'client' | 'clock' | 'invalid'

export class OpenIdError extends Error {
  override readonly name = 'OpenIdError'
  readonly problem: OpenIdProblem

  constructor(problem: OpenIdProblem, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.problem = problem
  }
}

export interface OpenIdFacts {
  readonly tokenEndpoint: string
  readonly keys: number
  /** Seconds by which its clock is ahead of ours; undefined if it does not state its time. */
  readonly ahead: number | undefined
  readonly canSignOut: boolean
  readonly claims: readonly string[]
  readonly scopes: readonly string[]
}

interface Known {
  readonly until: number
  readonly configuration: Promise<Configuration>
}

/** Whether an issuer can be trusted to be who it says: by TLS, or because it is on this machine. */
export function isSafeIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/**
 * OpenID Connect: the authorization code flow with PKCE. Everything that a provider sends is checked here: issuer, audience,
 * signature, expiry, `nonce`, `state` and `iss`. The package is loaded when somebody signs in.
 */
export function createOpenId(deps: { readonly fetch: EgressFetch; readonly clock: Clock }) {
  const { fetch, clock } = deps
  const known = new Map<string, Known>()
  const load = async () => await import('openid-client')

  const discover = async (source: OpenIdSource): Promise<Configuration> => {
    if (!isSafeIssuer(source.issuer)) throw new OpenIdError('invalid', 'the issuer must be an https address')
    const client = await load()
    const isLocal = new URL(source.issuer).protocol === 'http:'
    const metadata = {
      [client.clockTolerance]: CLOCK_TOLERANCE,
      // The package has the clock of the system.
      [client.clockSkew]: Math.round((clock.now() - Date.now()) / 1000),
    }
    return await explained(async () => {
      const configuration = await client.discovery(
        new URL(source.issuer),
        source.clientId,
        metadata,
        await authentication(source),
        {
          // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so only to stand out; for this machine alone
          execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
          [client.customFetch]: async (url, { method, headers, body, signal }) =>
            await fetch(url, {
              method,
              headers,
              // The package only posts forms.
              body: body instanceof URLSearchParams ? body.toString() : undefined,
              signal: signal ?? undefined,
            }),
        },
      )
      // A provider with TLS must not hand over the code, or the keys, to somebody without.
      const { authorization_endpoint: start = '' } = configuration.serverMetadata()
      if (!isLocal && !start.startsWith('https://')) throw new OpenIdError('invalid', 'its sign-in page has no TLS')
      return configuration
    })
  }

  /** Its addresses, for what is not worth a request each time. */
  const remembered = async (source: OpenIdSource): Promise<Configuration> => {
    const key = JSON.stringify(source)
    const found = known.get(key)
    if (found !== undefined && found.until > clock.now()) return await found.configuration
    const configuration = discover(source)
    known.set(key, { until: clock.now() + KNOWN_FOR, configuration })
    configuration.catch(() => known.delete(key))
    return await configuration
  }

  return {
    /** The address to send the browser to. @throws OpenIdError */
    async start(source: OpenIdSource, redirectUri: string): Promise<{ url: string; secrets: OpenIdSecrets }> {
      const client = await load()
      const configuration = await remembered(source)
      const secrets = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopesOf(source),
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, secrets }
    },

    /**
     * Exchanges the code. The keys are fetched anew each time, so a key counts from when the provider publishes it until it is
     * withdrawn.
     *
     * @param search the query of the address to which the provider sent the browser
     * @throws OpenIdError
     */
    async finish(
      source: OpenIdSource,
      { redirectUri, search, secrets }: { redirectUri: string; search: string; secrets: OpenIdSecrets },
    ): Promise<OpenIdAnswer> {
      const client = await load()
      const configuration = await discover(source)
      const address = new URL(redirectUri)
      address.search = search
      return await explained(async () => {
        const tokens = await client.authorizationCodeGrant(configuration, address, {
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          pkceCodeVerifier: secrets.verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined) throw new OpenIdError('invalid', 'it sent no ID token')
        requireFresh(claims, clock.now())
        const { userinfo_endpoint: endpoint } = configuration.serverMetadata()
        const more =
          endpoint === undefined ? {} : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        const { id_token: idToken = '' } = tokens
        return {
          issuer: claims.iss,
          subject: claims.sub,
          // What is signed counts more.
          claims: { ...more, ...claims },
          idToken: idToken.length > MAX_ID_TOKEN ? undefined : idToken,
        }
      })
    },

    /** The address that ends the session there, too; undefined if the provider has none. @throws OpenIdError */
    async signOut(
      source: OpenIdSource,
      { returnTo, idToken }: { returnTo: string; idToken: string | undefined },
    ): Promise<string | undefined> {
      const client = await load()
      const configuration = await remembered(source)
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
      return client.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: returnTo,
        ...(idToken !== undefined && { id_token_hint: idToken }),
      }).href
    },

    /** What is known of a provider now, and where its keys are. @throws OpenIdError */
    async keysOf(source: OpenIdSource): Promise<{ issuer: string; url: string }> {
      const { issuer, jwks_uri: url } = (await remembered(source)).serverMetadata()
      if (url === undefined) throw new OpenIdError('invalid', 'it publishes no keys')
      return { issuer, url }
    },

    /** Asks the provider for its addresses and keys. @throws OpenIdError */
    async inspect(source: OpenIdSource): Promise<OpenIdFacts> {
      const metadata = (await discover(source)).serverMetadata()
      return await explained(async () => {
        const response = await fetch(metadata.jwks_uri ?? '')
        const stated = Date.parse(response.headers.get('date') ?? '')
        const { keys } = (await response.json()) as { keys?: unknown }
        if (!Array.isArray(keys) || keys.length === 0) throw new OpenIdError('invalid', 'it publishes no keys')
        return {
          tokenEndpoint: metadata.token_endpoint ?? '',
          keys: keys.length,
          ahead: Number.isNaN(stated) ? undefined : Math.round((stated - clock.now()) / 1000),
          canSignOut: metadata.end_session_endpoint !== undefined,
          claims: metadata.claims_supported ?? [],
          scopes: metadata.scopes_supported ?? [],
        }
      })
    },

    /**
     * Whether the provider accepts our id and secret: it is sent a code that nobody has, and must complain of the code, not of us.
     *
     * @throws OpenIdError
     */
    async tryClient(source: OpenIdSource, redirectUri: string): Promise<void> {
      const client = await load()
      const configuration = await discover(source)
      const address = new URL(redirectUri)
      address.search = new URLSearchParams({
        code: 'filemgr-test',
        state: 'test',
        iss: configuration.serverMetadata().issuer,
      }).toString()
      const verifier = client.randomPKCECodeVerifier()
      try {
        await explained(
          async () =>
            await client.authorizationCodeGrant(configuration, address, {
              expectedState: 'test',
              pkceCodeVerifier: verifier,
            }),
        )
      } catch (error) {
        if (error instanceof OpenIdError && error.message === 'invalid_grant') return
        throw error
      }
    },
  }

  /** With what the specification requires each provider to accept, unless it says otherwise. */
  async function authentication({ clientSecret }: OpenIdSource): Promise<ClientAuth> {
    const client = await load()
    if (clientSecret === '') return client.None()
    const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)]
    return (server, ...rest) => {
      const { token_endpoint_auth_methods_supported: offered = ['client_secret_basic'] } = server
      return (offered.includes('client_secret_basic') ? basic : post)(server, ...rest)
    }
  }
}

export type OpenId = ReturnType<typeof createOpenId>

function scopesOf({ scopes }: OpenIdSource): string {
  return [...new Set(['openid', ...scopes.split(/\s+/).filter(Boolean)])].join(' ')
}

/** An ID token is made for this sign-in, so it is as old as the sign-in, unless the clocks differ. */
function requireFresh({ iat }: IDToken, now: number): void {
  const apart = Math.abs(iat - now / 1000)
  if (apart > CLOCK_TOLERANCE) throw new OpenIdError('clock', `the clocks are ${Math.round(apart)} seconds apart`)
}

/** Errors of the package as ours. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw problemOf(error)
  }
}

const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client', 'invalid_scope', 'invalid_request', 'invalid_target']
const PERSON_ERRORS = ['access_denied', 'login_required', 'consent_required', 'interaction_required']

function problemOf(error: unknown): OpenIdError {
  if (error instanceof OpenIdError) return error
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (!(at instanceof EgressError)) continue
    const kind = at.problem === 'private' ? 'private' : at.problem === 'tooLarge' ? 'invalid' : 'away'
    const detail = at.problem === 'timeout' ? 'no answer in time' : at.message
    return new OpenIdError(kind, detail, { cause: error })
  }
  const {
    code,
    error: named,
    status,
    message,
  } = error as {
    code?: string
    error?: unknown
    status?: number
    message: string
  }
  if (typeof named === 'string') {
    // A word of the protocol; the sentence beside it is the provider's, and may say anything.
    const word = /^[a-z_]{1,40}$/.test(named) ? named : 'error'
    if (PERSON_ERRORS.includes(word)) return new OpenIdError('refused', word, { cause: error })
    if (word === 'temporarily_unavailable' || word === 'server_error')
      return new OpenIdError('away', word, { cause: error })
    return new OpenIdError(CLIENT_ERRORS.includes(word) ? 'client' : 'invalid', word, { cause: error })
  }
  if (code === 'OAUTH_TIMEOUT') return new OpenIdError('away', 'no answer in time', { cause: error })
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return new OpenIdError('clock', message, { cause: error })
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' && status === 401)
    return new OpenIdError('client', 'invalid_client', { cause: error })
  const answered = (error as { cause?: unknown }).cause
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && answered instanceof Response && answered.status >= 500)
    return new OpenIdError('away', `it answered ${answered.status}`, { cause: error })
  return new OpenIdError('invalid', message, { cause: error })
}
