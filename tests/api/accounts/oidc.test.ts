import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { oidcWorld, SITE } from '../../helpers/oidc/oidc-world.ts'

const reasonOf = ({ body }: { readonly body: string }) =>
  (JSON.parse(body) as { error: { details: { reason?: string } } }).error.details.reason

describe('a sign-in at a provider', () => {
  it.each(['', '/fb'])('ends at the page that was wanted, with a session, under "%s"', async (baseURL) => {
    await using world = await oidcWorld({ app: { options: { baseURL } } })
    const visitor = world.browser()
    const { page, fragment, answer } = await visitor.come('anna', { to: '/files/docs/?sort=name' })
    expect(page).toBe(`${baseURL}/login?redirect=%2Ffiles%2Fdocs%2F%3Fsort%3Dname`)
    expect(answer.statusCode).toBe(302)
    expect(answer.headers['referrer-policy']).toBe('same-origin')
    const redeemed = await visitor.redeem(fragment['code'] ?? '')
    expect([redeemed.statusCode, redeemed.body.split('.').length]).toEqual([200, 3])
    expect(visitor.cookies.get('auth')).toBe(redeemed.body)
    expect([...visitor.cookies.keys()].filter((name) => name.startsWith('sign-in-'))).toEqual([])
    expect(decodeJwt<{ user: object }>(redeemed.body).user).toMatchObject({ username: 'anna', perm: { admin: false } })
    const me = await world.server.ask('GET', `${baseURL}/api/resources/`, { headers: { 'x-auth': redeemed.body } })
    expect(me.statusCode).toBe(200)
  })

  it('makes one account of a person who comes in by two devices at once, also under two names', async () => {
    await using world = await oidcWorld()
    const [one, other] = [world.browser(), world.browser()]
    const first = (await one.come('anna')).fragment['code'] ?? ''
    world.provider.people['anna'] = { sub: 'anna', preferred_username: 'anna-maria' }
    const second = (await other.come('anna')).fragment['code'] ?? ''
    const answers = await Promise.all([one.redeem(first), other.redeem(second)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(world.server.context.store.snapshot().users).toHaveLength(2)
  })

  it('gives back the same account, whatever it is called meanwhile, and never another one of that name', async () => {
    await using world = await oidcWorld()
    const { users } = world.server.context.services
    const first = decodeJwt<{ user: { id: number } }>((await world.browser().signIn('anna')).body).user
    world.provider.people['anna'] = { sub: 'anna', preferred_username: 'anna-maria', email: 'new@example.org' }
    const again = decodeJwt<{ user: { id: number } }>((await world.browser().signIn('anna')).body).user
    expect(again.id).toBe(first.id)
    // The same name and address, but another subject: somebody else.
    world.provider.people['eve'] = {
      sub: 'eve',
      preferred_username: 'anna',
      email: 'new@example.org',
      email_verified: true,
    }
    const refused = await world.browser().signIn('eve')
    expect([refused.statusCode, reasonOf(refused)]).toEqual([403, 'nameTaken'])
    expect((await users.list(OPERATOR)).map(({ username }) => username)).toEqual(['admin', 'anna'])
  })

  it('refuses the name of the administrator at a provider', async () => {
    await using world = await oidcWorld()
    world.provider.people['x'] = { preferred_username: 'ADMIN', email: 'admin@example.org', email_verified: true }
    const refused = await world.browser().signIn('x')
    expect([refused.statusCode, reasonOf(refused)]).toEqual([403, 'nameTaken'])
  })

  it.each([
    [{ createUsers: false }, {}, 'noAccount'],
    [{ usernameClaim: 'nickname' }, {}, 'noName'],
  ])('refuses a person without an account, with %o', async (fields, _, reason) => {
    await using world = await oidcWorld({ fields })
    const refused = await world.browser().signIn('anna')
    expect([refused.statusCode, reasonOf(refused)]).toEqual([403, reason])
  })

  it('refuses a disabled account, and lets it in again once it is not', async () => {
    await using world = await oidcWorld()
    const { users } = world.server.context.services
    await world.browser().signIn('anna')
    const { id } = users.find('anna')
    await users.update(OPERATOR, id, { disabled: true })
    const refused = await world.browser().signIn('anna')
    expect([refused.statusCode, reasonOf(refused)]).toEqual([403, 'disabled'])
    await users.update(OPERATOR, id, { disabled: false })
    expect((await world.browser().signIn('anna')).statusCode).toBe(200)
  })

  it('makes no account during maintenance', async () => {
    await using world = await oidcWorld()
    await world.server.context.services.maintenance.begin(OPERATOR, {})
    const refused = await world.browser().signIn('anna')
    expect([refused.statusCode, refused.json<{ error: { code: string } }>().error.code]).toEqual([503, 'MAINTENANCE'])
  })

  it('gives what the claims give, each time anew', async () => {
    const mapping = [
      { claim: 'groups', value: 'it-admins', administrator: true as const },
      { claim: 'quota', value: 'big', quota: 5_000_000 },
    ]
    await using world = await oidcWorld({ fields: { mapping } })
    const find = () => world.server.context.services.users.find('anna')
    world.provider.people['anna'] = { preferred_username: 'anna', groups: ['crew', 'it-admins'], quota: 'big' }
    await world.browser().signIn('anna')
    expect([find().perm.admin, find().quota]).toEqual([true, 5_000_000])
    world.provider.people['anna'] = { preferred_username: 'anna', groups: ['crew', 'IT-ADMINS', 'it-admins-2'] }
    await world.browser().signIn('anna')
    expect(find().perm.admin).toBe(false)
  })

  it('says no more than a word on the page if the provider refuses', async () => {
    await using world = await oidcWorld()
    const { page, fragment } = await world.browser().come(undefined, { to: '/files/a' })
    expect(page).toBe('/login?redirect=%2Ffiles%2Fa')
    expect(fragment).toMatchObject({ problem: 'providerRefused', provider: 'sso' })
    expect(JSON.stringify(fragment)).not.toContain('not assigned')
  })

  it('that is refused is in the activity log', async () => {
    await using world = await oidcWorld()
    await world.browser().come(undefined)
    const admin = await world.server.admin()
    const { body } = await admin.ask('GET', '/api/audit')
    expect(body).toContain('providers.callback')
    expect(body).toContain('sso: providerRefused')
  })
})

describe('attacks on a sign-in at a provider', () => {
  it.each([
    'https://attacker.test/',
    '//attacker.test',
    '/\\attacker.test',
    '\\\\attacker.test',
    '/\t/attacker.test',
    'javascript:alert(1)',
    'files',
    ' /files',
    '/a\n/b',
  ])('do not redirect to %j', async (to) => {
    await using world = await oidcWorld()
    expect((await world.browser().come('anna', { to })).page).toBe('/login')
  })

  it('cannot use the state of another browser, nor make a victim finish theirs', async () => {
    await using world = await oidcWorld()
    const [attacker, victim] = [world.browser(), world.browser()]
    const started = await attacker.start()
    const back = await attacker.atProvider(String(started.headers.location), 'anna')
    expect((await victim.arrive(back)).fragment).toMatchObject({ problem: 'expired' })
    // It is used up, also for the attacker.
    expect((await attacker.arrive(back)).fragment).toMatchObject({ problem: 'expired' })
  })

  it('cannot use the code of another browser for the session (login CSRF)', async () => {
    await using world = await oidcWorld()
    const { fragment } = await world.browser().come('anna')
    const answer = await world.browser().redeem(fragment['code'] ?? '')
    expect([answer.statusCode, reasonOf(answer)]).toEqual([403, 'expired'])
  })

  it('cannot replay an answer of the provider, nor a code for the session', async () => {
    await using world = await oidcWorld()
    const visitor = world.browser()
    const back = await visitor.atProvider(String((await visitor.start()).headers.location), 'anna')
    const { fragment } = await visitor.arrive(back)
    expect((await visitor.redeem(fragment['code'] ?? '')).statusCode).toBe(200)
    expect((await visitor.redeem(fragment['code'] ?? '')).statusCode).toBe(403)
    expect((await visitor.arrive(back)).fragment).toMatchObject({ problem: 'expired' })
  })

  it('cannot bring the answer of one provider to the address of another (mix-up)', async () => {
    await using world = await oidcWorld()
    const { providers } = world.server.context.services
    const [sso] = providers.list(OPERATOR)
    const issuer = sso?.issuer ?? ''
    await providers.add(OPERATOR, { type: 'oidc', name: 'Evil', issuer: `${issuer}/evil`, clientId: 'filemgr' })
    const visitor = world.browser()
    const back = await visitor.atProvider(String((await visitor.start()).headers.location), 'anna')
    expect((await visitor.arrive(back.replace('/sso/', '/evil/'))).fragment).toMatchObject({ problem: 'expired' })
  })

  it('cannot answer in the name of another issuer (RFC 9207)', async () => {
    await using world = await oidcWorld()
    const visitor = world.browser()
    const back = await visitor.atProvider(String((await visitor.start()).headers.location), 'anna')
    const changed = back.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fattacker.test')
    expect(changed).not.toBe(back)
    expect((await visitor.arrive(changed)).fragment).toMatchObject({ problem: 'providerInvalid' })
  })

  it('cannot finish a sign-in after ten minutes, or with a provider that was switched off', async () => {
    await using world = await oidcWorld()
    const visitor = world.browser()
    const late = await visitor.atProvider(String((await visitor.start()).headers.location), 'anna')
    world.server.context.clock.move(11 * 60_000)
    expect((await visitor.arrive(late)).fragment).toMatchObject({ problem: 'expired' })
    world.server.context.clock.move(-11 * 60_000)
    const back = await visitor.atProvider(String((await visitor.start()).headers.location), 'anna')
    await world.server.context.services.providers.change(OPERATOR, 'sso', { enabled: false })
    expect((await visitor.arrive(back)).fragment).toMatchObject({ problem: 'providerOff' })
    expect((await visitor.start()).headers.location).toContain('problem=providerOff')
  })

  it('do not reach a sign-in with a clock that is off by more than five minutes', async () => {
    await using world = await oidcWorld()
    world.server.context.clock.move(6 * 60_000)
    expect((await world.browser().come('anna')).fragment).toMatchObject({ problem: 'providerClock' })
    world.server.context.clock.move(-2 * 60_000)
    expect((await world.browser().come('anna')).fragment).toMatchObject({
      provider: 'sso',
      code: expect.any(String) as string,
    })
  })

  it('cannot begin sign-ins without end', async () => {
    await using world = await oidcWorld()
    const visitor = world.browser()
    for (let count = 0; count < 300; count += 1) await visitor.start()
    expect((await visitor.start()).headers.location).toContain('problem=RATE_LIMITED')
  })

  it('find a cookie that scripts and other paths do not see', async () => {
    await using world = await oidcWorld({ app: { options: { baseURL: '/fb' } } })
    const cookie = String((await world.browser().start()).headers['set-cookie'])
    expect(cookie).toMatch(
      /^sign-in-[\w-]{8}=[\w-]{43}; Max-Age=600; Path=\/fb\/api\/sign-in\/; HttpOnly; SameSite=Lax$/,
    )
  })

  it('do not reach a provider on a private address that the operator has not named', async () => {
    await using world = await oidcWorld({ app: { options: { signInHosts: [] } } })
    expect((await world.browser().start()).headers.location).toContain('problem=providerPrivate')
  })
})

describe('the end of a session', () => {
  it('comes when the provider is switched off or removed', async () => {
    await using world = await oidcWorld()
    const { body: token } = await world.browser().signIn('anna')
    const status = async () =>
      (await world.server.ask('GET', '/api/resources/', { headers: { 'x-auth': token } })).statusCode
    expect(await status()).toBe(200)
    await world.server.context.services.providers.remove(OPERATOR, 'sso')
    expect(await status()).toBe(401)
  })

  it('leads to the provider if it is to sign out there, too', async () => {
    await using world = await oidcWorld({ fields: { signsOut: true } })
    const { body: token } = await world.browser().signIn('anna')
    const answer = await world.server.ask('POST', '/api/logout', { headers: { 'x-auth': token } })
    const url = new URL(answer.json<{ url: string }>().url)
    expect(url.origin).toBe(world.provider.issuer)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      post_logout_redirect_uri: `${SITE}/login`,
      client_id: 'filemgr',
      id_token_hint: expect.stringMatching(/^ey/) as string,
    })
    const there = await fetch(url, { redirect: 'manual' })
    expect(there.status).toBe(200)
  })

  it('stays here if the provider is not to sign out', async () => {
    await using world = await oidcWorld()
    const { body: token } = await world.browser().signIn('anna')
    const answer = await world.server.ask('POST', '/api/logout', { headers: { 'x-auth': token } })
    expect(answer.statusCode).toBe(204)
  })
})

const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout'

describe('a provider that ends sessions', () => {
  async function openWorld() {
    const world = await oidcWorld({
      provider: { backchannelLogoutUri: 'http://127.0.0.1:9/none' },
    })
    const { body: token } = await world.browser().signIn('anna')
    const isAlive = async () =>
      (await world.server.ask('GET', '/api/resources/', { headers: { 'x-auth': token } })).statusCode === 200
    const { sessions } = world.server.context
    const now = () => Math.floor(Date.now() / 1000)
    let count = 0
    const claims = (change: object = {}) => ({
      iss: world.provider.issuer,
      aud: 'filemgr',
      sub: 'anna',
      iat: now(),
      exp: now() + 120,
      jti: `token-${(count += 1)}`,
      events: { [LOGOUT]: {} },
      ...change,
    })
    const send = async (token: string, id = 'sso') =>
      await world.server.ask('POST', `/api/sign-in/${id}/logout`, {
        payload: new URLSearchParams({ logout_token: token }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const sid = () => sessions.all().find(({ provider }) => provider === 'sso')?.providerSession
    return { ...world, isAlive, claims, send, sid, [Symbol.asyncDispose]: world[Symbol.asyncDispose] }
  }

  it('ends those of the person at once', async () => {
    await using world = await openWorld()
    const token = await world.provider.sign(world.claims(), { typ: 'logout+jwt' })
    expect((await world.send(token)).statusCode).toBe(200)
    expect(await world.isAlive()).toBe(false)
    expect((await world.send(token)).statusCode, 'used again').toBe(400)
  })

  it('ends only the one that it names', async () => {
    await using world = await openWorld()
    expect(world.sid()).toMatch(/./)
    const other = await world.provider.sign(world.claims({ sid: 'another' }), { typ: 'logout+jwt' })
    expect((await world.send(other)).statusCode).toBe(200)
    expect(await world.isAlive()).toBe(true)
    const own = await world.provider.sign(world.claims({ sid: world.sid(), sub: undefined }), { typ: 'logout+jwt' })
    expect((await world.send(own)).statusCode).toBe(200)
    expect(await world.isAlive()).toBe(false)
  })

  it.each([
    ['a nonce, as ID tokens have', { nonce: 'x' }, {}],
    ['no event', { events: undefined }, {}],
    ['another event', { events: { 'urn:other': {} } }, {}],
    ['another audience', { aud: 'other' }, {}],
    ['another issuer', { iss: 'https://attacker.test' }, {}],
    ['neither person nor session', { sub: undefined }, {}],
    ['no id', { jti: undefined }, {}],
    ['a time long ago', { iat: Math.floor(Date.now() / 1000) - 3600 }, {}],
    ['an end long ago', { exp: Math.floor(Date.now() / 1000) - 400 }, {}],
    ['another type', {}, { typ: 'at+jwt' }],
    ['an unknown key', {}, { typ: 'logout+jwt', kid: 'other' }],
  ])('is refused with %s', async (_, change, header) => {
    await using world = await openWorld()
    const answer = await world.send(await world.provider.sign(world.claims(change), { typ: 'logout+jwt', ...header }))
    expect([answer.statusCode, await world.isAlive()]).toEqual([400, true])
  })

  it('is refused without a signature, with a forged one, or at the address of another provider', async () => {
    await using world = await openWorld()
    const [, body] = (await world.provider.sign(world.claims())).split('.')
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
    const hmac = `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${body}.c2ln`
    const statuses = [
      await world.send(none),
      await world.send(hmac),
      await world.send('x'),
      await world.send(await world.provider.sign(world.claims()), 'other'),
    ]
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400])
    expect(await world.isAlive()).toBe(true)
  })
})
