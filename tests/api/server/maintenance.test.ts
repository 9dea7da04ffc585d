import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/api/index.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { openEvents } from '../../helpers/api/open-events.ts'
import { openRequest } from '../../helpers/api/open-request.ts'
import { announce } from '../../helpers/api/send-files.ts'
import { shareOf } from '../../helpers/api/shared.ts'
import { PASSWORD, testApp, type Client, type TestApp } from '../../helpers/api/test-app.ts'

const EVERYTHING = { create: true, modify: true, delete: true, share: true, download: true }
const TUS = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
const LARGE = Buffer.alloc(24 * 1024 * 1024, 'large ')

const begin = async (admin: Client, body: object = {}) =>
  await admin.ask('PUT', '/api/maintenance', { payload: JSON.stringify(body) })

const end = async (admin: Client) => await admin.ask('DELETE', '/api/maintenance')

const login = async (server: TestApp, username: string) =>
  await server.ask('POST', '/api/login', { payload: JSON.stringify({ username, password: PASSWORD }) })

async function openWorld() {
  const server = await testApp({
    files: { 'a.txt': 'a', 'large.bin': LARGE },
    page: {
      'index.html': '<html lang="en"><head></head><script type="application/json" id="filemgr-config"></script></html>',
    },
    settings: { signup: true },
  })
  const admin = await server.admin()
  const bob = await server.user('bob', EVERYTHING)
  return { server, admin, bob, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() }
}

describe('during maintenance', () => {
  it('administrators work and sign in; others get 503 with the message and when to try again', async () => {
    await using world = await openWorld()
    const { server, admin, bob } = world
    const until = new Date(server.context.clock.now() + 90 * 60_000).toISOString()
    expect((await begin(admin, { message: 'New disks', until })).json()).toMatchObject({
      on: true,
      message: 'New disks',
    })
    expect((await admin.ask('GET', '/api/resources/a.txt')).statusCode).toBe(200)
    expect((await login(server, 'admin')).statusCode).toBe(200)

    const refused = await bob.ask('GET', '/api/resources/', { headers: { accept: 'application/json' } })
    expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5400', 'x-filemgr-maintenance': '1' } })
    expect(refused.json()).toMatchObject({ error: { code: 'MAINTENANCE', message: 'New disks', details: { until } } })
    expect((await bob.ask('GET', '/api/raw/a.txt')).body).toBe('503 Service Unavailable (New disks)\n')
    expect((await login(server, 'bob')).statusCode).toBe(503)

    expect((await end(admin)).json()).toMatchObject({ on: false })
    expect((await bob.ask('GET', '/api/resources/a.txt')).statusCode).toBe(200)
  })

  it('every operation of a user is refused', async () => {
    await using world = await openWorld()
    const { server, admin, bob } = world
    await begin(admin)
    const open = OPERATIONS.filter(({ access, id }) => access === 'user' && id !== 'terminal.open')
    for (const { method, path, id } of open) {
      const url = path.replace(/:\w+/g, '1').replace('*', 'a.txt')
      const { statusCode } = await server.app.inject({ method, url, headers: { 'x-auth': bob.token }, payload: '' })
      expect([id, statusCode]).toEqual([id, 503])
    }
  })

  it('links are closed and show no name in chats; nobody can sign up', async () => {
    await using world = await openWorld()
    const { server, admin, bob } = world
    const { hash } = (await bob.ask('POST', '/api/share/a.txt', { payload: '{}' })).json<{ hash: string }>()
    const card = async () => (await server.ask('GET', `/share/${hash}`)).body
    expect(await card()).toContain('a.txt')
    await begin(admin)
    expect((await server.ask('GET', `/api/public/dl/${hash}`)).statusCode).toBe(503)
    expect(await card()).not.toContain('a.txt')
    const payload = JSON.stringify({ username: 'eve', password: 'eight early otters' })
    expect((await server.ask('POST', '/api/signup', { payload })).statusCode).toBe(503)
    expect(server.context.store.snapshot().users).toHaveLength(2)
  })

  it('the page says so, except to administrators and at the sign-in; the daemon stays alive and ready', async () => {
    await using world = await openWorld()
    const { server, admin } = world
    await begin(admin, { message: 'New disks' })
    const cookie = { cookie: `auth=${admin.token}` }
    const page = await server.ask('GET', '/files/')
    expect(page).toMatchObject({ statusCode: 503, headers: { 'retry-after': '300', 'x-filemgr-maintenance': '1' } })
    expect(page.body).toContain('"Maintenance":{"message":"New disks"}')
    expect((await server.ask('GET', '/files/', { headers: cookie })).statusCode).toBe(200)
    expect((await server.ask('GET', '/login')).statusCode).toBe(200)
    for (const path of ['/health', '/health/live', '/health/ready'])
      expect((await server.ask('GET', path)).statusCode).toBe(200)
  })

  it('only actions of administrators are in the activity log', async () => {
    await using world = await openWorld()
    const { admin, bob } = world
    await begin(admin)
    await bob.ask('POST', '/api/resources/b.txt', { payload: 'b' })
    await end(admin)
    const { entries } = (await admin.ask('GET', '/api/audit')).json<{ entries: { action: string; who: string }[] }>()
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'maintenance.end', who: 'admin' },
      { action: 'maintenance.begin', who: 'admin' },
    ])
  })

  it('a restore neither ends it nor begins it again', async () => {
    await using world = await openWorld()
    const { admin, server } = world
    const { backups } = server.context.services
    const without = await Array.fromAsync(await backups.create(OPERATOR))
    await begin(admin, { message: 'New disks' })
    const during = await Array.fromAsync(await backups.create(OPERATOR))
    await backups.restore(OPERATOR, streamOf(without))
    expect(server.context.store.snapshot().maintenance).toMatchObject({ message: 'New disks' })
    await server.context.services.maintenance.end(OPERATOR)
    await backups.restore(OPERATOR, streamOf(during))
    expect(server.context.store.snapshot().maintenance).toBeUndefined()
  })
})

async function* streamOf(parts: readonly Uint8Array[]) {
  yield* parts
}

describe('when maintenance begins', () => {
  it('a resumable upload stops and goes on afterwards', async () => {
    await using world = await openWorld()
    const { server, admin, bob } = world
    const whole = Buffer.alloc(2 * 1024 * 1024, 'a part ')
    await bob.ask('POST', '/api/tus/b.bin', { headers: { 'upload-length': String(whole.length) } })
    const staged = (await readdir(server.root)).find((name) => name.endsWith('.fm-tmp')) ?? ''
    const body = whole.subarray(0, whole.length / 2)
    using part = await openRequest(server.app, bob, 'PATCH', '/api/tus/b.bin', { body, headers: TUS })
    await expect.poll(async () => (await stat(join(server.root, staged))).size).toBeGreaterThan(0)
    await begin(admin)
    const answer = await part.answer
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '300'])
    await part.ended
    await end(admin)
    const offset = Number((await bob.ask('HEAD', '/api/tus/b.bin')).headers['upload-offset'])
    const headers = { ...TUS, 'upload-offset': String(offset) }
    expect((await bob.ask('PATCH', '/api/tus/b.bin', { payload: whole.subarray(offset), headers })).statusCode).toBe(
      204,
    )
    expect((await readFile(join(server.root, 'b.bin'))).equals(whole)).toBe(true)
  })

  it('the rest of a form of several files is refused', async () => {
    await using world = await openWorld()
    const { server, admin, bob } = world
    const part = (name: string, content: string) =>
      `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n${content}`
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const body = `${part('1.txt', 'one')}\r\n${part('2.txt', 'the beginning')}`
    using form = await openRequest(server.app, bob, 'POST', '/api/upload/', { body, headers })
    await expect.poll(async () => await readdir(server.root)).toContain('1.txt')
    await begin(admin)
    expect((await form.answer).statusCode).toBe(503)
    await form.ended
    expect(await readdir(server.root)).toEqual(['1.txt', 'a.txt', 'large.bin'])
  })

  it('a file that a visitor sends stops and goes on afterwards', async () => {
    await using world = await openWorld()
    const { server, admin } = world
    const whole = Buffer.alloc(2 * 1024 * 1024, 'a part ')
    const link = await shareOf(admin, '/', { terms: { allows: 'upload' } })
    const begun = await announce(server, link, 'sent.bin', { length: whole.length })
    const address = String(begun.headers.location)
    const staged = (await readdir(server.root)).find((name) => name.endsWith('.fm-tmp')) ?? ''
    const body = whole.subarray(0, whole.length / 2)
    using part = await openRequest(server.app, { token: '' }, 'PATCH', address, { body, headers: TUS })
    await expect.poll(async () => (await stat(join(server.root, staged))).size).toBeGreaterThan(0)
    await begin(admin)
    expect((await part.answer).statusCode).toBe(503)
    await part.ended
    await end(admin)
    const offset = Number((await server.ask('HEAD', address)).headers['upload-offset'])
    const headers = { ...TUS, 'upload-offset': String(offset) }
    expect((await server.ask('PATCH', address, { headers, payload: whole.subarray(offset) })).statusCode).toBe(204)
    expect((await readFile(join(server.root, 'sent.bin'))).equals(whole)).toBe(true)
  })

  it('a download goes on to its end, and is counted until then', async () => {
    await using world = await openWorld()
    const { server, admin, bob } = world
    using download = await openRequest(server.app, bob, 'GET', '/api/raw/large.bin')
    const answer = await download.answer
    expect((await begin(admin)).json()).toMatchObject({ running: { requests: 1, jobs: 0 } })
    answer.resume()
    expect(await download.ended).toBe(true)
    const running = async () => (await admin.ask('GET', '/api/maintenance')).json<{ running: object }>().running
    await expect.poll(running).toEqual({ requests: 0, jobs: 0 })
  })

  it('the event streams of users report it and end; those of administrators go on', async () => {
    await using world = await openWorld()
    const { server, admin, bob } = world
    using ofBob = await openEvents(server.app, bob)
    using ofAdmin = await openEvents(server.app, admin)
    await begin(admin)
    await ofBob.next('settings')
    expect(await ofBob.ended).toBe(true)
    await ofAdmin.next('settings')
    await end(admin)
    await ofAdmin.next('settings')
  })
})

it.each([
  ['an end in the past', { until: '2020-01-01T00:00:00Z' }],
  ['an end that is no time', { until: 'soon' }],
  ['a message of two lines', { message: 'one\ntwo' }],
])('%s is refused', async (_, body) => {
  await using world = await openWorld()
  expect((await begin(world.admin, body)).statusCode).toBe(400)
  expect(world.server.context.store.snapshot().maintenance).toBeUndefined()
})
