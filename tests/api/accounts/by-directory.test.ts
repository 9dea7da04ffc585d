import { describe, expect, it } from 'vitest'
import { LdapProvider } from '../../../src/domain/accounts/provider.ts'
import type { ProviderId } from '../../../src/domain/ids.ts'
import { PAGE_HEADER } from '../../../src/domain/page-contract.ts'
import { defaultsOf } from '../../../src/domain/schema/schema-tools.ts'
import { PASSWORD, testApp } from '../../helpers/api/test-app.ts'
import { FAKE_READER, startFakeDirectory } from '../../helpers/fake-directory.ts'

const JSON_ERRORS = { accept: 'application/json' }
const ANN = { password: 'password of Ann', attributes: { entryUUID: ['ann-1'], cn: ['Ann'], memberOf: ['cn=staff'] } }

async function withDirectory(fields: Partial<LdapProvider> = {}) {
  await using held = new AsyncDisposableStack()
  const directory = held.use(await startFakeDirectory({ ann: ANN }))
  const server = held.use(await testApp())
  const provider: LdapProvider = {
    ...defaultsOf(LdapProvider),
    type: 'ldap',
    id: 'studio' as ProviderId,
    name: 'Studio directory',
    createUsers: true,
    url: directory.url,
    startTls: false,
    baseDn: 'dc=example',
    bindDn: FAKE_READER.dn,
    secret: FAKE_READER.password,
    groupFilter: '',
    ...fields,
  }
  await server.context.store.update((draft) => void (draft.providers = [provider]))
  const kept = held.move()
  const post = async (url: string, body: object, headers = {}) =>
    await server.ask('POST', url, { payload: JSON.stringify(body), headers })
  return { directory, server, post, [Symbol.asyncDispose]: async () => await kept.disposeAsync() }
}

describe('signing in at a directory', () => {
  it('gives a token, and our page a cookie', async () => {
    await using world = await withDirectory()
    const credentials = { username: 'ann', password: ANN.password }
    const answer = await world.post('/api/sign-in/studio', credentials, { [PAGE_HEADER]: '1' })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toContain('text/plain')
    expect(answer.headers['set-cookie']).toMatch(/^auth=.*HttpOnly; SameSite=Strict/)
    const listing = await world.server.ask('GET', '/api/resources/', { headers: { 'x-auth': answer.body } })
    expect(listing.statusCode).toBe(200)
  })

  it('works for clients that only know the form', async () => {
    await using world = await withDirectory()
    const answer = await world.post('/api/login', { username: 'ann', password: ANN.password })
    expect(answer.statusCode).toBe(200)
    expect((await world.post('/api/login', { username: 'admin', password: PASSWORD })).statusCode).toBe(200)
  })

  it.each([
    ['a wrong password', { username: 'ann', password: 'y' }],
    ['an empty password', { username: 'ann', password: '' }],
    ['no password', { username: 'ann' }],
    ['no name', { username: '', password: ANN.password }],
    ['an unknown name', { username: 'nobody', password: ANN.password }],
    ['an account of ours', { username: 'admin', password: PASSWORD }],
    ['something else', []],
  ])('refuses %s like any other wrong sign-in', async (_, body) => {
    await using world = await withDirectory()
    const answer = await world.post('/api/sign-in/studio', body)
    expect([answer.statusCode, answer.body]).toEqual([403, '403 Forbidden\n'])
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(world.directory.bound).not.toContain('')
  })

  it('does not send an empty password to the directory', async () => {
    await using world = await withDirectory()
    await world.post('/api/sign-in/studio', { username: 'ann', password: '' })
    expect(world.directory.bound).toEqual([])
  })

  it('says that the directory is away, and nothing else about it', async () => {
    await using world = await withDirectory({ url: 'ldap://127.0.0.1:1' })
    for (const url of ['/api/sign-in/studio', '/api/login']) {
      const answer = await world.post(url, { username: 'ann', password: ANN.password }, JSON_ERRORS)
      expect(answer.statusCode).toBe(503)
      expect(answer.headers['retry-after']).toBe('10')
      expect(answer.body).toContain('Studio directory does not answer; try again later')
      expect(answer.body).not.toContain('127.0.0.1')
    }
  })

  it('knows no directory that is switched off or missing, nor one that is none', async () => {
    await using world = await withDirectory({ enabled: false })
    for (const id of ['studio', 'other', '__proto__'])
      expect((await world.post(`/api/sign-in/${id}`, { username: 'ann', password: 'x' })).statusCode).toBe(404)
    expect((await world.post('/api/login', { username: 'ann', password: ANN.password })).statusCode).toBe(403)
  })

  it('is limited after five wrong passwords, with either form', async () => {
    await using world = await withDirectory()
    const wrong = { username: 'ann', password: 'y' }
    for (const form of ['/api/sign-in/studio', '/api/login', '/api/sign-in/studio', '/api/login', '/api/login'])
      expect((await world.post(form, wrong)).statusCode).toBe(403)
    const answer = await world.post('/api/sign-in/studio', { username: 'ann', password: ANN.password })
    expect(answer.statusCode).toBe(429)
  })
})

describe('an account', () => {
  it('is linked to a person of a directory by both passwords, and to no other account then', async () => {
    await using world = await withDirectory({ createUsers: false })
    const admin = await world.server.admin()
    const link = async (client: typeof admin, fields: object = {}) =>
      await client.ask('POST', '/api/sign-in/studio/person', {
        payload: JSON.stringify({ username: 'ann', password: ANN.password, current_password: PASSWORD, ...fields }),
      })
    expect((await world.post('/api/sign-in/studio', { username: 'ann', password: ANN.password })).statusCode).toBe(403)
    expect((await link(admin, { password: 'y' })).statusCode).toBe(403)
    expect((await link(admin, { current_password: 'y' })).statusCode).toBe(400)
    expect((await link(admin)).json()).toMatchObject({
      identities: [{ provider: 'studio', label: 'Ann' }],
      linkable: [],
    })
    const other = await world.server.user('bob')
    expect((await link(other)).statusCode).toBe(409)
    const answer = await world.post('/api/sign-in/studio', { username: 'ann', password: ANN.password })
    expect(answer.statusCode).toBe(200)
    const users = world.server.context.store.snapshot().users
    expect(users.map(({ username }) => username)).toEqual(['admin', 'bob'])
  })
})

describe('directories of administrators', () => {
  const add = async (world: Awaited<ReturnType<typeof withDirectory>>, fields: object = {}) => {
    const admin = await world.server.admin()
    const body = {
      type: 'ldap',
      name: 'Second directory',
      url: world.directory.url,
      startTls: false,
      baseDn: 'dc=example',
      bindDn: FAKE_READER.dn,
      secret: FAKE_READER.password,
      current_password: PASSWORD,
      ...fields,
    }
    return {
      admin,
      answer: await admin.ask('POST', '/api/providers', { payload: JSON.stringify(body), headers: JSON_ERRORS }),
    }
  }

  it('are added, shown without the secret, changed and removed', async () => {
    await using world = await withDirectory()
    const { admin, answer } = await add(world)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ id: 'second-directory', hasSecret: true, subjectAttribute: 'entryUUID' })
    expect(answer.body).not.toContain(FAKE_READER.password)
    const change = async (fields: object) =>
      await admin.ask('PATCH', '/api/providers/second-directory', {
        payload: JSON.stringify({ ...fields, current_password: PASSWORD }),
        headers: JSON_ERRORS,
      })
    expect((await change({ timeout: 9 })).json()).toMatchObject({ timeout: 9, hasSecret: true })
    // Otherwise the secret would be sent to whoever is there, or in clear text.
    for (const fields of [{ url: 'ldaps://attacker.example' }, { startTls: true }])
      expect((await change(fields)).json()).toMatchObject({ error: { details: { field: 'secret' } } })
    const removed = await admin.ask('DELETE', '/api/providers/second-directory', {
      payload: JSON.stringify({ current_password: PASSWORD }),
    })
    expect(removed.statusCode).toBe(204)
  })

  it.each([
    [{ url: 'http://ldap.example.org' }, 'url', 400],
    [{ url: 'ldap://user:secret@ldap.example.org' }, 'url', 400],
    [{ url: 'ldap://ldap.example.org/dc=example?uid' }, 'url', 400],
    [{ baseDn: '' }, 'baseDn', 400],
    [{ bindDn: '' }, 'bindDn', 400],
    [{ secret: '' }, 'secret', 400],
    [{ userFilter: '(uid=ann)' }, 'userFilter', 400],
    [{ userFilter: '(uid={name}' }, 'userFilter', 400],
    [{ groupFilter: '(cn=*)' }, 'groupFilter', 400],
    [{ groupFilter: '(member={dn}' }, 'groupFilter', 400],
    [{ subjectAttribute: 'userPassword' }, 'subjectAttribute', 400],
    [{ subjectAttribute: 'uid)(cn=*' }, 'subjectAttribute', 400],
    [{ usernameClaim: 'sambaNTPassword' }, 'usernameClaim', 400],
    [{ timeout: 3600 }, 'timeout', 400],
    [{ caFile: '/etc/shadow' }, 'caFile', 403],
    [{ secretFile: '/etc/shadow' }, 'secretFile', 403],
    [{ secretVariable: 'HOME' }, 'secretVariable', 403],
  ])('are refused with %j', async (fields, field, status) => {
    await using world = await withDirectory()
    const { answer } = await add(world, fields)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ error: { details: { field } } })
    expect(world.server.context.store.snapshot().providers).toHaveLength(1)
  })

  it('may let people bind themselves, without a secret', async () => {
    await using world = await withDirectory()
    expect((await add(world, { bindDn: 'uid={name}', secret: '' })).answer.statusCode).toBe(200)
  })

  it('are tried step by step, and show what the mapping would give', async () => {
    await using world = await withDirectory({ mapping: [{ claim: 'groups', value: 'cn=staff', administrator: true }] })
    const admin = await world.server.admin()
    const test = async (body: object) =>
      (await admin.ask('POST', '/api/providers/studio/test', { payload: JSON.stringify(body) })).json<{
        works: boolean
        steps: { step: string; passed: boolean; text: string }[]
        claims?: object
        gives?: object
      }>()
    const names = ({ steps }: Awaited<ReturnType<typeof test>>) =>
      steps.map(({ step, passed }) => (passed ? step : `!${step}`))
    const whole = await test({ username: 'ann', password: ANN.password })
    expect(whole).toMatchObject({
      works: true,
      claims: { groups: ['cn=staff'], cn: ['Ann'] },
      gives: { username: 'ann', administrator: true, groups: [] },
    })
    expect(names(whole)).toEqual(['connect', 'encrypt', 'bind', 'find', 'password', 'groups'])
    expect(JSON.stringify(whole)).not.toContain(ANN.password)
    expect(names(await test({}))).toEqual(['connect', 'encrypt', 'bind'])
    expect((await test({ username: 'ann' })).works).toBe(true)
    expect(names(await test({ username: 'nobody' }))).toEqual(['connect', 'encrypt', 'bind', '!find'])
    expect(await test({ username: 'ann', password: 'y' })).toMatchObject({ works: false, steps: { length: 5 } })
    expect(world.server.context.store.snapshot().users).toHaveLength(1)
  })

  it('that are away fail their test at the first step', async () => {
    await using world = await withDirectory({ url: 'ldap://127.0.0.1:1' })
    const admin = await world.server.admin()
    const answer = await admin.ask('POST', '/api/providers/studio/test', { payload: '{}' })
    expect(answer.json()).toEqual({
      works: false,
      steps: [{ step: 'connect', passed: false, text: 'it cannot be reached (ECONNREFUSED)' }],
    })
  })
})
