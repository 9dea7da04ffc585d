import { chmod } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { PASSWORD, testApp, type Client, type TestAppInput } from '../../helpers/api/test-app.ts'

const BEHIND_PROXY = { options: { trustedProxies: ['127.0.0.1'] } } satisfies TestAppInput

const put = async (admin: Client, change: object, headers: Record<string, string> = {}, password: string = PASSWORD) =>
  await admin.ask('PUT', '/api/settings/auth', {
    payload: JSON.stringify({ current_password: password, ...change }),
    headers,
  })

describe('PUT /api/settings/auth', () => {
  it('shows the settings, and never the secret', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const captcha = await put(admin, { recaptcha: { key: 'site', secret: 'hidden' } })
    expect(captcha.statusCode).toBe(200)
    const { body } = await admin.ask('GET', '/api/settings/auth')
    expect(JSON.parse(body)).toEqual({
      method: 'json',
      header: '',
      command: [],
      commandEnvironment: false,
      createUsers: true,
      hidePassword: false,
      secondFactor: { required: 'nobody', groups: [], grace: '7d', trustDays: 30 },
      recaptcha: { host: 'https://www.google.com', key: 'site', hasSecret: true },
    })
    expect((await put(admin, { recaptcha: { secret: '' } })).json()).toMatchObject({
      recaptcha: { key: '', hasSecret: false },
    })
  })

  it('needs the current password', async () => {
    await using server = await testApp()
    const answer = await put(await server.admin(), { createUsers: false }, {}, 'wrong')
    expect([answer.statusCode, answer.body]).toEqual([400, '400 Bad Request (the current password is incorrect)\n'])
  })

  it('switches to a proxy only through that proxy, signed in as the same user', async () => {
    await using server = await testApp(BEHIND_PROXY)
    const admin = await server.admin()
    const change = { method: 'proxy', header: 'X-User' }
    for (const headers of [{}, { 'X-User': 'ann' }]) {
      const answer = await put(admin, change, headers)
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('open filemgr through the proxy')])
    }
    expect((await put(admin, change, { 'X-User': 'admin' })).statusCode).toBe(200)
    expect((await server.ask('POST', '/api/login', { headers: { 'X-User': 'admin' } })).statusCode).toBe(200)
  })

  it('refuses a proxy without a list of trusted proxies, and headers that every client sends', async () => {
    await using open = await testApp()
    const change = { method: 'proxy', header: 'X-User' }
    const answer = await put(await open.admin(), change, { 'X-User': 'admin' })
    expect(answer.body).toContain('needs the list of trusted proxies')
    await using server = await testApp(BEHIND_PROXY)
    const admin = await server.admin()
    for (const header of ['', 'Cookie', 'User-Agent']) {
      expect((await put(admin, { ...change, header }, { [header || 'x']: 'admin' })).statusCode).toBe(400)
    }
  })

  it('lets no administrator choose a program to run', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    for (const change of [{ command: ['/bin/sh', '-c', 'id'] }, { commandEnvironment: true }]) {
      expect((await put(admin, { method: 'hook', ...change })).statusCode).toBe(403)
    }
    expect(server.context.store.snapshot().settings.auth.command).toEqual([])
  })

  it('switches to a program only if that accepts the administrator', async () => {
    await using folder = await tempFolder({ 'check.sh': '#!/bin/sh\necho hook.action=$(cat "$1/verdict")\n' })
    await chmod(folder.at('check.sh'), 0o700)
    await using server = await testApp({ settings: { auth: { command: [folder.at('check.sh'), folder.path] } } })
    const admin = await server.admin()
    await folder.fill({ verdict: 'block' })
    expect((await put(admin, { method: 'hook' })).body).toContain('does not accept you')
    expect(server.context.store.snapshot().settings.authMethod).toBe('json')
    await folder.fill({ verdict: 'pass' })
    expect((await put(admin, { method: 'hook' })).statusCode).toBe(200)
  })

  it('switches back to passwords only if the administrator has one, and says how to set one', async () => {
    await using server = await testApp({ ...BEHIND_PROXY, settings: { auth: { header: 'X-User' } } })
    const admin = await server.admin()
    await server.context.store.update(({ users, settings }) => {
      settings.authMethod = 'proxy'
      for (const user of users) user.passwordHash = ''
    })
    const { body } = await server.ask('POST', '/api/login', { headers: { 'X-User': 'admin' } })
    const answer = await put(admin, { method: 'json' }, { 'x-auth': body })
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('filemgr users passwd admin')])
  })

  it('switches sign-in off on an address of this machine only', async () => {
    await using remote = await testApp({ options: { address: '0.0.0.0' } })
    expect((await put(await remote.admin(), { method: 'noauth' })).body).toContain('--no-auth-remote')
    await using local = await testApp()
    expect((await put(await local.admin(), { method: 'noauth' })).statusCode).toBe(200)
    expect((await local.ask('POST', '/api/login', { payload: 'anything' })).statusCode).toBe(200)
  })

  it('is not bypassed by the other settings calls', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const settings = (await admin.ask('GET', '/api/settings')).json<object>()
    const payload = JSON.stringify({ ...settings, authMethod: 'noauth', auth: { header: 'X' } })
    expect((await admin.ask('PUT', '/api/settings', { payload })).statusCode).toBe(200)
    expect(server.context.store.snapshot().settings).toMatchObject({ authMethod: 'json', auth: { header: '' } })
  })

  it('a daemon on a network lets nobody in without sign-in, although the setting was changed meanwhile', async () => {
    await using server = await testApp({ options: { address: '0.0.0.0' } })
    await server.context.store.update(({ settings }) => void (settings.authMethod = 'noauth'))
    expect((await server.ask('POST', '/api/login')).statusCode).toBe(403)
  })
})
