import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'
import { providerMemory } from './provider-memory.ts'

/** Claims of the people whom the provider knows, by the names they type there. */
export type People = Record<string, Record<string, unknown>>

export interface TestProviderInput {
  readonly people?: People
  /** Beneath these addresses the browser may come back. */
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris?: readonly string[]
  readonly backchannelLogoutUri?: string
  readonly clientId?: string
  readonly clientSecret?: string
  readonly configuration?: Configuration
  /** Of the path, so that two providers can be told apart. */
  readonly port?: number
}

export const CLIENT_SECRET = 'a secret of the client'

/** A certified provider in this process, where a person signs in by typing a name. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string
  readonly host: string
  readonly clientId: string
  readonly people: People
  /** Changes or breaks answers on their way; return true to have answered. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** What ID tokens say instead, under a sound signature; numbers are added to those that they have. */
  forged: Readonly<Record<string, string | number>> | undefined
  /** New keys; tokens from now on are signed by the first one. */
  rotateKeys(options?: { readonly publish?: boolean }): Promise<void>
  /** Signs any claims by the key of the provider. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
  /** Requests that came, as "GET /jwks". */
  readonly requests: string[]
}

/** The page of the provider: works without scripts, in any language. */
const page = (action: string) => `<!doctype html><title>Provider</title><form method="post" action="${action}">
  <label>Name <input name="name" autofocus></label><button>Continue</button><button name="deny" value="1">Deny</button></form>`

export async function testProvider(input: TestProviderInput): Promise<TestProvider> {
  const people: People = input.people ?? { anna: { preferred_username: 'anna' } }
  const clientId = input.clientId ?? 'filemgr'
  const requests: string[] = []
  const memory = providerMemory()
  let keys = [await newKey()]
  let handler: (request: IncomingMessage, response: ServerResponse) => void = () => undefined

  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${(request.url ?? '').split('?')[0] ?? ''}`)
    if (provider.intercept?.(request, response) === true) return
    if (request.url === '/token' && provider.forged !== undefined) forgeInto(response, provider.forged, provider.sign)
    handler(request, response)
  })
  server.listen(input.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`

  const start = (): void => {
    const oidc = new Provider(issuer, {
      adapter: memory,
      clients: [
        {
          client_id: clientId,
          client_secret: input.clientSecret ?? CLIENT_SECRET,
          redirect_uris: [...input.redirectUris],
          post_logout_redirect_uris: [...(input.postLogoutRedirectUris ?? [])],
          ...(input.backchannelLogoutUri !== undefined && {
            backchannel_logout_uri: input.backchannelLogoutUri,
            backchannel_logout_session_required: true,
          }),
        },
      ],
      jwks: { keys: keys.map(({ jwk }) => jwk) },
      cookies: { keys: ['cookies of the test provider'] },
      claims: {
        openid: ['sub'],
        profile: ['preferred_username', 'name'],
        email: ['email', 'email_verified'],
        groups: ['groups', 'quota'],
      },
      scopes: ['openid', 'profile', 'email', 'groups'],
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true, logoutSource: (context, form) => void (context.body = form) },
      },
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => {
          const { sub = id, ...claims } = people[id] ?? {}
          return { sub: String(sub), ...claims }
        },
      }),
      ttl: { Session: 3600, Grant: 3600, Interaction: 600, IdToken: 3600, AccessToken: 600 },
      ...input.configuration,
    })
    const callback = oidc.callback()
    handler = (request, response) => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      if (!path.startsWith('/interaction/')) return void callback(request, response)
      interact(oidc, request, response).catch((error: unknown) => {
        response.statusCode = 500
        response.end(String(error))
      })
    }
  }

  const interact = async (oidc: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { prompt, params } = await oidc.interactionDetails(request, response)
    if (prompt.name === 'login' && request.method === 'GET') {
      response.setHeader('content-type', 'text/html')
      response.end(page(request.url ?? ''))
      return
    }
    if (prompt.name === 'login') {
      const form = new URLSearchParams(await textOf(request))
      const result = form.has('deny')
        ? { error: 'access_denied', error_description: 'not assigned' }
        : { login: { accountId: form.get('name') ?? '' } }
      await oidc.interactionFinished(request, response, result)
      return
    }
    const { session } = await oidc.interactionDetails(request, response)
    const grant = new oidc.Grant({ accountId: session?.accountId ?? '', clientId: String(params['client_id']) })
    grant.addOIDCScope(String(params['scope']))
    await oidc.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }

  const provider: TestProvider = {
    issuer,
    host: `127.0.0.1:${port}`,
    clientId,
    people,
    requests,
    intercept: undefined,
    forged: undefined,
    async rotateKeys({ publish = true } = {}) {
      const fresh = await newKey()
      const published = keys.map(({ jwk }) => publicOf(jwk))
      keys = [fresh]
      start()
      const before = provider.intercept
      provider.intercept = publish
        ? undefined
        : (request, response) => {
            if (request.url !== '/jwks') return before?.(request, response) ?? false
            response.setHeader('content-type', 'application/json')
            response.end(JSON.stringify({ keys: published }))
            return true
          }
    },
    async sign(claims, header = {}) {
      const [key] = keys
      if (key === undefined) throw new Error('the provider has no key')
      return await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: key.jwk.kid ?? '', ...header })
        .sign(key.privateKey)
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  start()
  return provider
}

/** Changes the ID token of the answer that is about to be sent. */
function forgeInto(
  response: ServerResponse,
  forged: NonNullable<TestProvider['forged']>,
  sign: TestProvider['sign'],
): void {
  const send = response.end.bind(response) as (text: string) => unknown
  const change = async (text: string): Promise<string> => {
    const { id_token: idToken = '', ...answer } = JSON.parse(text) as { readonly id_token?: string }
    const claims: Record<string, unknown> = decodeJwt(idToken)
    for (const [name, value] of Object.entries(forged))
      claims[name] = typeof value === 'number' ? Number(claims[name]) + value : value
    return JSON.stringify({ ...answer, id_token: await sign(claims) })
  }
  const end = (text: string | Buffer): ServerResponse => {
    response.removeHeader('content-length')
    change(String(text)).then(send, (error: unknown) => response.destroy(error as Error))
    return response
  }
  response.end = end as typeof response.end
}

async function newKey() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk: JWK = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: crypto.randomUUID() }
  return { privateKey, jwk }
}

function publicOf({ kty, n, e, use, alg, kid }: JWK): JWK {
  return { kty, n, e, use, alg, kid } as JWK
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(stream)).toString()
}
