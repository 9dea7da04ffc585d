import { chmod } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import { LdapProvider, OidcProvider } from '../../../../src/domain/accounts/provider.ts'
import type { ProviderId, UserId } from '../../../../src/domain/ids.ts'
import { defaultsOf } from '../../../../src/domain/schema/schema-tools.ts'
import { setUpApp } from '../../../helpers/api/second-factors.ts'
import { PASSWORD, testApp, type TestAppInput } from '../../../helpers/api/test-app.ts'
import { tempFolder } from '../../../helpers/temp-folder.ts'
import { CLIENT } from '../../../helpers/test-context.ts'

const ANN = 2 as UserId
const credentials = JSON.stringify({ username: 'ann', password: PASSWORD })
const SECOND_STEP = { code: 'UNAUTHENTICATED', details: { reason: 'secondFactor' } }

async function withFactor(input: TestAppInput = {}) {
  const server = await testApp({ files: { 'a.txt': 'a' }, ...input })
  const before = await server.user('ann', { download: true, share: true })
  const ann = await server.login('ann')
  const app = await setUpApp(ann, server.context.clock.now)
  return { server, ann, before, app }
}

describe('an account with a second factor', () => {
  it('is closed to its password by form, by any method, by an old page and by Basic', async () => {
    const { server } = await withFactor()
    await using _server = server
    for (const method of ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const)
      for (const accept of ['application/json', '*/*', 'text/html']) {
        const answer = await server.ask(method, '/api/login', { payload: credentials, headers: { accept } })
        expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([401, undefined])
        expect(answer.body).not.toMatch(/eyJ[\w-]+\./)
      }
    const authorization = `Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}`
    for (const url of ['/api/raw/a.txt', '/api/resources/', '/api/tus/b.txt', '/api/share/a.txt'])
      expect((await server.ask('GET', url, { headers: { authorization } })).statusCode).toBe(401)
    const token = { 'x-auth': PASSWORD, authorization: `Bearer ${PASSWORD}` }
    expect((await server.ask('GET', '/api/raw/a.txt', { headers: token })).statusCode).toBe(401)
  })

  it('signs out the devices that signed in before it had one, whose tokens are not renewed', async () => {
    const { server, ann, before } = await withFactor()
    await using _server = server
    expect((await before.ask('GET', '/api/sessions')).statusCode).toBe(401)
    expect((await before.ask('POST', '/api/renew')).statusCode).toBe(401)
    expect((await ann.ask('POST', '/api/renew')).statusCode).toBe(200)
  })

  it('is closed to its password by a sign-in program', async () => {
    const { server } = await withFactor()
    await using _server = server
    await using folder = await tempFolder({ 'check.sh': '#!/bin/sh\ncat > /dev/null\necho hook.action=auth\n' })
    await chmod(folder.at('check.sh'), 0o700)
    await server.context.store.update(({ settings }) => {
      settings.authMethod = 'hook'
      settings.auth = { ...settings.auth, command: [folder.at('check.sh')] }
    })
    const answer = await server.ask('POST', '/api/login', { payload: credentials })
    expect(answer.statusCode).toBe(401)
  })

  it.each([
    ['ldap', undefined, true],
    ['ldap', false, false],
    ['oidc', undefined, false],
    ['oidc', true, true],
  ] as const)(
    'is asked for it after a sign-in by %s, where "secondFactor" is %s: %s',
    async (type, secondFactor, asks) => {
      const { server } = await withFactor()
      await using _server = server
      const { store, services } = server.context
      const id = 'sso' as ProviderId
      const asked = secondFactor === undefined ? {} : { secondFactor }
      const provider =
        type === 'ldap'
          ? {
              ...defaultsOf(LdapProvider),
              id,
              type,
              name: 'SSO',
              url: 'ldaps://ldap.example.org',
              baseDn: 'dc=example',
              ...asked,
            }
          : { ...defaultsOf(OidcProvider), id, type, name: 'SSO', issuer: 'https://sso', clientId: 'x', ...asked }
      await store.update((draft) => void (draft.providers = [provider]))
      const user = store.snapshot().users.find((each) => each.id === ANN)
      if (user === undefined) throw new Error('no user')
      const signedIn = services.auth.signIn(user, { method: type, provider: id }, CLIENT)
      if (asks) await expect(signedIn).rejects.toMatchObject(SECOND_STEP)
      else await expect(signedIn).resolves.toContain('.')
    },
  )

  it('is open to the operator, by a code of the command line', async () => {
    const { server } = await withFactor()
    await using _server = server
    const code = await server.context.services.auth.issueCode(ANN)
    const payload = JSON.stringify({ code })
    expect((await server.ask('POST', '/api/login/code', { payload })).statusCode).toBe(200)
    expect((await server.ask('POST', '/api/login/code', { payload })).statusCode).toBe(403)
  })

  it('keeps its codes for administrators until one has shown the factor', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    await setUpApp(admin, server.context.clock.now)
    const code = await server.context.services.auth.issueCode(1 as UserId)
    const payload = JSON.stringify({ username: 'admin', password: PASSWORD })
    expect((await server.ask('POST', '/api/login', { payload })).statusCode).toBe(401)
    expect((await server.ask('POST', '/api/login/code', { payload: JSON.stringify({ code }) })).statusCode).toBe(200)
  })

  it('goes on with API tokens, which never ask for it', async () => {
    const { server, ann } = await withFactor()
    await using _server = server
    const payload = JSON.stringify({ name: 'script', permissions: ['download'], current_password: PASSWORD })
    const { token } = (await ann.ask('POST', '/api/tokens', { payload })).json<{ token: string }>()
    const authorization = `Basic ${Buffer.from(`ann:${token}`).toString('base64')}`
    expect((await server.ask('GET', '/api/raw/a.txt', { headers: { authorization } })).statusCode).toBe(200)
  })

  it('can show none while signing in is turned off', async () => {
    const { server, app } = await withFactor()
    await using _server = server
    const step = await server.ask('POST', '/api/login', {
      payload: credentials,
      headers: { accept: 'application/json' },
    })
    const { challenge } = step.json<{ error: { details: { challenge: string } } }>().error.details
    await server.context.store.update((draft) => void (draft.settings.authMethod = 'noauth'))
    server.context.clock.move(60_000)
    const body = { challenge, code: app.code(server.context.clock.now()) }
    expect((await server.ask('POST', '/api/login/factor', { payload: JSON.stringify(body) })).statusCode).toBe(403)
    expect((await server.ask('POST', '/api/login/passkey/options', { payload: '{}' })).statusCode).toBe(403)
  })

  it('never shows its secrets: in replies, lists, exports, the activity log or the log', async () => {
    const { server, ann, app } = await withFactor()
    await using _server = server
    const admin = await server.admin()
    const factors = server.context.store.snapshot().users.find(({ id }) => id === ANN)?.factors
    const replies = await Promise.all([
      ann.ask('GET', '/api/users/2'),
      ann.ask('GET', '/api/factors'),
      ann.ask('POST', '/api/renew'),
      admin.ask('GET', '/api/users'),
      admin.ask('GET', '/api/audit'),
      admin.ask('GET', '/api/settings/all'),
    ])
    const texts = [
      ...replies.map(({ body }) => body),
      JSON.stringify(server.context.services.userTransfer.export(OPERATOR)),
      JSON.stringify(server.log),
      Buffer.from(replies[2].body.split('.')[1] ?? '', 'base64url').toString(),
    ]
    for (const secret of [app.secret, factors?.handle ?? '-', ...(factors?.recovery ?? []), ...app.recoveryCodes])
      for (const text of texts) expect(text).not.toContain(secret)
    expect(replies[3].json()).toMatchObject([{}, { username: 'ann', secondFactors: ['totp', 'recovery'] }])
  })

  it('keeps its factors when a list of accounts is imported over it', async () => {
    const { server } = await withFactor()
    await using _server = server
    const { userTransfer } = server.context.services
    const list = userTransfer.export(OPERATOR)
    const before = server.context.store.snapshot().users.find(({ id }) => id === ANN)?.factors
    await userTransfer.import(OPERATOR, list, { overwrite: true, replace: false })
    expect(server.context.store.snapshot().users.find(({ id }) => id === ANN)?.factors).toEqual(before)
  })

  it('is named in the activity log, with the way and the factor of each sign-in', async () => {
    const { server, app } = await withFactor()
    await using _server = server
    const { clock } = server.context
    clock.move(60_000)
    const step = await server.ask('POST', '/api/login', {
      payload: credentials,
      headers: { accept: 'application/json' },
    })
    const { challenge } = step.json<{ error: { details: { challenge: string } } }>().error.details
    const send = async (code: string) =>
      await server.ask('POST', '/api/login/factor', { payload: JSON.stringify({ challenge, code }) })
    await send('000000')
    await send(app.code(clock.now()))
    const { entries } = (await (await server.admin()).ask('GET', '/api/audit?action=auth.factor')).json<{
      entries: object[]
    }>()
    expect(entries).toMatchObject([
      { who: 'ann', target: 'ann', method: 'json', factor: 'totp', outcome: 'done' },
      { who: '', target: 'ann', outcome: 'refused' },
    ])
  })
})
