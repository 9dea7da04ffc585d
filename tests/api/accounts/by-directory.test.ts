import { describe, expect, it } from 'vitest'
import { LdapProvider } from '../../../src/domain/accounts/provider.ts'
import type { ProviderId } from '../../../src/domain/ids.ts'
import { PAGE_HEADER } from '../../../src/domain/page-contract.ts'
import { defaultsOf } from '../../../src/domain/schema/schema-tools.ts'
import { PASSWORD, testApp } from '../../helpers/api/test-app.ts'
import { FAKE_READER, startFakeDirectory } from '../../helpers/fake-directory.ts'

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
      const answer = await world.post(url, { username: 'ann', password: ANN.password }, { accept: 'application/json' })
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
