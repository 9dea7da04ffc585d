import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { fastify, type FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/api/index.ts'
import { hashByBcrypt } from '../../../src/platform/security/password-hasher.ts'
import { digestOf } from '../../../src/platform/security/tokens.ts'
import { shareGuard } from '../../../src/http/plugins/route-guards.ts'
import { movableClock } from '../../helpers/movable-clock.ts'
import {
  denyAll,
  download,
  MAY_SHARE,
  serveShared,
  shareOf,
  statuses,
  visit,
  withPassword,
} from '../../helpers/api/shared.ts'
import { PASSWORD } from '../../helpers/api/test-app.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Every address that the application answers, however it was declared. */
function routesOfNextApp(): { readonly urls: readonly string[] } & Disposable {
  const urls: string[] = []
  const listen = (message: unknown) => {
    const { fastify: app } = message as { readonly fastify: FastifyInstance }
    app.addHook('onRoute', ({ url }) => void urls.push(url))
  }
  subscribe('fastify.initialization', listen)
  return { urls, [Symbol.dispose]: () => void unsubscribe('fastify.initialization', listen) }
}

describe('the guard of public links', () => {
  it('CVE-2025-52996, CVE-2026-27611, GHSA-525j-95gf-766f: no address beneath /api/public/ answers without the password', async () => {
    using routes = routesOfNextApp()
    const { server, ann } = await serveShared()
    await using _server = server
    const { hash } = await shareOf(ann, '/docs', { password: 'open' })
    const found = new Set(routes.urls.filter((url) => url.startsWith('/api/public/')))
    expect(found).toEqual(new Set(OPERATIONS.filter(({ access }) => access === 'share').map(({ path }) => path)))
    for (const address of found) {
      const known = OPERATIONS.filter(({ access, path }) => access === 'share' && path === address)
      for (const method of METHODS) {
        for (const rest of [
          '',
          '/',
          '/a.txt',
          '/sub/b.txt',
          '/nothing',
          '?algo=zip',
          '?inline=true',
          '/a.txt?token=abc',
        ]) {
          const { statusCode, body } = await server.ask(method, `${address.replace('*', hash)}${rest}`)
          expect([401, 404, 405], `${method} ${address}${rest}`).toContain(statusCode)
          if (known.some((operation) => operation.method === method))
            expect([statusCode, body], address).toEqual([401, '401 Unauthorized\n'])
        }
      }
    }
  })

  it('CVE-2026-27611: a route that would miss the guard keeps the daemon from starting', async () => {
    const { server } = await serveShared()
    await using _server = server
    await using app = fastify()
    shareGuard(app, server.context)
    const handler = () => 'open'
    expect(() => app.get('/api/public/new/*', { config: { access: 'public' } }, handler)).toThrow(
      'must have access "share"',
    )
    expect(() => app.get('/api/public/new/*', handler)).toThrow('must have access "share"')
    expect(() => app.get('/api/elsewhere', { config: { access: 'share' } }, handler)).toThrow(
      'must have access "share"',
    )
    app.post('/api/public/new/*', { config: { access: 'share' } }, handler)
    expect((await app.inject({ method: 'POST', url: '/api/public/new/abc' })).statusCode).toBe(405)
  })

  it('says nothing about the target before the password, neither that it is gone nor that it is denied', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const share = await shareOf(ann, '/docs', { password: 'open' })
    await denyAll(server, '/docs')
    expect(await statuses(server, share)).toEqual([401, 401])
    expect((await visit(server, share, '', withPassword('open'))).statusCode).toBe(403)
  })

  it('CVE-2026-44542, CVE-2026-48777: nothing is changed or deleted by a link', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const { hash } = await shareOf(ann, '/docs')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      for (const url of [`share/${hash}/a.txt`, `dl/${hash}/a.txt`, `share/${hash}/..%2Fsecret.txt`]) {
        const { statusCode } = await server.ask(method, `/api/public/${url}`, { payload: 'x' })
        expect([301, 400, 404, 405], `${method} ${url}`).toContain(statusCode)
      }
    }
    expect((await download(server, { hash }, '/a.txt')).body).toBe('alpha')
  })

  it('a signed-in user, even the owner, needs the password of the link', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const { hash } = await shareOf(ann, '/docs', { password: 'open' })
    expect((await ann.ask('GET', `/api/public/share/${hash}`)).statusCode).toBe(401)
  })
})

describe('passwords of links', () => {
  it('are not accepted for a second after ten wrong ones, but a token still opens the link', async () => {
    const clock = movableClock()
    const { server, ann } = await serveShared({ clock })
    await using _server = server
    const share = await shareOf(ann, '/docs', { password: 'open' })
    const { token } = (await visit(server, share, '', withPassword('open'))).json<{ token: string }>()
    for (let count = 0; count < 10; count += 1) {
      expect((await visit(server, share, '', withPassword(`wrong ${count}`))).statusCode).toBe(401)
    }
    const refused = await download(server, share, '', withPassword('open'))
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
    expect((await visit(server, share, `?token=${token}`)).statusCode).toBe(200)
    expect((await visit(server, share)).statusCode).toBe(401)
    clock.move(1000)
    expect((await visit(server, share, '', withPassword('open'))).statusCode).toBe(200)
  })

  it('are answered with a token if they are right, which opens this share only', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const [share, other] = [
      await shareOf(ann, '/docs', { password: 'open' }),
      await shareOf(ann, '/docs', { password: 'open' }),
    ]
    const { token } = (await visit(server, share, '', withPassword('open'))).json<{ token: string }>()
    expect(token).toMatch(/^[\w-]{128}$/)
    expect((await visit(server, share, `/sub?token=${token}`)).json()).toMatchObject({ path: '/sub', token })
    expect((await visit(server, share, `/a.txt?token=${token}`)).json()).toMatchObject({ path: '/a.txt', token })
    expect((await download(server, share, `/a.txt?token=${token}`)).body).toBe('alpha')
    expect(await statuses(server, other, `?token=${token}`)).toEqual([401, 401])
    expect((await visit(server, share, '?token=wrong', withPassword('open'))).statusCode).toBe(200)
    expect(await statuses(server, share, '?token=')).toEqual([401, 401])
    expect((await visit(server, await shareOf(ann, '/docs'), `?token=${token}`)).statusCode).toBe(200)
  })

  it('a token of an old installation, kept as a digest, opens until the password is changed', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const share = await shareOf(ann, '/docs', { password: 'open' })
    await server.context.store.update((draft) => {
      for (const record of draft.shares) record.tokenHash = digestOf('token of old')
    })
    const found = await visit(server, share, '?token=token%20of%20old')
    expect([found.statusCode, found.json()]).toEqual([200, expect.objectContaining({ path: '/' })])
    expect(found.body).not.toContain('token of old')
    expect((await visit(server, share, `?token=${digestOf('token of old')}`)).statusCode).toBe(401)
    await ann.ask('PUT', `/api/shares/${share.hash}`, { payload: '{"password":"other"}' })
    expect((await visit(server, share, '?token=token%20of%20old')).statusCode).toBe(401)
  })

  it('a password of an old installation, hashed by bcrypt, is accepted', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const share = await shareOf(ann, '/docs', { password: 'open' })
    const passwordHash = await hashByBcrypt('password of old')
    await server.context.store.update((draft) => {
      for (const record of draft.shares) record.passwordHash = passwordHash
    })
    expect((await visit(server, share, '', withPassword('open'))).statusCode).toBe(401)
    expect((await visit(server, share, '', withPassword('password of old'))).statusCode).toBe(200)
  })

  it('a password that cannot be decoded, or is empty, is refused', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const share = await shareOf(ann, '/docs', { password: 'open' })
    const headers = { 'x-share-password': '%zz' }
    expect((await visit(server, share, '', { headers })).statusCode).toBe(401)
    expect((await visit(server, share, '', { headers: { 'x-share-password': '' } })).statusCode).toBe(401)
  })

  it('are never logged, nor are tokens or whole hashes', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const share = await shareOf(ann, '/docs', { password: 'the password' })
    const { token } = (await visit(server, share, '', withPassword('the password'))).json<{ token: string }>()
    await download(server, share, `/a.txt?token=${token}`)
    await visit(server, share, '', withPassword('wrong password'))
    const log = JSON.stringify(server.log)
    expect(log).toContain(share.hash.slice(0, 4))
    for (const secret of [share.hash, token, 'password']) expect(log).not.toContain(secret)
  })
})

describe('the owner of a link', () => {
  it('CVE-2025-64523: nobody else changes or deletes a link by its hash', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const bob = await server.user('bob', MAY_SHARE)
    const { hash } = await shareOf(ann, '/docs')
    for (const [method, url] of [
      ['GET', `/api/shares/${hash}`],
      ['PUT', `/api/shares/${hash}`],
      ['DELETE', `/api/share/${hash}`],
    ] as const) {
      expect((await bob.ask(method, url, { payload: '{"password":"mine"}' })).statusCode, method).toBe(403)
    }
    expect(await statuses(server, { hash })).toEqual([200, 200])
  })

  it.each(['share', 'download'] as const)(
    'CVE-2026-35604, CVE-2026-32761: a link is closed while its owner lacks the permission to %s',
    async (permission) => {
      const { server, ann } = await serveShared()
      await using _server = server
      const share = await shareOf(ann, '/docs')
      const set = async (value: boolean) =>
        await server.context.store.update((draft) => {
          for (const user of draft.users) if (user.username === 'ann') user.perm[permission] = value
        })
      await set(false)
      expect(await statuses(server, share)).toEqual([403, 403])
      expect((await ann.ask('GET', '/api/shares')).statusCode).toBe(403)
      await set(true)
      expect(await statuses(server, share)).toEqual([200, 200])
    },
  )

  it('a user who is deleted leaves no link behind', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const admin = await server.admin()
    const share = await shareOf(ann, '/docs')
    const own = await shareOf(admin, '/docs')
    await admin.ask('DELETE', '/api/users/2', { payload: JSON.stringify({ current_password: PASSWORD }) })
    expect((await admin.ask('GET', '/api/shares')).json()).toEqual([own])
    expect(await statuses(server, share)).toEqual([404, 404])
  })

  it('a link without an owner opens nothing', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const share = await shareOf(ann, '/docs')
    await server.context.store.update((draft) => {
      for (const record of draft.shares) record.userID = 99 as never
    })
    expect(await statuses(server, share)).toEqual([404, 404])
  })
})
