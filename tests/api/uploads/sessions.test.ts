import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/api/index.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { ALL_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import { PASSWORD, testApp, type Client, type TestApp } from '../../helpers/api/test-app.ts'

const PART = 'application/offset+octet-stream'
const HOUR = 60 * 60 * 1000
const ADDRESS = '/api/tus/a.txt'

interface World extends AsyncDisposable {
  readonly server: TestApp
  readonly bob: Client
}

/** Bob begins an upload of six bytes. Then his token, which is valid for two hours, expires. */
async function expired(): Promise<World> {
  const server = await testApp({ files: { 'other.txt': 'other' } })
  const bob = await server.user('bob', { create: true, download: true })
  await begin(bob)
  server.context.clock.move(3 * HOUR)
  return { server, bob, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() }
}

const begin = async (client: Client, url = ADDRESS) =>
  (await client.ask('POST', url, { headers: { 'upload-length': '6' } })).statusCode

const part = async (client: Client, offset: number, payload: string) =>
  (
    await client.ask('PATCH', ADDRESS, {
      headers: { 'upload-offset': String(offset), 'content-type': PART },
      payload,
    })
  ).statusCode

const statusOf = async (client: Client, method: 'HEAD' | 'GET' | 'DELETE' | 'POST', url = ADDRESS) =>
  (await client.ask(method, url)).statusCode

/** Tries the three ways to continue, with DELETE last, as it would end the upload. */
async function expectEnded(client: Client): Promise<void> {
  expect(await statusOf(client, 'HEAD')).toBe(401)
  expect(await part(client, 0, 'abc')).toBe(401)
  expect(await statusOf(client, 'DELETE')).toBe(401)
}

describe('an upload whose session has expired', () => {
  it('can be continued and finished with the same token', async () => {
    await using world = await expired()
    const { bob, server } = world
    expect(await statusOf(bob, 'HEAD')).toBe(200)
    expect(await part(bob, 0, 'abc')).toBe(204)
    server.context.clock.move(20 * HOUR)
    expect(await part(bob, 3, 'def')).toBe(204)
    expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe('abcdef')
    expect(await statusOf(bob, 'HEAD')).toBe(200)
  })

  it('can be cancelled with the same token', async () => {
    await using world = await expired()
    expect(await statusOf(world.bob, 'DELETE')).toBe(204)
    expect(await statusOf(world.bob, 'HEAD')).toBe(401)
  })

  it('can be continued by another device, also after the session of that device has expired', async () => {
    await using world = await expired()
    const again = await world.server.login('bob')
    expect(await part(again, 0, 'abc')).toBe(204)
    world.server.context.clock.move(3 * HOUR)
    expect(await part(again, 3, 'd')).toBe(204)
    expect(await part(world.bob, 4, 'ef')).toBe(204)
  })

  it('cannot be continued with an expired token that never took part in it', async () => {
    await using server = await testApp()
    const bob = await server.user('bob', { create: true })
    const other = await server.login('bob')
    await begin(bob)
    await begin(other, '/api/tus/b.txt')
    server.context.clock.move(3 * HOUR)
    expect(await statusOf(other, 'HEAD', '/api/tus/b.txt')).toBe(200)
    await expectEnded(other)
    expect(await statusOf(bob, 'HEAD')).toBe(200)
  })

  it('does not accept the expired token once the upload itself has expired', async () => {
    await using world = await expired()
    world.server.context.clock.move(24 * HOUR)
    await expectEnded(world.bob)
  })

  it('opens nothing else: an expired token on any other operation is refused', async () => {
    await using world = await expired()
    const late = new Set(['uploads.append', 'uploads.discard'])
    for (const { id, method, path, access } of OPERATIONS) {
      // These need no session: they are public, guarded by a share, or continue an upload.
      if (access === 'public' || access === 'share' || late.has(id)) continue
      const url = path.replace('*', 'other.txt').replaceAll(/:\w+/g, '1')
      const answer = await world.bob.ask(method, url, { headers: { 'upload-length': '1' }, payload: '{}' })
      expect(answer.statusCode, id).toBe(401)
      expect(answer.headers['x-renew-token'], id).toBeUndefined()
    }
    expect(await statusOf(world.bob, 'GET')).toBe(401)
    expect(await statusOf(world.bob, 'HEAD', '/api/tus/other.txt')).toBe(401)
    expect(await statusOf(world.bob, 'DELETE', '/api/tus/other.txt')).toBe(401)
    expect(await statusOf(world.bob, 'POST')).toBe(401)
  })

  it('gives no access to files, even in code that forgets to check the session', async () => {
    await using world = await expired()
    const { services } = world.server.context
    const { actor } = await services.auth.authenticateForUpload(world.bob.token, { address: '::1', userAgent: '' })
    await expect(services.access.at(actor, '/')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })
})

describe('an upload ends with its session, expired or not, when', () => {
  const account = async ({ server }: World) => {
    const { users } = server.context.services
    return (await users.list(OPERATOR)).find(({ username }) => username === 'bob')?.id ?? fail()
  }
  const fail = (): never => {
    throw new Error('bob is missing')
  }

  const ends: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    'an administrator ends the session': async (world) => {
      const { sessions } = world.server.context.services
      const [device] = await sessions.list(OPERATOR, { userId: await account(world) })
      await sessions.revoke(OPERATOR, device?.id ?? '')
    },
    'all sessions of the user are ended': async (world) =>
      await world.server.context.services.sessions.revokeAllOf(OPERATOR, await account(world)),
    'the password is changed': async (world) =>
      await world.server.context.services.users.setPassword(OPERATOR, await account(world), `${PASSWORD} anew`),
    'the user is deleted': async (world) =>
      await world.server.context.services.users.remove(OPERATOR, await account(world)),
    'the user becomes an administrator': async (world) =>
      await world.server.context.services.users.update(OPERATOR, await account(world), { perm: ALL_PERMISSIONS }),
    'the key of all tokens is changed': async (world) =>
      await world.server.context.store.update((draft) => {
        draft.secrets.tokenKey = 'x'.repeat(86)
      }),
  }

  it.each(Object.entries(ends))('%s', async (_, end) => {
    await using world = await expired()
    expect(await statusOf(world.bob, 'HEAD')).toBe(200)
    await end(world)
    await expectEnded(world.bob)
  })

  it('its user signs out before the token expires', async () => {
    await using server = await testApp()
    const bob = await server.user('bob', { create: true })
    await begin(bob)
    expect((await bob.ask('POST', '/api/logout')).statusCode).toBe(204)
    server.context.clock.move(3 * HOUR)
    await expectEnded(bob)
  })

  it('its token was replaced by a renewal, after which the new one continues it', async () => {
    await using server = await testApp()
    const bob = await server.user('bob', { create: true })
    await begin(bob)
    const token = (await bob.ask('POST', '/api/renew')).body
    server.context.clock.move(3 * HOUR)
    await expectEnded(bob)
    const headers = { 'x-auth': token, 'upload-offset': '0', 'content-type': PART }
    expect((await server.ask('PATCH', ADDRESS, { headers, payload: 'abc' })).statusCode).toBe(204)
  })

  it('its user may no longer create files', async () => {
    await using world = await expired()
    await world.server.context.store.update((draft) => {
      for (const user of draft.users) user.perm.create = false
    })
    expect(await part(world.bob, 0, 'abc')).toBe(403)
  })
})
