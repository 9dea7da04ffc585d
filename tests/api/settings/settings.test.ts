import { describe, expect, it } from 'vitest'
import type { Settings } from '../../../src/domain/settings/settings.ts'
import { testApp, type Client } from '../../helpers/api/test-app.ts'

const put = async (client: Client, body: unknown, url = '/api/settings', headers = {}) =>
  await client.ask('PUT', url, { payload: JSON.stringify(body), headers })

const all = async (client: Client) => (await client.ask('GET', '/api/settings/all')).json<Settings>()

describe('PUT /api/settings', () => {
  it('takes keys in any case, and ignores unknown ones, at any depth', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const { signup: _signup, branding, ...rest } = (await admin.ask('GET', '/api/settings')).json<Settings>()
    const { name: _name, ...others } = branding
    const body = { ...rest, SIGNUP: true, Branding: { ...others, NAME: 'cased', unknown: 1 }, unknown: { a: 1 } }
    expect((await put(admin, body)).statusCode).toBe(200)
    expect(await all(admin)).toMatchObject({ signup: true, branding: { name: 'cased' } })
    expect(Object.keys((await all(admin)).branding)).not.toContain('unknown')
  })

  it('keeps settings that are absent, at any depth', async () => {
    await using server = await testApp({ settings: { signup: true, branding: { name: 'Ours', color: '#fff' } } })
    const admin = await server.admin()
    const before = await all(admin)
    expect((await put(admin, { branding: { name: 'New' }, shell: null, rules: undefined })).statusCode).toBe(200)
    expect(await all(admin)).toEqual({ ...before, branding: { ...before.branding, name: 'New' } })
  })

  it.each([
    null,
    [],
    'text',
    {},
    { unknown: 1 },
    { branding: 'x' },
    { tus: { chunkSize: 0, retryCount: 3 } },
    { defaults: [] },
    { defaults: null },
    { signup: true, branding: { name: null } },
  ])('changes nothing for %j', async (body) => {
    await using server = await testApp({ settings: { branding: { name: 'Ours' } } })
    const admin = await server.admin()
    const before = await all(admin)
    const answer = await put(admin, body)
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringMatching(/^400 Bad Request \(/)])
    expect(await all(admin)).toEqual(before)
  })

  it('words errors as old clients expect them', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const body = { ...(await admin.ask('GET', '/api/settings')).json<Settings>(), signup: 'yes' }
    expect((await put(admin, body)).body).toMatch(/^400 Bad Request \(json: signup .*\)\n$/)
  })

  it('keeps settings that old clients do not know', async () => {
    await using server = await testApp({ settings: { logoutPage: '/bye', trash: { days: 7 }, fileMode: 0o600 } })
    const admin = await server.admin()
    const body = (await admin.ask('GET', '/api/settings')).json<object>()
    expect((await put(admin, { ...body, logoutPage: '/evil', trash: { days: 0 } })).statusCode).toBe(200)
    expect(await all(admin)).toMatchObject({ logoutPage: '/bye', trash: { days: 7 }, fileMode: 0o600 })
  })
})

describe('PUT /api/settings/all', () => {
  it('changes every setting, also those of the command line, but not the sign-in method', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const expected = {
      ...(await all(admin)),
      logoutPage: 'https://auth.example/logout',
      fileMode: 0o600,
      dirMode: 0o700,
      sessionMaxAge: '7d',
      trash: { days: 1 },
      userHomeBasePath: '/people',
    }
    expect((await put(admin, { ...expected, authMethod: 'noauth' }, '/api/settings/all')).statusCode).toBe(200)
    expect(await all(admin)).toEqual(expected)
  })

  it('is refused when somebody else changed any setting first', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const { headers } = await admin.ask('GET', '/api/settings/all')
    const body = await all(admin)
    const ifMatch = { 'if-match': String(headers.etag) }
    const first = await put(admin, { ...body, trash: { days: 1 } }, '/api/settings/all', ifMatch)
    expect(first.statusCode).toBe(200)
    expect(first.headers.etag).not.toBe(headers.etag)
    expect((await put(admin, { ...body, signup: true }, '/api/settings/all', ifMatch)).statusCode).toBe(412)
    expect(await all(admin)).toMatchObject({ signup: false, trash: { days: 1 } })
  })

  it.each<[string, object, string]>([
    ['nothing', {}, 'is missing'],
    ['a session that ends at once', { sessionMaxAge: '5s' }, 'sessionMaxAge'],
    ['a file mode with more than permission bits', { fileMode: 0o1777 }, 'fileMode'],
    ['a folder mode with a setuid bit', { dirMode: 0o4755 }, 'dirMode'],
    [
      'a folder mode that was meant to be octal',
      { dirMode: 750 },
      'dirMode must let the owner use new folders, as 0750 does, not 1356',
    ],
    ['CVE-2026-34530: a script as logout page', { logoutPage: 'javascript:alert(1)' }, 'logoutPage'],
    ['a logout page of another host without a scheme', { logoutPage: '//evil.example' }, 'logoutPage'],
    ['chunks of no bytes', { tus: { chunkSize: 0, retryCount: 1 } }, 'tus.chunkSize'],
    ['a base path of homes that is no path', { userHomeBasePath: '/a\0b' }, 'userHomeBasePath'],
    ['a theme that could be anything', { branding: { theme: '"><script>' } }, 'branding'],
    ['a colour that could be anything', { branding: { color: 'red;}' } }, 'branding'],
  ])('refuses %s', async (_, change, message) => {
    await using server = await testApp()
    const admin = await server.admin()
    const before = await all(admin)
    const { branding, ...rest } = change as Partial<Settings>
    const changed = { ...before, ...rest, branding: { ...before.branding, ...branding } }
    const answer = await put(admin, Object.keys(change).length === 0 ? {} : changed, '/api/settings/all')
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining(message)])
    expect(await all(admin)).toEqual(before)
  })

  it('refuses defaults with which no user could be created: sharing needs download', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const before = await all(admin)
    const perm = { ...before.defaults.perm, download: false }
    const answer = await put(admin, { ...before, defaults: { ...before.defaults, perm } }, '/api/settings/all')
    expect(answer.body).toContain('permission to share requires permission to download')
  })

  it('CVE-2022-3517: refuses an expression that could block the server, or that does not compile', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const before = await all(admin)
    for (const raw of ['(?=a)', '(a)\\1', '[', '(?<n', 'a{1001}', '\\']) {
      const rules = [{ regex: true, allow: false, path: '', regexp: { raw } }]
      expect((await put(admin, { ...before, rules }, '/api/settings/all')).statusCode, raw).toBe(400)
    }
    expect((await admin.ask('GET', '/api/resources/')).statusCode).toBe(200)
  })
})
