import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { ApiTokenView, MadeApiToken, NewApiToken } from '../../../src/domain/accounts/api-token.ts'
import type { AuditPage } from '../../../src/domain/server/audit.ts'
import { openRequest } from '../../helpers/api/open-request.ts'
import { PASSWORD, testApp, type Answer, type Client, type TestApp } from '../../helpers/api/test-app.ts'

const FILES = { 'in/a.txt': 'inside', 'in/sub/b.txt': 'deeper', 'out/secret.txt': 'secret', 'inner.txt': 'beside' }
const EVERYTHING = { create: true, modify: true, rename: true, delete: true, download: true, share: true }
const DAY = 24 * 60 * 60 * 1000

/** Creates a token of this user, as the page does it. */
async function make(user: Client, order: Partial<NewApiToken> = {}): Promise<MadeApiToken> {
  const payload = JSON.stringify({ name: 'script', current_password: PASSWORD, ...order })
  const answer = await user.ask('POST', '/api/tokens', { payload })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['cache-control']).toContain('no-store')
  return answer.json<MadeApiToken>()
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const basic = (name: string, token: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`,
})

/** A client with this token. */
function holder({ ask }: TestApp, token: string): Client {
  return { token, ask: async (method, url, extras) => await ask(method, url, { ...extras, headers: bearer(token) }) }
}

const status = ({ statusCode }: Answer) => statusCode

/** A server with the user bob, and a token of his with all permissions. */
async function openWorld(order: Partial<NewApiToken> = {}) {
  const server = await testApp({ files: FILES })
  const bob = await server.user('bob', EVERYTHING)
  const permissions = Object.keys(EVERYTHING) as NewApiToken['permissions']
  const made = await make(bob, { ...(permissions && { permissions }), ...order })
  return {
    server,
    bob,
    made,
    script: holder(server, made.token),
    change: async (fields: object) => await server.context.services.users.update(OPERATOR, made.userId, fields),
    [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
  }
}

describe('an API token', () => {
  it('is accepted as Bearer, in X-Auth, and as the password of its user', async () => {
    await using world = await openWorld()
    const { server, made } = world
    for (const headers of [bearer(made.token), { 'x-auth': made.token }, basic('bob', made.token)])
      expect(status(await server.ask('GET', '/api/raw/in/a.txt', { headers }))).toBe(200)
    for (const headers of [basic('admin', made.token), basic('', made.token)])
      expect(status(await server.ask('GET', '/api/raw/in/a.txt', { headers }))).toBe(401)
    const cookie = { cookie: `auth=${made.token}` }
    expect(status(await server.ask('GET', '/api/raw/in/a.txt', { headers: cookie }))).toBe(401)
  })

  it('is not accepted by Basic from another site, as a browser may send it by itself', async () => {
    await using world = await openWorld()
    const headers = { ...basic('bob', world.made.token), 'sec-fetch-site': 'cross-site' }
    expect(status(await world.server.ask('DELETE', '/api/resources/in/a.txt', { headers }))).toBe(401)
  })

  it('does not conflict with Basic credentials for a proxy', async () => {
    await using world = await openWorld()
    const headers = basic('proxy', 'its password')
    expect(status(await world.bob.ask('GET', '/api/resources/', { headers }))).toBe(200)
    expect(status(await world.server.ask('GET', '/api/resources/', { headers }))).toBe(401)
  })

  it('creates a file by PUT, which a session cannot: curl -T has only PUT', async () => {
    await using world = await openWorld()
    const { server, script, bob } = world
    expect(status(await bob.ask('PUT', '/api/resources/in/new.txt', { payload: 'new' }))).toBe(404)
    expect(status(await script.ask('PUT', '/api/resources/in/new.txt', { payload: 'new' }))).toBe(200)
    expect(status(await script.ask('PUT', '/api/resources/in/new.txt', { payload: 'newer' }))).toBe(200)
    expect(await readFile(join(server.root, 'in/new.txt'), 'utf8')).toBe('newer')
    const writer = holder(server, (await make(bob, { name: 'writer', permissions: ['create'] })).token)
    expect(status(await writer.ask('PUT', '/api/resources/in/other.txt', { payload: 'new' }))).toBe(200)
    expect(status(await writer.ask('PUT', '/api/resources/in/other.txt', { payload: 'no' }))).toBe(403)
    const editor = holder(server, (await make(bob, { name: 'editor', permissions: ['modify'] })).token)
    expect(status(await editor.ask('PUT', '/api/resources/in/third.txt', { payload: 'no' }))).toBe(403)
    expect((await readdir(join(server.root, 'in'))).toSorted()).toEqual(['a.txt', 'new.txt', 'other.txt', 'sub'])
  })

  it('may do what both it and its user may do at that time', async () => {
    await using world = await openWorld({ permissions: ['download', 'create'] })
    const { script, change, bob } = world
    expect(status(await script.ask('DELETE', '/api/resources/in/a.txt'))).toBe(403)
    expect(status(await script.ask('GET', '/api/raw/in/a.txt'))).toBe(200)
    await change({ perm: { download: false, share: false } })
    expect(status(await script.ask('GET', '/api/raw/in/a.txt'))).toBe(202)
    await change({ perm: { download: true }, rules: [{ regex: false, allow: false, path: '/in', regexp: null }] })
    expect(status(await script.ask('GET', '/api/raw/in/a.txt'))).toBe(403)
    await change({ rules: [] })
    expect(status(await script.ask('GET', '/api/raw/in/a.txt'))).toBe(200)
    const payload = JSON.stringify({ name: 'more', permissions: ['admin'], current_password: PASSWORD })
    expect(status(await bob.ask('POST', '/api/tokens', { payload }))).toBe(403)
  })

  it('stops working when it is revoked or expires, and when its user is disabled or deleted', async () => {
    await using world = await openWorld({ expires: '30d' })
    const { server, bob, made, script, change } = world
    const read = async (client = script) => status(await client.ask('GET', '/api/resources/'))
    await change({ disabled: true })
    expect(await read()).toBe(401)
    await change({ disabled: false })
    expect(await read()).toBe(200)
    const again = await server.login('bob')
    expect(status(await bob.ask('GET', '/api/tokens'))).toBe(401)
    expect(status(await again.ask('DELETE', `/api/tokens/${made.id}`))).toBe(204)
    expect(await read()).toBe(401)
    const other = holder(server, (await make(again, { expires: '30d' })).token)
    server.context.clock.move(31 * DAY)
    expect(await read(other)).toBe(401)
    const last = holder(server, (await make(await server.login('bob'), { name: 'last' })).token)
    expect(await read(last)).toBe(200)
    await server.context.services.users.remove(OPERATOR, made.userId)
    expect(await read(last)).toBe(401)
    expect(server.context.store.snapshot().tokens).toEqual([])
  })

  it('stays valid when the password changes, which signs devices out', async () => {
    await using world = await openWorld()
    await world.change({ password: 'another correct horse battery' })
    expect(status(await world.bob.ask('GET', '/api/resources/'))).toBe(401)
    expect(status(await world.script.ask('GET', '/api/resources/'))).toBe(200)
  })

  it('is revoked in the middle of an upload: the rest is refused and nothing is left', async () => {
    await using world = await openWorld()
    const { server, bob, made } = world
    using upload = await openRequest(server.app, { token: made.token }, 'POST', '/api/resources/in/b.txt', {
      body: 'the beginning',
    })
    const names = async () => await readdir(join(server.root, 'in'))
    await expect.poll(async () => (await names()).filter((name) => name.endsWith('.fm-tmp'))).toHaveLength(1)
    await bob.ask('DELETE', `/api/tokens/${made.id}`)
    expect((await upload.answer).statusCode).toBe(401)
    await upload.ended
    expect((await names()).toSorted()).toEqual(['a.txt', 'sub'])
  })
})

describe('an API token of one folder', () => {
  it('reaches that folder and nothing else, by any operation', async () => {
    await using world = await openWorld({ path: '/in' })
    const { server, script } = world
    await symlink('../out/secret.txt', join(server.root, 'in/link'))
    expect(status(await script.ask('GET', '/api/resources/in/'))).toBe(200)
    expect((await script.ask('GET', '/api/raw/in/sub/b.txt')).body).toBe('deeper')
    for (const path of ['', 'inner.txt', 'out/', 'out/secret.txt', 'in/link', 'in2', 'IN/a.txt'])
      expect([path, status(await script.ask('GET', `/api/resources/${path}`))]).toEqual([path, 403])
    for (const url of ['/api/raw/?files=out', '/api/raw/?algo=zip', '/api/resources/recursive/', '/api/count/'])
      expect([url, status(await script.ask('GET', url))]).toEqual([url, 403])
    const move = (to: string, action: string) => `?action=${action}&destination=${encodeURIComponent(to)}`
    for (const action of ['copy', 'rename'])
      expect(status(await script.ask('PATCH', `/api/resources/in/a.txt${move('/out/a.txt', action)}`))).toBe(403)
    expect(status(await script.ask('PATCH', `/api/resources/out/secret.txt${move('/in/s.txt', 'copy')}`))).toBe(403)
    expect(status(await script.ask('PATCH', `/api/resources/in/a.txt${move('/in/c.txt', 'copy')}`))).toBe(200)
    const found = await script.ask('GET', '/api/search/?query=t')
    expect(found.body).toContain('in/a.txt')
    expect(found.body).not.toContain('secret')
    expect(found.body).not.toContain('inner')
  })

  it('sees no trash, links or jobs of other folders', async () => {
    await using world = await openWorld({ path: '/in' })
    const { server, bob, script } = world
    await bob.ask('DELETE', '/api/resources/inner.txt?trash=true')
    await bob.ask('DELETE', '/api/resources/in/a.txt?trash=true')
    const all = (await bob.ask('GET', '/api/trash')).json<{ id: string; path: string }[]>()
    const seen = (await script.ask('GET', '/api/trash')).json<{ id: string; path: string }[]>()
    expect([all.length, seen.map(({ path }) => path)]).toEqual([2, ['/in/a.txt']])
    const outside = all.find(({ path }) => path === '/inner.txt')?.id ?? ''
    expect(status(await script.ask('POST', `/api/trash/${outside}`))).toBe(403)
    expect(status(await script.ask('DELETE', `/api/trash/${outside}`))).toBe(404)
    expect(status(await script.ask('DELETE', '/api/trash'))).toBe(204)
    expect((await bob.ask('GET', '/api/trash')).json<unknown[]>()).toHaveLength(1)
    const share = (await bob.ask('POST', '/api/share/out/', { payload: '{}' })).json<{ hash: string }>()
    await script.ask('POST', '/api/share/in/', { payload: '{}' })
    expect((await script.ask('GET', '/api/shares')).json()).toMatchObject([{ path: '/in/' }])
    expect(status(await script.ask('GET', `/api/shares/${share.hash}`))).toBe(403)
    expect(status(await script.ask('DELETE', `/api/share/${share.hash}`))).toBe(403)
    expect(status(await script.ask('POST', '/api/share/out/', { payload: '{}' }))).toBe(403)
    expect(server.context.store.snapshot().shares).toHaveLength(2)
    await bob.ask('PATCH', '/api/resources/out?action=copy&destination=%2Fcopied')
    expect((await bob.ask('GET', '/api/jobs')).json<unknown[]>()).toHaveLength(1)
    expect((await script.ask('GET', '/api/jobs')).json()).toEqual([])
  })

  it('cannot be an administrator', async () => {
    await using server = await testApp()
    const admin = await server.admin()
    const payload = JSON.stringify({ name: 'x', permissions: ['admin'], path: '/in', current_password: PASSWORD })
    expect(status(await admin.ask('POST', '/api/tokens', { payload }))).toBe(400)
  })
})

describe('making an API token', () => {
  it('needs the password, and accepts no token', async () => {
    await using world = await openWorld()
    const { bob, script, server } = world
    for (const payload of ['{"name":"x"}', '{"name":"x","current_password":"wrong"}'])
      expect(status(await bob.ask('POST', '/api/tokens', { payload }))).toBe(400)
    const payload = JSON.stringify({ name: 'x', current_password: PASSWORD })
    expect(status(await script.ask('POST', '/api/tokens', { payload }))).toBe(403)
    expect(status(await script.ask('GET', '/api/tokens'))).toBe(403)
    expect(server.context.store.snapshot().tokens).toHaveLength(1)
  })

  it.each([
    [400, { name: ' ' }],
    [400, { name: 'two\nlines' }],
    [400, { expires: 'soon' }],
    [400, { expires: '0' }],
    [400, { path: '/../etc' }],
    [400, { permissions: ['execute'] }],
    [400, { permissions: ['share'] }],
    [409, { name: 'script' }],
  ])('refuses with %i: %j', async (refusal, order) => {
    await using world = await openWorld()
    const payload = JSON.stringify({ name: 'other', current_password: PASSWORD, ...order })
    expect(status(await world.bob.ask('POST', '/api/tokens', { payload }))).toBe(refusal)
  })

  it('shows the secret once, and keeps only its hash', async () => {
    await using world = await openWorld({ path: '/in', expires: '90d' })
    const { server, bob, made } = world
    expect(made.token).toMatch(/^fmgr_[0-9A-Za-z]{49}$/)
    const listed = await bob.ask('GET', '/api/tokens')
    const { token: _secret, ...view } = made
    expect(listed.json<ApiTokenView[]>()).toEqual([view])
    const kept = JSON.stringify([server.context.store.snapshot(), server.log, await auditOf(server)])
    expect(kept).not.toContain(made.token)
    expect(listed.body).not.toContain(server.context.store.snapshot().tokens[0]?.hash)
  })

  it('is for the own account; administrators see and revoke tokens of others', async () => {
    await using world = await openWorld()
    const { server, made } = world
    const eve = await server.user('eve', EVERYTHING)
    expect((await eve.ask('GET', '/api/tokens')).json()).toEqual([])
    expect(status(await eve.ask('GET', '/api/tokens?all=true'))).toBe(403)
    expect(status(await eve.ask('DELETE', `/api/tokens/${made.id}`))).toBe(404)
    const admin = await server.admin()
    expect((await admin.ask('GET', '/api/tokens?all=true')).json()).toMatchObject([{ username: 'bob' }])
    expect(status(await admin.ask('DELETE', `/api/tokens/${made.id}`))).toBe(204)
  })
})

describe('a wrong API token', () => {
  it('is logged, and refused with 429 after many from one address; valid ones and passwords are not delayed', async () => {
    await using world = await openWorld()
    const { server, made, script } = world
    const wrong = `${made.token.slice(0, -1)}${made.token.endsWith('0') ? '1' : '0'}`
    const guess = async () => status(await server.ask('GET', '/api/resources/', { headers: bearer(wrong) }))
    for (let tries = 0; tries < 30; tries += 1) expect(await guess()).toBe(401)
    expect(await guess()).toBe(429)
    expect(status(await script.ask('GET', '/api/resources/'))).toBe(200)
    await server.login('bob')
    const lines = server.log.filter(({ message }) => message.startsWith('an API token from 127.0.0.1 was refused'))
    expect(lines).toHaveLength(31)
    expect(JSON.stringify(lines)).not.toContain(wrong)
  })
})

const auditOf = async (server: TestApp) => (await (await server.admin()).ask('GET', '/api/audit')).json<AuditPage>()

describe('the activity log', () => {
  it('names the token that made a change, and who made and revoked it', async () => {
    await using world = await openWorld()
    const { server, bob, made, script } = world
    await script.ask('DELETE', '/api/resources/in/a.txt')
    await bob.ask('DELETE', `/api/tokens/${made.id}`)
    const { entries } = await auditOf(server)
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ who: 'bob', action: 'tokens.create', target: 'script', outcome: 'done' }),
        expect.objectContaining({ who: 'bob', token: 'script', action: 'files.remove', target: '/in/a.txt' }),
        expect.objectContaining({ who: 'bob', action: 'tokens.revoke', target: made.id, outcome: 'done' }),
      ]),
    )
    expect(entries.find(({ token }) => token === 'script')).not.toHaveProperty('session')
  })
})

describe('the last use of an API token', () => {
  it('is shown at once, and saved later: no request waits for the store', async () => {
    await using world = await openWorld()
    const { server, bob, script } = world
    const before = server.context.store.snapshot()
    await script.ask('GET', '/api/resources/')
    await script.ask('GET', '/api/resources/in/')
    expect(server.context.store.snapshot()).toBe(before)
    const [listed] = (await bob.ask('GET', '/api/tokens')).json<ApiTokenView[]>()
    expect(listed?.lastUsed).toBe(new Date(server.context.clock.now()).toISOString())
  })
})

describe('an API token that may share but not create', () => {
  it('changes nothing about a link that takes files, as it could not make one', async () => {
    const { server, bob } = await openWorld()
    await using _server = server
    const script = holder(server, (await make(bob, { name: 'links', permissions: ['share', 'download'] })).token)
    const create = async (terms: object, by = bob) =>
      await by.ask('POST', '/api/share/in', { payload: JSON.stringify({ password: 'mellon', expires: '1', terms }) })
    expect(status(await create({ allows: 'upload' }, script))).toBe(403)
    const plain = (await create({})).json<{ hash: string }>()
    const edits = [
      { terms: { maxFiles: 0 } },
      { terms: { allows: 'both' } },
      { terms: { note: '' } },
      { password: '' },
      { expires: '' },
      { rebind: true },
    ]
    const edit = async (hash: string, change: object) =>
      status(await script.ask('PUT', `/api/shares/${hash}`, { payload: JSON.stringify(change) }))
    for (const allows of ['upload', 'both']) {
      const { hash } = (await create({ allows, maxFiles: 1 })).json<{ hash: string }>()
      for (const change of edits) expect(await edit(hash, change), JSON.stringify(change)).toBe(403)
      expect(server.context.store.snapshot().shares.find((share) => share.hash === hash)).toMatchObject({
        passwordHash: expect.any(String) as string,
        terms: { allows, maxFiles: 1 },
      })
      expect(await edit(hash, { terms: { allows: 'download' } })).toBe(200)
    }
    expect(await edit(plain.hash, { terms: { allows: 'upload' } })).toBe(403)
    expect(await edit(plain.hash, { password: '' })).toBe(200)
  })
})
