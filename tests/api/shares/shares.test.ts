import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PLAIN_TERMS } from '../../../src/domain/shares/share-terms.ts'
import type { ShareDetails, ShareView } from '../../../src/domain/shares/share.ts'
import { movableClock } from '../../helpers/movable-clock.ts'
import { detailsOf, MAY_SHARE, shareOf, visit, withPassword } from '../../helpers/api/shared.ts'
import { testApp, type Client } from '../../helpers/api/test-app.ts'

const FILES = { 'docs/a.txt': 'alpha', 'docs/sub/b.txt': 'beta', 'home/own.txt': 'own' }

const listOf = async (client: Client, url = '/api/shares') => (await client.ask('GET', url)).json<ShareView[]>()
const change = async (client: Client, { hash }: ShareView, body: object) =>
  await client.ask('PUT', `/api/shares/${hash}`, { payload: JSON.stringify(body) })

describe('POST /api/share', () => {
  it('answers with the public fields and an unguessable hash', async () => {
    await using server = await testApp({ files: FILES })
    const ann = await server.user('ann', MAY_SHARE)
    const made = await shareOf(ann, '/docs/')
    expect(made).toEqual({ hash: made.hash, path: '/docs/', userID: 2, expire: 0, hasPassword: false })
    expect(made.hash).toMatch(/^[\w-]{16}$/)
    expect((await shareOf(ann, '/docs')).hash).not.toBe(made.hash)
    expect(await shareOf(ann, '/docs/a.txt', { password: 'open' })).toMatchObject({ hasPassword: true })
    expect(await shareOf(ann, '/')).toMatchObject({ path: '/' })
  })

  it('reads the expiry from the body, or from the query if the body has none', async () => {
    const clock = movableClock()
    await using server = await testApp({ files: FILES, clock })
    const ann = await server.user('ann', MAY_SHARE)
    const endOf = async (query: string, body: object) => {
      const { expire } = await shareOf(ann, `/docs${query}`, body)
      return expire === 0 ? 0 : expire - Math.floor(clock.now() / 1000)
    }
    expect(await endOf('', { expires: '2', unit: 'days' })).toBe(172_800)
    expect(await endOf('?expires=2&unit=days', {})).toBe(172_800)
    expect(await endOf('?expires=2&unit=days', { expires: '5', unit: 'minutes' })).toBe(300)
    expect(await endOf('?expires=2&unit=days', { expires: '' })).toBe(0)
    expect(await endOf('?expires=2', { unit: 'minutes' })).toBe(120)
    expect(await endOf('', { expires: '0' })).toBe(0)
  })

  it.each([
    ['{"expires":"-5"}', 'expires'],
    ['{"expires":"abc"}', 'expires'],
    ['{"expires":5}', 'json: expires'],
    ['{"password":7}', 'json: password'],
    ['', 'json'],
    ['{', 'json'],
    [JSON.stringify({ password: 'x'.repeat(73) }), 'at most 72 bytes'],
  ])('refuses %s and says why', async (payload, reason) => {
    await using server = await testApp({ files: FILES })
    const ann = await server.user('ann', MAY_SHARE)
    const answer = await ann.ask('POST', '/api/share/docs', { payload })
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining(reason)])
    expect(await listOf(ann)).toEqual([])
  })

  it('is for those who may share and download', async () => {
    await using server = await testApp({ files: FILES })
    const none = await server.user('none', { download: true })
    for (const [method, url] of [
      ['POST', '/api/share/docs'],
      ['GET', '/api/share/docs'],
      ['GET', '/api/shares'],
      ['GET', '/api/shares/abc'],
      ['PUT', '/api/shares/abc'],
      ['DELETE', '/api/share/abc'],
    ] as const) {
      expect((await none.ask(method, url, { payload: '{}' })).statusCode, `${method} ${url}`).toBe(403)
    }
  })
})

describe('lists of shares', () => {
  it('hold the own shares, for an administrator all, by owner and expiry', async () => {
    await using server = await testApp({ files: FILES })
    const [admin, ann, bob] = [
      await server.admin(),
      await server.user('ann', MAY_SHARE),
      await server.user('bob', MAY_SHARE),
    ]
    const late = await shareOf(ann, '/docs', { expires: '9', unit: 'days' })
    const early = await shareOf(ann, '/docs', { expires: '1' })
    const permanent = await shareOf(ann, '/docs')
    const other = await shareOf(admin, '/docs')
    expect(await listOf(ann)).toEqual([permanent, early, late])
    expect(await listOf(admin)).toEqual([other, permanent, early, late])
    expect(await listOf(bob)).toEqual([])
    expect((await ann.ask('GET', '/api/shares/')).json()).toEqual([])
  })

  it('leave out expired shares, however many there are', async () => {
    const clock = movableClock()
    await using server = await testApp({ files: FILES, clock })
    const ann = await server.user('ann', MAY_SHARE)
    const stays = await shareOf(ann, '/docs')
    const expired = []
    for (let count = 0; count < 6; count += 1)
      expired.push(await shareOf(ann, '/docs', { expires: '1', unit: 'seconds' }))
    clock.move(1000)
    expect(await listOf(ann)).toEqual([stays])
    expect(await listOf(ann, '/api/share/docs')).toEqual([stays])
    for (const share of expired) expect((await visit(server, share)).statusCode).toBe(404)
    expect((await ann.ask('DELETE', `/api/share/${expired[0]?.hash}`)).statusCode).toBe(200)
    // Their owner may revive expired shares for a month.
    clock.move(31 * 24 * 60 * 60 * 1000)
    await using _chores = server.context.services.chores.start()
    const kept = () => server.context.store.snapshot().shares.map(({ hash }) => hash)
    await expect.poll(kept).toEqual([stays.hash])
  })

  it('of a path ignore trailing slashes, and include shares from other scopes', async () => {
    await using server = await testApp({ files: FILES })
    const [admin, ann] = [await server.admin(), await server.user('ann', MAY_SHARE, { scope: '/home' })]
    const own = await shareOf(ann, '/own.txt')
    const folder = await shareOf(admin, '/docs/')
    expect(await listOf(admin, '/api/share/home/own.txt')).toEqual([own])
    expect(await listOf(ann, '/api/share/own.txt/')).toEqual([own])
    expect(await listOf(ann, '/api/share/home/own.txt')).toEqual([])
    for (const url of ['/api/share/docs', '/api/share/docs/']) expect(await listOf(admin, url)).toEqual([folder])
    expect(await listOf(admin, '/api/share/docs/a.txt')).toEqual([])
    expect(await listOf(admin, '/api/share/nothing')).toEqual([])
  })

  it('hold all details on request', async () => {
    const clock = movableClock()
    await using server = await testApp({ files: FILES, clock })
    const [admin, ann] = [await server.admin(), await server.user('ann', MAY_SHARE)]
    const made = await shareOf(ann, '/docs', { password: 'open' })
    const created = Math.floor(clock.now() / 1000)
    clock.move(60_000)
    expect((await visit(server, made)).statusCode).toBe(401)
    expect((await visit(server, made, '', withPassword('open'))).statusCode).toBe(200)
    expect((await visit(server, made, '/sub', withPassword('open'))).statusCode).toBe(200)
    const details: ShareDetails = {
      ...made,
      username: 'ann',
      created,
      openings: 1,
      lastOpened: created + 60,
      isDir: true,
      target: 'bound',
      terms: PLAIN_TERMS,
      downloads: 0,
      receivedFiles: 0,
      receivedBytes: 0,
      lastArrived: 0,
      unseenFiles: 0,
    }
    expect(await listOf(admin, '/api/shares?details=true')).toEqual([details])
    expect(await listOf(ann, '/api/share/docs?details=true')).toEqual([details])
    expect(await detailsOf(ann, made)).toEqual(details)
  })
})

describe('PUT /api/shares', () => {
  it('changes the expiry and keeps the rest', async () => {
    const clock = movableClock()
    await using server = await testApp({ files: FILES, clock })
    const ann = await server.user('ann', MAY_SHARE)
    const made = await shareOf(ann, '/docs', { password: 'open', expires: '1' })
    const answer = await change(ann, made, { expires: '2', unit: 'days' })
    const expire = Math.floor(clock.now() / 1000) + 172_800
    expect([answer.statusCode, answer.json()]).toEqual([200, expect.objectContaining({ expire, hasPassword: true })])
    expect((await change(ann, made, { expires: '' })).json()).toMatchObject({ expire: 0 })
    expect((await change(ann, made, {})).json()).toMatchObject({ expire: 0, hasPassword: true })
    expect((await visit(server, made, '', withPassword('open'))).statusCode).toBe(200)
  })

  it('sets and removes the password, and revokes the token that stood for it', async () => {
    await using server = await testApp({ files: FILES })
    const ann = await server.user('ann', MAY_SHARE)
    const made = await shareOf(ann, '/docs', { password: 'old' })
    const { token } = (await visit(server, made, '', withPassword('old'))).json<{ token: string }>()
    expect((await visit(server, made, `?token=${token}`)).statusCode).toBe(200)
    await change(ann, made, { password: 'new' })
    expect((await visit(server, made, `?token=${token}`)).statusCode).toBe(401)
    expect((await visit(server, made, '', withPassword('old'))).statusCode).toBe(401)
    expect((await visit(server, made, '', withPassword('new'))).statusCode).toBe(200)
    expect((await change(ann, made, { password: '' })).json()).toMatchObject({ hasPassword: false })
    expect((await visit(server, made)).statusCode).toBe(200)
  })

  it('binds to the file that is now at the path, if it exists and is allowed', async () => {
    await using server = await testApp({ files: FILES })
    const ann = await server.user('ann', MAY_SHARE)
    const made = await shareOf(ann, '/docs/a.txt')
    await rm(join(server.root, 'docs/a.txt'))
    expect(await detailsOf(ann, made)).toMatchObject({ target: 'missing' })
    expect((await change(ann, made, { rebind: true })).statusCode).toBe(404)
    await writeFile(join(server.root, 'docs/new.txt'), 'replaced')
    await rename(join(server.root, 'docs/new.txt'), join(server.root, 'docs/a.txt'))
    expect(await detailsOf(ann, made)).toMatchObject({ target: 'changed' })
    expect((await visit(server, made)).statusCode).toBe(404)
    expect((await change(ann, made, { rebind: true })).json()).toMatchObject({ target: 'bound' })
    expect((await visit(server, made)).statusCode).toBe(200)
    await server.context.store.update((draft) => {
      for (const user of draft.users) user.rules = [{ regex: false, allow: false, path: '/docs', regexp: null }]
    })
    expect((await change(ann, made, { rebind: true })).statusCode).toBe(403)
  })

  it.each(['{"expires":"-1"}', '{"expires":5}', '{"rebind":"yes"}', '[]'])('refuses %s', async (payload) => {
    await using server = await testApp({ files: FILES })
    const ann = await server.user('ann', MAY_SHARE)
    const { hash } = await shareOf(ann, '/docs')
    expect((await ann.ask('PUT', `/api/shares/${hash}`, { payload })).statusCode).toBe(400)
    expect((await ann.ask('PUT', '/api/shares/unknown', { payload: '{}' })).statusCode).toBe(404)
  })
})

describe('DELETE /api/share', () => {
  it('removes a link, for its owner or an administrator', async () => {
    await using server = await testApp({ files: FILES })
    const [admin, ann] = [await server.admin(), await server.user('ann', MAY_SHARE)]
    const [first, second] = [await shareOf(ann, '/docs'), await shareOf(ann, '/docs')]
    const answer = await ann.ask('DELETE', `/api/share/${first.hash}`)
    expect([answer.statusCode, answer.body]).toEqual([200, '200 OK\n'])
    expect((await visit(server, first)).statusCode).toBe(404)
    expect((await admin.ask('DELETE', `/api/share/${second.hash}/`)).statusCode).toBe(200)
    expect((await ann.ask('DELETE', `/api/share/${second.hash}`)).statusCode).toBe(404)
    expect((await ann.ask('DELETE', '/api/share/')).body).toBe('400 Bad Request\n')
  })
})

describe('POST /api/shares', () => {
  it('removes many links at once, or none if one is of another user', async () => {
    await using server = await testApp({ files: FILES })
    const [admin, ann, bob] = [
      await server.admin(),
      await server.user('ann', MAY_SHARE),
      await server.user('bob', MAY_SHARE),
    ]
    const [first, second, third] = [
      await shareOf(ann, '/docs'),
      await shareOf(ann, '/docs'),
      await shareOf(bob, '/docs'),
    ]
    const remove = async (client: typeof ann, ...shares: { readonly hash: string }[]) =>
      (await client.ask('POST', '/api/shares', { payload: JSON.stringify({ remove: shares.map(({ hash }) => hash) }) }))
        .statusCode
    expect(await remove(ann, first, third)).toBe(403)
    expect((await visit(server, first)).statusCode).toBe(200)
    expect(await remove(ann, first, second)).toBe(204)
    for (const gone of [first, second]) expect((await visit(server, gone)).statusCode).toBe(404)
    expect(await remove(ann, first)).toBe(204)
    expect(await remove(admin, first, third)).toBe(204)
    expect((await visit(server, third)).statusCode).toBe(404)
  })
})
