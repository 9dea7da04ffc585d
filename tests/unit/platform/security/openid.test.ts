import { describe, expect, it } from 'vitest'
import { createEgressFetch } from '../../../../src/platform/network/egress.ts'
import { createOpenId, isSafeIssuer, type OpenIdSecrets } from '../../../../src/platform/security/openid.ts'
import { movableClock } from '../../../helpers/movable-clock.ts'
import { ProviderBrowser } from '../../../helpers/oidc/provider-browser.ts'
import { CLIENT_SECRET, testProvider, type TestProviderInput } from '../../../helpers/oidc/test-provider.ts'

const BACK = 'http://files.test/api/sign-in/sso/callback'

async function openWorld(input: Partial<TestProviderInput> = {}) {
  await using held = new AsyncDisposableStack()
  const provider = held.use(await testProvider({ redirectUris: [BACK], ...input }))
  const clock = movableClock(Date.now())
  const openId = createOpenId({ fetch: createEgressFetch(() => true), clock })
  const source = {
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: CLIENT_SECRET,
    scopes: 'profile groups',
  }
  /** As far as the address to which the provider sends the browser. */
  const come = async ({ name = 'anna', says = 'yes' } = {}) => {
    const { url, secrets } = await openId.start(source, BACK)
    const back = new URL(await new ProviderBrowser().signIn(url, says === 'no' ? undefined : name, BACK))
    return { url: new URL(url), back, secrets }
  }
  const finish = async (search: string, secrets: OpenIdSecrets) =>
    await openId.finish(source, { redirectUri: BACK, search, secrets })
  const all = held.move()
  return { provider, clock, openId, source, come, finish, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

const problem = (name: string) => expect.objectContaining({ name: 'OpenIdError', problem: name }) as Error

describe('a sign-in by OpenID Connect', () => {
  it('gives the person as the provider signs and tells it', async () => {
    const people = { anna: { preferred_username: 'anna', groups: ['crew'], email: 'x@y.z', email_verified: false } }
    await using world = await openWorld({ people })
    const { url, back, secrets } = await world.come()
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: BACK,
      scope: 'openid profile groups',
    })
    const answer = await world.finish(back.search, secrets)
    expect(answer).toMatchObject({ issuer: world.provider.issuer, subject: 'anna' })
    expect(answer.claims).toMatchObject({ sub: 'anna', preferred_username: 'anna', groups: ['crew'] })
  })

  it('refuses a code that was used', async () => {
    await using world = await openWorld()
    const { back, secrets } = await world.come()
    await world.finish(back.search, secrets)
    await expect(world.finish(back.search, secrets)).rejects.toThrow(problem('invalid'))
  })

  it('refuses another state, nonce or verifier than it has sent', async () => {
    await using world = await openWorld()
    for (const name of ['state', 'nonce', 'verifier'] as const) {
      const { back, secrets } = await world.come()
      const other = { ...secrets, [name]: 'other-other-other-other-other-other-other-x' }
      await expect(world.finish(back.search, other), name).rejects.toThrow(problem('invalid'))
    }
  })

  it('refuses an answer in the name of another issuer, or of none', async () => {
    await using world = await openWorld()
    for (const issuer of ['https://attacker.test', undefined]) {
      const { back, secrets } = await world.come()
      if (issuer === undefined) back.searchParams.delete('iss')
      else back.searchParams.set('iss', issuer)
      await expect(world.finish(back.search, secrets)).rejects.toThrow(problem('invalid'))
    }
  })

  it('says when the provider has refused', async () => {
    await using world = await openWorld()
    const { back, secrets } = await world.come({ says: 'no' })
    expect(back.searchParams.get('error')).toBe('access_denied')
    await expect(world.finish(back.search, secrets)).rejects.toThrow(problem('refused'))
  })

  it('follows a new key at once, and refuses one that is not published', async () => {
    await using world = await openWorld()
    const first = await world.come()
    await world.finish(first.back.search, first.secrets)
    await world.provider.rotateKeys()
    const second = await world.come()
    await expect(world.finish(second.back.search, second.secrets)).resolves.toMatchObject({ subject: 'anna' })
    await world.provider.rotateKeys({ publish: false })
    const third = await world.come()
    await expect(world.finish(third.back.search, third.secrets)).rejects.toThrow(problem('invalid'))
  })

  it.each([
    ['another audience', { aud: 'other' }, 'invalid'],
    ['another issuer', { iss: 'https://attacker.test' }, 'invalid'],
    ['no subject', { sub: undefined }, 'invalid'],
    ['an end that has passed', { exp: Math.floor(Date.now() / 1000) - 400 }, 'clock'],
    ['a time in the future', { iat: Math.floor(Date.now() / 1000) + 400 }, 'clock'],
    ['another nonce', { nonce: 'other' }, 'invalid'],
  ])('refuses an ID token with %s', async (_name, change, expected) => {
    await using world = await openWorld()
    const { back, secrets } = await world.come()
    const now = Math.floor(Date.now() / 1000)
    const sound = {
      iss: world.provider.issuer,
      sub: 'anna',
      aud: 'filemgr',
      iat: now,
      exp: now + 600,
      nonce: secrets.nonce,
    }
    const idToken = await world.provider.sign({ ...sound, ...change })
    world.provider.intercept = answerToken(idToken)
    await expect(world.finish(back.search, secrets)).rejects.toThrow(problem(expected))
  })

  it('refuses an ID token without a signature, or by a shared secret', async () => {
    await using world = await openWorld()
    const now = Math.floor(Date.now() / 1000)
    for (const alg of ['none', 'HS256']) {
      const { back, secrets } = await world.come()
      const claims = {
        iss: world.provider.issuer,
        sub: 'anna',
        aud: 'filemgr',
        iat: now,
        exp: now + 600,
        nonce: secrets.nonce,
      }
      const text = [{ alg }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
      world.provider.intercept = answerToken(`${text}.${alg === 'none' ? '' : 'c2ln'}`)
      await expect(world.finish(back.search, secrets), alg).rejects.toThrow(problem('invalid'))
    }
  })

  it('accepts clocks that are less than five minutes apart', async () => {
    await using world = await openWorld()
    for (const [apart, works] of [
      [-290, true],
      [290, true],
      [-320, false],
      [320, false],
    ] as const) {
      world.clock.move(apart * 1000)
      const { back, secrets } = await world.come()
      const finished = world.finish(back.search, secrets)
      if (works) await expect(finished).resolves.toMatchObject({ subject: 'anna' })
      else await expect(finished).rejects.toThrow(problem('clock'))
      world.clock.move(-apart * 1000)
    }
  })

  it('refuses a wrong secret in words', async () => {
    await using world = await openWorld()
    const source = { ...world.source, clientSecret: 'wrong' }
    await expect(world.openId.tryClient(source, BACK)).rejects.toThrow(problem('client'))
    await expect(world.openId.tryClient(world.source, BACK)).resolves.toBeUndefined()
  })
})

describe('a provider', () => {
  it('is at an https address, or on this machine', () => {
    const safe = [
      'https://sso.example.org',
      'https://sso.example.org/realms/a',
      'http://localhost:9',
      'http://127.0.0.1',
      'http://[::1]:80',
    ]
    const unsafe = [
      'http://sso.example.org',
      'http://127.0.0.1.example.org',
      'ftp://a.b',
      'x',
      'https://u:p@a.b',
      'https://a.b/?x=1',
      'https://a.b/#x',
    ]
    expect([safe.filter((issuer) => !isSafeIssuer(issuer)), unsafe.filter(isSafeIssuer)]).toEqual([[], []])
  })

  it('that gives another name than its address is refused', async () => {
    await using world = await openWorld()
    world.provider.intercept = (request, response) => {
      if (request.url !== '/.well-known/openid-configuration') return false
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({ issuer: 'https://attacker.test', authorization_endpoint: 'https://attacker.test/a' }),
      )
      return true
    }
    await expect(world.openId.start(world.source, BACK)).rejects.toThrow(problem('invalid'))
  })

  it('that is away, or has a private address, is told apart', async () => {
    await using world = await openWorld()
    const closed = { ...world.source, issuer: 'http://127.0.0.1:1' }
    await expect(world.openId.start(closed, BACK)).rejects.toThrow(problem('away'))
    const openId = createOpenId({ fetch: createEgressFetch(() => false), clock: world.clock })
    await expect(openId.start(world.source, BACK)).rejects.toThrow(problem('private'))
  })

  it('that answers without end is cut off', async () => {
    await using world = await openWorld()
    world.provider.intercept = (_request, response) => {
      response.setHeader('content-type', 'application/json')
      const more = () => {
        if (!response.destroyed) response.write(' '.repeat(64 * 1024), () => setImmediate(more))
      }
      more()
      return true
    }
    await expect(world.openId.start(world.source, BACK)).rejects.toThrow(problem('invalid'))
  })

  it('tells its keys, clock and sign-out', async () => {
    await using world = await openWorld()
    expect(await world.openId.inspect(world.source)).toMatchObject({ keys: 1, canSignOut: true })
  })
})

function answerToken(idToken: string) {
  return (
    request: { url?: string | undefined },
    response: { setHeader(name: string, value: string): unknown; end(text: string): unknown },
  ) => {
    if (request.url !== '/token') return false
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ access_token: 'a', token_type: 'bearer', expires_in: 60, id_token: idToken }))
    return true
  }
}
