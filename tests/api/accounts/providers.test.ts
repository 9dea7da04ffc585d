import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { ProviderTest, ProviderView, WaysToSignIn } from '../../../src/domain/accounts/provider-view.ts'
import { type Client, PASSWORD } from '../../helpers/api/test-app.ts'
import { oidcWorld, type Visitor } from '../../helpers/oidc/oidc-world.ts'
import { CLIENT_SECRET } from '../../helpers/oidc/test-provider.ts'

async function send(client: Client, method: 'POST' | 'PATCH' | 'DELETE', url: string, body: object = {}) {
  const payload = JSON.stringify({ current_password: PASSWORD, ...body })
  return await client.ask(method, url, { payload, headers: { accept: 'application/json' } })
}

const NEW = { type: 'oidc', name: 'Partner login', issuer: 'https://sso.example.org', clientId: 'filemgr' }

describe('the providers of an administrator', () => {
  it('are added, changed, listed and removed', async () => {
    await using world = await oidcWorld()
    const admin = await world.server.admin()
    const added = (await send(admin, 'POST', '/api/providers', { ...NEW, secret: 'hidden' })).json<ProviderView>()
    expect(added).toMatchObject({ id: 'partner-login', hasSecret: true, enabled: true, createUsers: false, people: 0 })
    const changed = await send(admin, 'PATCH', '/api/providers/partner-login', { name: 'Partners', enabled: false })
    expect(changed.json()).toEqual({ ...added, name: 'Partners', enabled: false })
    const list = (await admin.ask('GET', '/api/providers')).json<ProviderView[]>()
    expect(list.map(({ id, name }) => [id, name])).toEqual([
      ['sso', 'Example SSO'],
      ['partner-login', 'Partners'],
    ])
    expect((await send(admin, 'DELETE', '/api/providers/partner-login')).statusCode).toBe(204)
    expect((await send(admin, 'DELETE', '/api/providers/partner-login')).statusCode).toBe(404)
  })

  it('keep their secrets out of every reply, the activity log and the log', async () => {
    await using world = await oidcWorld()
    const admin = await world.server.admin()
    await send(admin, 'POST', '/api/providers', { ...NEW, secret: 'hidden-secret-1' })
    await send(admin, 'PATCH', '/api/providers/partner-login', { secret: 'hidden-secret-2' })
    const texts = await Promise.all(
      ['/api/providers', '/api/audit', '/api/settings/all'].map(async (url) => (await admin.ask('GET', url)).body),
    )
    expect([...texts, JSON.stringify(world.server.log)].join('')).not.toContain('hidden-secret')
  })

  it.each([
    ['an address without TLS', { issuer: 'http://sso.example.org' }, 'issuer'],
    ['no address', { issuer: 'sso' }, 'issuer'],
    ['a query', { issuer: 'https://sso.example.org/?realm=x' }, 'issuer'],
    ['an empty client id', { clientId: '' }, 'clientId'],
    ['an id with a slash', { id: 'a/b' }, 'id'],
    ['a file as secret', { secretFile: '/etc/shadow' }, 'secretFile'],
    ['a variable as secret', { secretVariable: 'HOME' }, 'secretVariable'],
    ['the wrong password', { current_password: 'wrong' }, 'current_password'],
  ])('are refused with %s', async (_, change, field) => {
    await using world = await oidcWorld()
    const answer = await send(await world.server.admin(), 'POST', '/api/providers', { ...NEW, ...change })
    expect([400, 403]).toContain(answer.statusCode)
    expect(answer.json<{ error: { details: { field: string } } }>().error.details.field).toBe(field)
  })

  it('are never sent the secret of another address', async () => {
    await using world = await oidcWorld()
    const admin = await world.server.admin()
    const moved = { issuer: 'https://attacker.test' }
    expect((await send(admin, 'PATCH', '/api/providers/sso', moved)).statusCode).toBe(400)
    expect((await send(admin, 'PATCH', '/api/providers/sso', { ...moved, secret: 'new' })).statusCode).toBe(200)
  })

  it('can have a secret from a file, which the operator names', async () => {
    await using world = await oidcWorld()
    const file = join(world.server.root, 'secret')
    await writeFile(file, `${CLIENT_SECRET}\n`)
    await world.server.context.services.providers.change(OPERATOR, 'sso', { secretFile: file })
    expect((await world.browser().signIn('anna')).statusCode).toBe(200)
    await writeFile(file, '')
    expect((await world.browser().start()).headers.location).toContain('problem=secretMissing')
  })

  it('are tested step by step, with what claims would give', async () => {
    const mapping = [{ claim: 'realm_access.roles', value: 'boss', administrator: true as const }]
    await using world = await oidcWorld({ fields: { mapping } })
    const admin = await world.server.admin()
    const test = async (claims?: object) =>
      (await send(admin, 'POST', '/api/providers/sso/test', { claims })).json<ProviderTest>()
    const sound = await test({ preferred_username: 'anna', realm_access: { roles: ['boss'] } })
    expect([sound.works, sound.gives]).toEqual([true, { username: 'anna', administrator: true, groups: [] }])
    expect(sound.steps.map(({ step, passed }) => [step, passed])).toEqual([
      ['reach', true],
      ['client', true],
      ['clock', true],
      ['claims', true],
    ])
    const lacking = await test({ preferred_username: 'anna' })
    expect(lacking.steps.at(-1)).toMatchObject({ passed: false, missing: ['realm_access.roles'] })
    await send(admin, 'PATCH', '/api/providers/sso', { secret: 'wrong' })
    const refused = await test()
    expect([refused.works, refused.steps[1]?.reason]).toEqual([false, 'providerClient'])
    await world.provider[Symbol.asyncDispose]()
    expect((await test()).steps).toEqual([
      expect.objectContaining({ step: 'reach', passed: false, reason: 'providerAway' }),
    ])
    world.provider[Symbol.asyncDispose] = async () => undefined
  })
})

describe('linking an account', () => {
  async function openWorld() {
    const world = await oidcWorld({ fields: { createUsers: false } })
    const user = await world.server.user('bob', { download: true })
    const visitor = world.browser()
    const auth = { 'x-auth': user.token, accept: 'application/json' }
    const begin = async (password = PASSWORD) =>
      await visitor.ask('POST', '/api/sign-in/sso/link', { to: '/settings/profile', current_password: password }, auth)
    const toProvider = async (name = 'anna') => {
      const { url } = (await begin()).json<{ url: string }>()
      return await visitor.arrive(await visitor.atProvider(url, name))
    }
    const ways = async () => (await user.ask('GET', '/api/users/2/identities')).json<WaysToSignIn>()
    const finish = async (code: string, from: Visitor = visitor, headers: Record<string, string> = auth) =>
      await from.ask('POST', '/api/sign-in/sso/identity', { code }, headers)
    return {
      ...world,
      user,
      visitor,
      begin,
      toProvider,
      ways,
      finish,
      [Symbol.asyncDispose]: world[Symbol.asyncDispose],
    }
  }

  it('needs the password, ends in the profile, and opens a second way', async () => {
    await using world = await openWorld()
    expect((await world.begin('wrong')).statusCode).toBe(400)
    const { page, fragment } = await world.toProvider()
    expect([page, fragment['provider']]).toEqual(['/settings/profile', 'sso'])
    const linked = (await world.finish(fragment['link'] ?? '')).json<WaysToSignIn>()
    expect(linked).toMatchObject({
      hasPassword: true,
      linkable: [],
      identities: [{ subject: 'anna', provider: 'sso' }],
    })
    expect((await world.browser().signIn('anna')).statusCode).toBe(200)
  })

  it('is refused to another browser, another user, and as a sign-in', async () => {
    await using world = await openWorld()
    const eve = await world.server.user('eve')
    const { fragment } = await world.toProvider()
    const code = fragment['link'] ?? ''
    const asEve = { 'x-auth': eve.token }
    expect((await world.finish(code, world.browser())).statusCode).toBe(403)
    const second = (await world.toProvider()).fragment['link'] ?? ''
    expect((await world.finish(second, world.visitor, asEve)).statusCode).toBe(403)
    const third = (await world.toProvider()).fragment['link'] ?? ''
    expect((await world.visitor.redeem(third)).statusCode).toBe(403)
    expect((await world.ways()).identities).toEqual([])
  })

  it('is refused for a person who has an account', async () => {
    await using world = await openWorld()
    await world.finish((await world.toProvider()).fragment['link'] ?? '')
    const admin = await world.server.admin()
    const taken = await send(admin, 'POST', '/api/users/1/identities', { provider: 'sso', subject: 'anna' })
    expect(taken.statusCode).toBe(409)
  })

  it('is undone by the owner, who keeps another way, and ends the sessions from there', async () => {
    await using world = await openWorld()
    await world.finish((await world.toProvider()).fragment['link'] ?? '')
    const { body: token } = await world.browser().signIn('anna')
    const [identity] = (await world.ways()).identities
    const gone = await send(world.user, 'DELETE', '/api/users/2/identities', identity)
    expect(gone.json()).toMatchObject({ identities: [], linkable: [{ id: 'sso' }] })
    const status = await world.server.ask('GET', '/api/resources/', { headers: { 'x-auth': token } })
    expect(status.statusCode).toBe(401)
    expect((await world.browser().signIn('anna')).statusCode).toBe(403)
  })

  it('cannot be undone by somebody without any other way', async () => {
    await using world = await oidcWorld()
    const { body: token } = await world.browser().signIn('anna')
    const headers = { 'x-auth': token, accept: 'application/json' }
    const { identities } = (await world.server.ask('GET', '/api/users/2/identities', { headers })).json<WaysToSignIn>()
    const payload = JSON.stringify(identities[0])
    const refused = await world.server.ask('DELETE', '/api/users/2/identities', { headers, payload })
    expect(refused.statusCode).toBe(409)
    const admin = await world.server.admin()
    expect((await send(admin, 'DELETE', '/api/users/2/identities', identities[0])).statusCode).toBe(200)
  })

  it('is done by administrators by the subject', async () => {
    await using world = await openWorld()
    const admin = await world.server.admin()
    const linked = await send(admin, 'POST', '/api/users/2/identities', {
      provider: 'sso',
      subject: 'anna',
      label: 'Anna',
    })
    expect(linked.json()).toMatchObject({ identities: [{ subject: 'anna', label: 'Anna' }] })
    expect((await world.browser().signIn('anna')).statusCode).toBe(200)
  })
})
