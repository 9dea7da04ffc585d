import { describe, expect, it } from 'vitest'
import { freshSettings, initialDocument } from '../../../src/services/server/setup.ts'
import { PASSWORD, testApp, type Client, type TestApp } from '../../helpers/api/test-app.ts'

const login = async (server: TestApp, username: string, password: string) =>
  (await server.ask('POST', '/api/login', { payload: JSON.stringify({ username, password }) })).statusCode

const change = async (admin: Client, data: { id: number }, which: string) =>
  await admin.ask('PUT', `/api/users/${data.id}`, {
    payload: JSON.stringify({ what: 'user', which: [which], current_password: PASSWORD, data }),
  })

describe('published flaws of accounts and sessions in similar programs', () => {
  it('CVE-2026-61500: the token key and the ids of sessions are random, and new for each installation', async () => {
    await using server = await testApp()
    const [admin] = server.context.store.snapshot().users
    if (admin === undefined) throw new Error('there is an administrator')
    const documents = [1, 2].map(() => initialDocument({ settings: freshSettings(), admin }))
    const keys = documents.map(({ secrets }) => secrets.tokenKey)
    expect(new Set(keys).size).toBe(2)
    for (const key of keys) expect(Buffer.from(key, 'base64url')).toHaveLength(64)
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await server.admin()).token.split('.')[1] ?? ''),
    )
    const claims = ids.map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as { jti: string })
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(20)
    expect(claims.every(({ jti }) => Buffer.from(jti, 'base64url').length === 24)).toBe(true)
  })

  it('CVE-2026-61503: failed sign-ins with unknown names count against the address', async () => {
    await using server = await testApp()
    for (let count = 0; count < 30; count += 1) expect(await login(server, `nobody-${count}`, 'x')).toBe(403)
    expect(await login(server, 'nobody', 'x')).toBe(429)
  })

  it('GHSA-r4v7-6wcg-ghj5: a name can be tried five times, then only at growing intervals', async () => {
    await using server = await testApp()
    for (let count = 0; count < 5; count += 1) expect(await login(server, 'admin', 'x')).toBe(403)
    for (const seconds of [1, 2, 4]) {
      const answer = await server.ask('POST', '/api/login', { payload: '{"username":"admin","password":"x"}' })
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, String(seconds)])
      server.context.clock.move(seconds * 1000)
      expect(await login(server, 'admin', 'x')).toBe(403)
    }
  })

  it('CVE-2024-37897: a password that an administrator sets ends all sessions of the user', async () => {
    await using server = await testApp()
    const [admin, ann, also] = [await server.admin(), await server.user('ann'), await server.login('ann')]
    expect(
      (await change(admin, { id: 2, password: 'another passphrase' } as { id: number }, 'password')).statusCode,
    ).toBe(200)
    for (const { ask } of [ann, also]) expect((await ask('GET', '/api/resources/')).statusCode).toBe(401)
    expect((await ann.ask('POST', '/api/renew')).statusCode).toBe(401)
  })

  it('CVE-2025-53826: sessions end when a user is no longer administrator, or is deleted', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const eve = await server.user('eve', { admin: true })
    const perm = { admin: false, share: false, download: false }
    expect((await change(admin, { id: 2, perm } as { id: number }, 'perm')).statusCode).toBe(200)
    expect((await eve.ask('GET', '/api/users')).statusCode).toBe(401)
    const again = await server.login('eve')
    const payload = JSON.stringify({ current_password: PASSWORD })
    expect((await admin.ask('DELETE', '/api/users/2', { payload })).statusCode).toBe(200)
    expect((await again.ask('GET', '/api/resources/')).statusCode).toBe(401)
  })

  it('the id of a deleted user is never reused', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    await server.user('bob')
    const payload = JSON.stringify({ current_password: PASSWORD })
    await admin.ask('DELETE', '/api/users/2', { payload })
    await server.user('eve')
    expect(server.context.store.snapshot().users.map(({ id }) => id)).toEqual([1, 3])
  })

  it('a sign-in body of more than 8 KiB is not read, by any way to sign in', async () => {
    await using server = await testApp({ settings: { signup: true } })
    const payload = JSON.stringify({ username: 'admin', password: PASSWORD, recaptcha: 'x'.repeat(9000), code: 'x' })
    const statuses = ['login', 'login/code', 'signup'].map(
      async (name) => (await server.ask('POST', `/api/${name}`, { payload })).statusCode,
    )
    expect(await Promise.all(statuses)).toEqual([403, 403, 400])
  })
})
