import type { Answer, TestApp, TestAppInput } from '../api/test-app.ts'
import { testApp } from '../api/test-app.ts'
import { movableClock } from '../movable-clock.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { NewProvider } from '../../../src/domain/accounts/provider-view.ts'
import { ProviderBrowser } from './provider-browser.ts'
import { CLIENT_SECRET, testProvider, type TestProvider, type TestProviderInput } from './test-provider.ts'

/** Where people reach this server. */
export const SITE = 'http://files.test'

export interface OidcWorld extends AsyncDisposable {
  readonly provider: TestProvider
  readonly server: TestApp
  readonly base: string
  browser(): Visitor
}

interface OidcWorldInput {
  readonly app?: TestAppInput
  readonly provider?: Partial<TestProviderInput>
  /** Of the provider "sso". */
  readonly fields?: Partial<NewProvider>
}

/** A server with the provider "sso", which makes accounts. */
export async function oidcWorld({
  app = {},
  provider: wanted = {},
  fields = {},
}: OidcWorldInput = {}): Promise<OidcWorld> {
  await using held = new AsyncDisposableStack()
  const base = (app.options?.baseURL ?? '').replace(/\/$/, '')
  const redirectUris = [`${SITE}${base}/api/sign-in/sso/callback`]
  const postLogoutRedirectUris = [`${SITE}${base}/login`]
  const provider = held.use(await testProvider({ redirectUris, postLogoutRedirectUris, ...wanted }))
  const server = held.use(
    await testApp({
      clock: movableClock(Date.now()),
      ...app,
      options: { publicUrl: SITE, signInHosts: [provider.host], ...app.options },
    }),
  )
  await server.context.services.providers.add(OPERATOR, {
    type: 'oidc',
    id: 'sso' as never,
    name: 'Example SSO',
    issuer: provider.issuer,
    clientId: provider.clientId,
    secret: CLIENT_SECRET,
    scopes: ['openid', 'profile', 'email', 'groups'],
    createUsers: true,
    ...fields,
  })
  const all = held.move()
  return {
    provider,
    server,
    base,
    browser: () => new Visitor(server, base),
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

interface Arrival {
  readonly answer: Answer
  /** Path and query of the page. */
  readonly page: string
  readonly fragment: Readonly<Record<string, string>>
}

/** A browser at our server, with its cookies, which also goes to providers. */
export class Visitor {
  readonly #server: Pick<TestApp, 'ask'>
  readonly #base: string
  readonly #site: string
  readonly #provider = new ProviderBrowser()
  readonly cookies = new Map<string, string>()

  constructor(server: Pick<TestApp, 'ask'>, base: string, site = SITE) {
    this.#server = server
    this.#base = base
    this.#site = site
  }

  async ask(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#server.ask(method, `${this.#base}${path}`, {
      headers: { 'x-filemgr-page': '1', ...(cookie !== '' && { cookie }), ...headers },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s)
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  /** The address at the provider. */
  async start(to?: string, id = 'sso'): Promise<Answer> {
    return await this.ask('GET', `/api/sign-in/${id}${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`)
  }

  /** To the provider and as far as the address here, which is not opened yet. */
  async atProvider(address: string, name: string | undefined): Promise<string> {
    const back = await this.#provider.signIn(address, name, this.#site)
    return back.slice(this.#site.length + this.#base.length)
  }

  async arrive(path: string): Promise<Arrival> {
    const answer = await this.ask('GET', path)
    const [page = '', fragment = ''] = String(answer.headers.location).split('#')
    return { answer, page, fragment: Object.fromEntries(new URLSearchParams(fragment)) }
  }

  /** All the way to the page, without the session. @param name undefined to say no at the provider */
  async come(name: string | undefined, { to, id = 'sso' }: { to?: string; id?: string } = {}): Promise<Arrival> {
    const started = await this.start(to, id)
    return await this.arrive(await this.atProvider(String(started.headers.location), name))
  }

  async redeem(code: string, id = 'sso'): Promise<Answer> {
    return await this.ask('POST', `/api/sign-in/${id}/session`, { code }, { accept: 'application/json' })
  }

  /** All the way; the answer has the token. */
  async signIn(name: string): Promise<Answer> {
    const { fragment } = await this.come(name)
    return await this.redeem(fragment['code'] ?? '')
  }
}
