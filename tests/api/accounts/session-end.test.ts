import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { openRequest } from '../../helpers/api/open-request.ts'
import { PASSWORD, testApp, type Client, type TestApp } from '../../helpers/api/test-app.ts'

const PART = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
const LARGE = Buffer.alloc(24 * 1024 * 1024, 'large ')

const EVERYTHING = { create: true, modify: true, download: true }
const signIn = async (server: TestApp) => await server.user('bob', EVERYTHING)

const signOut = async (bob: Client) => {
  expect((await bob.ask('POST', '/api/logout')).statusCode).toBe(204)
}

/** Resolves when the served folder has a temporary file: then an upload has begun. */
const untilStaged = async (server: TestApp) =>
  await expect.poll(async () => (await readdir(server.root)).filter((name) => name.endsWith('.fm-tmp'))).toHaveLength(1)

/** More than any socket buffer holds: 4,000 names, each with a path of 3 kB. */
async function deepTree(server: TestApp): Promise<void> {
  const folder = Array.from({ length: 12 }, (_, level) => `${level}`.padEnd(250, 'x')).join('/')
  await mkdir(join(server.root, folder), { recursive: true })
  for (let i = 0; i < 4000; i += 1) await writeFile(join(server.root, folder, `found ${i}`), '')
}

describe('a session that is revoked in the middle of', () => {
  it.each([
    ['an upload', 'POST', '/api/resources/new.txt'],
    ['saving a file', 'PUT', '/api/resources/old.txt'],
  ])('%s refuses it at once and leaves every file as it was', async (_, method, path) => {
    await using server = await testApp({ files: { 'old.txt': 'old' } })
    const bob = await signIn(server)
    using upload = await openRequest(server.app, bob, method, path, { body: 'the beginning' })
    await untilStaged(server)
    await signOut(bob)
    const answer = await upload.answer
    expect([answer.statusCode, await text(answer)]).toEqual([401, '401 Unauthorized\n'])
    await upload.ended
    expect(await readdir(server.root)).toEqual(['old.txt'])
    expect(await readFile(join(server.root, 'old.txt'), 'utf8')).toBe('old')
  })

  it('a part of a resumable upload refuses the rest; after a new sign-in it goes on', async () => {
    await using server = await testApp()
    const bob = await signIn(server)
    const whole = Buffer.alloc(2 * 1024 * 1024, 'a part ')
    await bob.ask('POST', '/api/tus/a.bin', { headers: { 'upload-length': String(whole.length) } })
    const [staged = ''] = await readdir(server.root)
    const body = whole.subarray(0, whole.length / 2)
    using part = await openRequest(server.app, bob, 'PATCH', '/api/tus/a.bin', { body, headers: PART })
    await expect.poll(async () => (await stat(join(server.root, staged))).size).toBeGreaterThan(0)
    await signOut(bob)
    expect((await part.answer).statusCode).toBe(401)
    await part.ended
    const again = await server.login('bob')
    const offset = Number((await again.ask('HEAD', '/api/tus/a.bin')).headers['upload-offset'])
    const headers = { ...PART, 'upload-offset': String(offset) }
    const payload = whole.subarray(offset)
    expect((await again.ask('PATCH', '/api/tus/a.bin', { payload, headers })).statusCode).toBe(204)
    expect((await readFile(join(server.root, 'a.bin'))).equals(whole)).toBe(true)
  })

  it.each([
    ['a download', '/api/raw/large.bin'],
    ['an archive', '/api/raw/?algo=tar'],
  ])('%s cuts it off', async (_, path) => {
    await using server = await testApp({ files: { 'large.bin': LARGE } })
    const bob = await signIn(server)
    using download = await openRequest(server.app, bob, 'GET', path)
    const answer = await download.answer
    expect(answer.statusCode).toBe(200)
    await signOut(bob)
    answer.on('error', () => undefined).resume()
    expect(await download.ended).toBe(false)
  })

  it.each([
    ['a search', '/api/search/?query=found'],
    ['a recursive listing', '/api/resources/recursive/'],
  ])('%s cuts it off', async (_, path) => {
    await using server = await testApp()
    await deepTree(server)
    const bob = await signIn(server)
    using listing = await openRequest(server.app, bob, 'GET', path)
    const answer = await listing.answer
    await signOut(bob)
    answer.on('error', () => undefined).resume()
    expect(await listing.ended).toBe(false)
  })
})

describe('a session that another process or an administrator ends', () => {
  it.each([
    [
      'other permissions',
      { perm: { ...EVERYTHING, rename: false, delete: false, share: false, execute: false, admin: true } },
    ],
    ['another password', { password: 'another pass phrase' }],
  ])('ends an upload under way by %s', async (_, fields) => {
    await using server = await testApp()
    const bob = await signIn(server)
    using upload = await openRequest(server.app, bob, 'POST', '/api/resources/new.txt', { body: 'the beginning' })
    await untilStaged(server)
    await server.context.services.users.update(OPERATOR, server.context.services.users.find('bob').id, fields)
    expect((await upload.answer).statusCode).toBe(401)
    await upload.ended
    expect(await readdir(server.root)).toEqual([])
  })

  it('does not end an upload of the device on which the user changed the password', async () => {
    await using server = await testApp()
    const bob = await signIn(server)
    using upload = await openRequest(server.app, bob, 'POST', '/api/resources/new.txt', { body: 'the beginning' })
    await untilStaged(server)
    const { id } = server.context.services.users.find('bob')
    const data = { id, username: 'bob', password: 'another pass phrase' }
    const payload = JSON.stringify({ what: 'user', which: ['password'], current_password: PASSWORD, data })
    expect((await bob.ask('PUT', `/api/users/${id}`, { payload })).statusCode).toBe(200)
    upload.sent.end(', the end')
    expect((await upload.answer).statusCode).toBe(200)
    expect(await readFile(join(server.root, 'new.txt'), 'utf8')).toBe('the beginning, the end')
  })

  it('does not end an upload if it only expires', async () => {
    await using server = await testApp()
    const bob = await signIn(server)
    using upload = await openRequest(server.app, bob, 'POST', '/api/resources/new.txt', { body: 'the beginning' })
    await untilStaged(server)
    server.context.clock.move(3 * 60 * 60_000)
    expect((await bob.ask('GET', '/api/resources/')).statusCode).toBe(401)
    await server.admin()
    upload.sent.end(', the end')
    expect((await upload.answer).statusCode).toBe(200)
  })
})
