import { describe, expect, it } from 'vitest'
import { createPasswordHasher } from '../../../src/platform/security/password-hasher.ts'
import { PASSWORD, testApp } from '../../helpers/api/test-app.ts'

describe('published flaws of similar programs', () => {
  it('CVE-2021-46398: a cookie alone creates no administrator', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const headers = { cookie: `auth=${admin.token}` }
    for (const [method, url] of [
      ['POST', '/api/users'],
      ['PUT', '/api/settings'],
      ['DELETE', '/api/users/1'],
    ] as const) {
      expect((await server.ask(method, url, { headers, payload: '{}' })).statusCode, url).toBe(401)
    }
    expect((await server.ask('POST', '/api/resources/a', { headers, payload: 'x' })).statusCode).toBe(401)
    expect((await server.ask('GET', '/api/users', { headers })).statusCode).toBe(200)
  })

  it('CVE-2021-46398: a cookie does not even let another site read', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const admin = await server.admin()
    const foreign = { cookie: `auth=${admin.token}`, 'sec-fetch-site': 'cross-site' }
    expect(
      (await server.ask('GET', '/api/raw/a.txt', { headers: { ...foreign, 'sec-fetch-mode': 'no-cors' } })).statusCode,
    ).toBe(401)
    expect(
      (await server.ask('GET', '/api/raw/a.txt', { headers: { ...foreign, 'sec-fetch-mode': 'navigate' } })).statusCode,
    ).toBe(200)
  })

  it('CVE-2026-61502: a page on another port cannot renew, and so end, the session of this one', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const renewAs = async (site: string) => {
      const headers = { cookie: `auth=${admin.token}`, 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' }
      return (await server.ask('GET', '/api/renew', { headers })).statusCode
    }
    expect(await renewAs('same-site')).toBe(401)
    expect(await renewAs('same-origin')).toBe(200)
  })

  it('CVE-2025-52901: a token in the address is not accepted', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    for (const name of ['auth', 'token', 'x-auth']) {
      expect((await server.ask('GET', `/api/users?${name}=${admin.token}`)).statusCode).toBe(401)
    }
    expect(JSON.stringify(server.log)).not.toContain(admin.token)
  })

  it('CVE-2026-23849: an unknown user costs a hash like a known one', async () => {
    const real = createPasswordHasher({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } })
    const verified: (string | undefined)[] = []
    const hasher = {
      ...real,
      verify: async (password: string, hash: string | undefined) => {
        verified.push(hash)
        return await real.verify(password, hash)
      },
    }
    await using server = await testApp({ hasher })
    await server.ask('POST', '/api/login', { payload: '{"username":"nobody","password":"wrong"}' })
    expect(verified).toEqual([undefined])
  })

  it('CVE-2026-25889: a field in another case does not bypass the current password', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    const password = 'another long password'
    for (const which of ['Password', 'PASSWORD', 'password']) {
      const payload = JSON.stringify({ what: 'user', which: [which], data: { id: 2, password } })
      expect((await ann.ask('PUT', '/api/users/2', { payload })).statusCode, which).toBe(400)
    }
    await expect(server.login('ann')).resolves.toBeDefined()
  })

  it('GHSA-833g-cqhp-h72j: no answer holds a password hash', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    for (const url of ['/api/users', '/api/users/1', '/api/settings', '/api/sessions?all=true']) {
      expect((await admin.ask('GET', url)).body).not.toMatch(/argon2|passwordHash|tokenKey/)
    }
  })

  it('a sign-in does not read an endless body', async () => {
    await using server = await testApp()
    const payload = JSON.stringify({ username: 'admin', password: PASSWORD }) + ' '.repeat(9000)
    expect((await server.ask('POST', '/api/login', { payload })).statusCode).toBe(403)
  })

  it('other JSON is limited to a megabyte', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const payload = JSON.stringify({ what: 'x'.repeat(1_100_000) })
    expect((await admin.ask('POST', '/api/users', { payload })).statusCode).toBe(413)
  })

  it('CVE-2022-39288, CVE-2025-32442, CVE-2026-25223, CVE-2026-33806: an odd Content-Type neither crashes nor skips the checks', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const settings = (await admin.ask('GET', '/api/settings')).body
    for (const type of [
      'application/json; charset',
      ' application/json',
      'a/b/c',
      '__proto__',
      'application/json\tx',
      'application/json\ta',
      'APPLICATION/JSON ;charset=utf-8',
      'application/jsonx',
      'constructor',
      'multipart/form-data; boundary=x',
    ]) {
      const status = async (payload: string) =>
        (await admin.ask('PUT', '/api/settings', { payload, headers: { 'content-type': type } })).statusCode
      expect([await status('[]'), await status('"{}"'), await status(settings)], type).toEqual([400, 400, 200])
    }
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'a property of every object, such as "%s", names nothing here',
    async (name) => {
      await using server = await testApp({ files: { 'a.txt': 'a' } })
      const admin = await server.admin()
      const status = async (url: string) => (await admin.ask('GET', url)).statusCode
      const login = JSON.stringify({ username: name, password: name })
      expect((await server.ask('POST', '/api/login', { payload: login })).statusCode).toBe(403)
      expect(await status(`/api/users/${name}`)).toBe(404)
      expect(await status(`/api/jobs/${name}`)).toBe(404)
      expect(await status(`/api/resources/a.txt?checksum=${name}`)).toBe(400)
      expect(await status(`/api/raw/?algo=${name}`)).toBe(400)
      expect(await status(`/api/preview/${name}/a.txt`)).toBe(400)
      expect(await status(`/api/public/share/${name}`)).toBe(404)
      expect(await status(`/static/${name}`)).toBe(404)
      expect(await status(`/api/resources/${name}?${name}=1&${name}[admin]=true`)).toBe(404)
      expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
      const data = { username: 'eve', password: 'a long enough passphrase', perm: { [name]: { admin: true } } }
      const payload = `{"what":"user","which":[],"current_password":"correct horse battery staple","data":${JSON.stringify(data)}}`
      await admin.ask('POST', '/api/users', {
        payload: payload.replace('"perm":{}', `"perm":{"${name}":{"admin":true}}`),
      })
      expect(server.context.store.snapshot().users.filter(({ perm }) => perm.admin)).toHaveLength(1)
    },
  )

  it('a key called __proto__ is refused', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const payload = '{"what":"user","which":[],"data":{"__proto__":{"admin":true}}}'
    expect((await admin.ask('POST', '/api/users', { payload })).body).toContain('__proto__')
  })

  it('a redirect never leads to another host', async () => {
    await using server = await testApp()
    for (const url of ['//evil.example/..', '/\\evil.example/..', '/%5Cevil.example//', '///evil.example']) {
      const { headers } = await server.askExactly('GET', url)
      expect(headers.location, url).toMatch(/^\/(?![/\\])/)
    }
  })

  it('a change of permissions applies at once, whatever the token says', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const ann = await server.user('ann', { download: true })
    expect((await ann.ask('GET', '/api/raw/a.txt')).statusCode).toBe(200)
    await server.context.store.update((draft) => {
      for (const user of draft.users) user.perm.download = false
    })
    expect((await ann.ask('GET', '/api/raw/a.txt')).statusCode).toBe(202)
  })
})
