import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { PASSWORD, testApp, type TestApp } from '../../helpers/api/test-app.ts'

const BOB = 2 as never

const login = async (server: TestApp, username: string) =>
  await server.ask('POST', '/api/login', {
    payload: JSON.stringify({ username, password: PASSWORD }),
    headers: { accept: 'application/json' },
  })

const disable = async ({ context }: TestApp, disabled: boolean) =>
  await context.services.users.update(OPERATOR, BOB, { disabled })

describe('a disabled account', () => {
  it('can no longer sign in, and its devices are signed out', async () => {
    await using server = await testApp()
    const bob = await server.user('bob', { share: true, download: true })
    await disable(server, true)
    expect((await bob.ask('GET', '/api/resources/')).statusCode).toBe(401)
    expect((await bob.ask('POST', '/api/renew')).statusCode).toBe(401)
    const answer = await login(server, 'bob')
    expect([answer.statusCode, answer.json()]).toEqual([
      403,
      {
        error: {
          code: 'FORBIDDEN',
          message: 'this account is disabled; ask an administrator',
          details: { field: 'username', reason: 'disabled' },
        },
      },
    ])
    await disable(server, false)
    expect((await login(server, 'bob')).statusCode).toBe(200)
    expect((await bob.ask('GET', '/api/resources/')).statusCode).toBe(401)
  })

  it('is not revealed to a client without its password', async () => {
    await using server = await testApp()
    await server.user('bob')
    await disable(server, true)
    const ask = async (username: string) =>
      (await server.ask('POST', '/api/login', { payload: JSON.stringify({ username, password: 'wrong' }) })).body
    expect(await ask('bob')).toBe(await ask('nobody'))
  })

  it('has links that do not open until it is enabled again', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const bob = await server.user('bob', { share: true, download: true })
    const made = await bob.ask('POST', '/api/share/a.txt', { payload: '{}' })
    const { hash } = made.json<{ hash: string }>()
    const statusOf = async () => (await server.ask('GET', `/api/public/share/${hash}`)).statusCode
    expect(await statusOf()).toBe(200)
    await disable(server, true)
    expect(await statusOf()).toBe(404)
    await disable(server, false)
    expect(await statusOf()).toBe(200)
  })

  it('is never the last administrator', async () => {
    await using server = await testApp()
    await server.user('bob', { admin: true })
    await disable(server, true)
    const { users } = server.context.services
    await expect(users.update(OPERATOR, 1 as never, { disabled: true })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(users.remove(OPERATOR, 1 as never)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('stays disabled when an old client writes the whole account, and only administrators change it', async () => {
    await using server = await testApp()
    const [admin, bob] = [await server.admin(), await server.user('bob')]
    const { perm, ...rest } = (await admin.ask('GET', '/api/users/2')).json<{ perm: object }>()
    const write = async (client: typeof admin, which: string[], data: object) =>
      (
        await client.ask('PUT', '/api/users/2', {
          payload: JSON.stringify({
            what: 'user',
            which,
            current_password: PASSWORD,
            data: { ...rest, perm, ...data },
          }),
        })
      ).statusCode
    expect(await write(bob, ['disabled'], { disabled: true })).toBe(403)
    expect(await write(admin, ['disabled'], { disabled: true })).toBe(200)
    expect(await write(admin, [], {})).toBe(200)
    expect((await admin.ask('GET', '/api/users/2')).json()).toMatchObject({ disabled: true })
  })

  it('is not the one that is used when sign-in is switched off', async () => {
    await using server = await testApp({ options: { noAuth: true } })
    await server.context.services.users.create(OPERATOR, {
      username: 'second',
      password: PASSWORD,
      scope: '/',
      perm: { admin: true },
    })
    await server.context.services.users.update(OPERATOR, 1 as never, { disabled: true })
    const { body } = await login(server, '')
    const { user } = JSON.parse(Buffer.from(body.split('.')[1] ?? '', 'base64url').toString()) as { user: object }
    expect(user).toMatchObject({ username: 'second' })
  })
})

describe('when a user was last seen', () => {
  it('is shown to administrators, also after the user has signed out', async () => {
    await using server = await testApp()
    const { clock } = server.context
    const admin = await server.admin()
    const seen = async (id: number) =>
      (await admin.ask('GET', `/api/users/${id}`)).json<{ lastSeenAt?: string }>().lastSeenAt
    await server.context.services.users.create(OPERATOR, { username: 'eve', password: PASSWORD, scope: '/' })
    expect(await seen(2)).toBeUndefined()
    const signedIn = new Date(clock.now()).toISOString()
    const { body: token } = await login(server, 'eve')
    expect(await seen(2)).toBe(signedIn)
    const { users } = server.context.services
    expect(users.find('eve').lastSeenAt).toBe(signedIn)
    expect((await users.update(OPERATOR, users.find('eve').id, { locale: 'de' })).lastSeenAt).toBe(signedIn)
    await server.ask('POST', '/api/logout', { headers: { 'x-auth': token } })
    clock.move(60_000)
    expect(await seen(2)).toBe(signedIn)
  })
})
