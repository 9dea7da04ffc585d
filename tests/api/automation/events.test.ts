import { readdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { openEvents, type OpenEvents } from '../../helpers/api/open-events.ts'
import { testApp, type TestApp } from '../../helpers/api/test-app.ts'
import { eventually } from '../../helpers/patience.ts'

const EVERYTHING = { create: true, modify: true, rename: true, delete: true, download: true }
const rule = (path: string, allow = false) => ({ regex: false, allow, path, regexp: null })
const names = ({ received }: OpenEvents) => received.map(({ name }) => name)
const put = async (client: { ask: TestApp['ask'] }, path: string) =>
  expect((await client.ask('POST', `/api/resources${path}?override=true`, { payload: 'x' })).statusCode).toBe(200)

/** Changes a setting and waits for its event: the events of earlier changes have come by then. */
async function untilDelivered(server: TestApp, stream: OpenEvents): Promise<void> {
  const { settings } = server.context.store.snapshot()
  await server.context.store.update((draft) => void (draft.settings.signup = !settings.signup))
  await stream.next('settings')
}

describe('a stream of events', () => {
  it('begins with a greeting, has growing ids, and is held up by neither caches nor proxies', async () => {
    await using server = await testApp({ files: { 'docs/': '' } })
    const bob = await server.user('bob', EVERYTHING)
    using stream = await openEvents(server.app, bob, '/docs/')
    await put(bob, '/docs/new.txt')
    expect((await stream.next('folder')).data).toEqual({ path: '/docs' })
    expect(stream.received[0]).toMatchObject({ name: 'hello', data: { folder: '/docs' } })
    expect((stream.received[1]?.id ?? 0) > (stream.received[0]?.id ?? 0)).toBe(true)
    expect(stream.answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-store, must-revalidate',
      'x-accel-buffering': 'no',
    })
    expect(stream.answer.headers['content-encoding']).toBeUndefined()
  })

  it('reports what other programs and users do in the open folder, and nothing elsewhere', async () => {
    await using server = await testApp({ files: { 'docs/old.txt': '', 'elsewhere/': '', 'home/docs/': '' } })
    const bob = await server.user('bob', EVERYTHING)
    const ann = await server.user('ann', EVERYTHING, { scope: '/docs' })
    using stream = await openEvents(server.app, bob, '/docs')
    await put(bob, '/elsewhere/a.txt')
    await writeFile(join(server.root, 'elsewhere/b.txt'), '')
    await untilDelivered(server, stream)
    expect(names(stream)).toEqual(['hello', 'settings'])
    await writeFile(join(server.root, 'docs/by another program'), '')
    await stream.next('folder')
    await put(ann, '/by-ann.txt')
    await stream.next('folder')
    await bob.ask('DELETE', '/api/resources/docs/old.txt')
    await stream.next('folder')
  })

  it('watches a second folder, and goes on watching the one that stays', async () => {
    await using server = await testApp({ files: { 'docs/': '', 'photos/': '', 'songs/': '' } })
    const bob = await server.user('bob', EVERYTHING)
    using stream = await openEvents(server.app, bob, '/docs', {}, '/photos')
    expect(stream.received[0]?.data).toMatchObject({ folder: '/docs', beside: '/photos' })
    await writeFile(join(server.root, 'photos/a.jpg'), '')
    expect((await stream.next('folder')).data).toEqual({ path: '/photos' })
    const url = `/api/events/${String(stream.received[0]?.data['stream'])}`
    const moved = await bob.ask('PUT', url, { payload: JSON.stringify({ folder: '/docs', beside: '/songs' }) })
    expect(moved.statusCode).toBe(204)
    await writeFile(join(server.root, 'photos/b.jpg'), '')
    await put(bob, '/songs/a.mp3')
    expect((await stream.next('folder')).data).toEqual({ path: '/songs' })
    await writeFile(join(server.root, 'docs/a.txt'), '')
    expect((await stream.next('folder')).data).toEqual({ path: '/docs' })
    const wrong = await bob.ask('PUT', url, { payload: JSON.stringify({ folder: '/docs', beside: '/gone' }) })
    expect(wrong.statusCode).toBe(404)
  })

  it('reports a name that is not UTF-8, and is too long once it is shown as text', async () => {
    await using server = await testApp({ files: { 'docs/': '' } })
    using stream = await openEvents(server.app, await server.user('bob', EVERYTHING), '/docs')
    await writeFile(Buffer.concat([Buffer.from(`${server.root}/docs/`), Buffer.alloc(255, 0xe4)]), '')
    await stream.next('folder')
  })

  it('ends without a warning in the log when its client disconnects', async () => {
    await using server = await testApp()
    const stream = await openEvents(server.app, await server.user('bob', EVERYTHING), '/')
    stream[Symbol.dispose]()
    const connections = promisify(server.app.server.getConnections.bind(server.app.server))
    await expect.poll(async () => await connections()).toBe(0)
    await server.app.close()
    expect(server.log.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })

  it('reports a change through the API at once, even if the folder cannot be watched', async () => {
    await using server = await testApp({ files: { 'docs/inner/': '' } })
    const bob = await server.user('bob', EVERYTHING)
    using stream = await openEvents(server.app, bob, '/docs/inner')
    await bob.ask('PATCH', '/api/resources/docs?action=rename&destination=%2Fpapers')
    expect((await stream.next('folder')).data).toEqual({ path: '/docs/inner' })
  })

  it('refuses a folder that rules deny, that is missing, or whose path is not plain', async () => {
    await using server = await testApp({ files: { 'secret/a.txt': '', 'docs/': '' } })
    const bob = await server.user('bob', EVERYTHING, { rules: [rule('/secret')] })
    const refused = async (folder: string) => {
      const answer = await bob.ask('GET', `/api/events?folder=${folder}`)
      return answer.statusCode
    }
    expect(await refused('/secret')).toBe(403)
    expect(await refused('/missing')).toBe(404)
    expect(await refused('/docs/../secret')).toBe(400)
    expect(await refused('/docs%00')).toBe(400)
    expect(await refused('/secret/a.txt')).toBe(403)
    expect(await refused('/.filemgr-trash')).toBe(404)
  })

  it('reports neither denied nor hidden nor unfinished files', async () => {
    await using server = await testApp({ files: { 'docs/': '' } })
    const ann = await server.user('ann', EVERYTHING)
    const bob = await server.user('bob', EVERYTHING, { rules: [rule('/docs/secret')], hideDotfiles: true })
    using stream = await openEvents(server.app, bob, '/docs')
    using later = await openEvents(server.app, ann, '/docs')
    await put(ann, '/docs/secret')
    await later.next('folder')
    await writeFile(join(server.root, 'docs/.AAAAAAAAAAAA.fm-tmp'), '')
    await writeFile(join(server.root, 'docs/.hidden'), '')
    await writeFile(join(server.root, 'docs/secret'), 'again')
    await later.next('folder')
    await untilDelivered(server, stream)
    expect(names(stream)).toEqual(['hello', 'settings'])
  })

  it('does not follow a folder that was replaced by a link out of the scope', async () => {
    await using server = await testApp({ files: { 'home/docs/': '', 'outside/': '' } })
    const ann = await server.user('ann', EVERYTHING)
    const bob = await server.user('bob', EVERYTHING, { scope: '/home' })
    using stream = await openEvents(server.app, bob, '/docs')
    await rename(join(server.root, 'home/docs'), join(server.root, 'home/moved'))
    await symlink('../outside', join(server.root, 'home/docs'))
    await stream.next('folder')
    using later = await openEvents(server.app, ann, '/outside')
    await writeFile(join(server.root, 'outside/secret'), '')
    await later.next('folder')
    await untilDelivered(server, stream)
    expect(names(stream).filter((name) => name === 'folder')).toHaveLength(1)
  })

  it('stops reporting a folder that a rule denies its user meanwhile', async () => {
    await using server = await testApp({ files: { 'docs/': '' } })
    const ann = await server.user('ann', EVERYTHING)
    const bob = await server.user('bob', EVERYTHING)
    using stream = await openEvents(server.app, bob, '/docs')
    const { id } = server.context.services.users.find('bob')
    await server.context.services.users.update(OPERATOR, id, { rules: [rule('/docs')] })
    // The event makes the page ask again, and be refused.
    await stream.next('folder')
    using later = await openEvents(server.app, ann, '/docs')
    await put(ann, '/docs/secret')
    await later.next('folder')
    await writeFile(join(server.root, 'docs/secret'), 'again')
    await later.next('folder')
    await untilDelivered(server, stream)
    expect(names(stream).filter((name) => name === 'folder')).toHaveLength(1)
  })

  it('watches another folder when asked to, without being opened again', async () => {
    await using server = await testApp({ files: { 'a/': '', 'b/': '' } })
    const bob = await server.user('bob', EVERYTHING)
    const ann = await server.user('ann', EVERYTHING)
    using stream = await openEvents(server.app, bob, '/a')
    const url = `/api/events/${String(stream.received[0]?.data['stream'])}`
    const ask = async (client: typeof bob, folder: string) =>
      (await client.ask('PUT', url, { payload: JSON.stringify({ folder }) })).statusCode
    expect(await ask(ann, '/b')).toBe(404)
    expect(await ask(bob, '/missing')).toBe(404)
    expect(await ask(bob, '/b')).toBe(204)
    await put(bob, '/a/new')
    await put(bob, '/b/new')
    expect((await stream.next('folder')).data).toEqual({ path: '/b' })
    expect(await ask(bob, '')).toBe(204)
    await put(bob, '/b/newer')
    await untilDelivered(server, stream)
    expect(stream.received.filter(({ data }) => data['path'] === '/a')).toEqual([])
  })

  it('reports a gap to a client that was connected before', async () => {
    await using server = await testApp()
    const bob = await server.user('bob')
    using stream = await openEvents(server.app, bob, undefined, { 'last-event-id': '17' })
    await stream.next('gap')
  })

  it('reports jobs to their owner and to administrators only', async () => {
    await using server = await testApp({ files: { 'docs/a.txt': 'a', 'docs/b/c.txt': 'c' } })
    const bob = await server.user('bob', EVERYTHING)
    using own = await openEvents(server.app, bob)
    using admin = await openEvents(server.app, await server.admin())
    using other = await openEvents(server.app, await server.user('ann', EVERYTHING))
    await bob.ask('PATCH', '/api/resources/docs?action=copy&destination=%2Fcopied')
    for (const stream of [own, admin]) {
      await expect.poll(() => stream.received.at(-1)?.data['state']).toBe('done')
      expect(stream.received.at(-1)).toMatchObject({ name: 'job', data: { kind: 'copy', path: '/docs' } })
    }
    await untilDelivered(server, other)
    expect(names(other)).toEqual(['hello', 'settings'])
  })

  it('reports accounts, devices and start-up values only to the users concerned', async () => {
    await using server = await testApp()
    const bob = await server.user('bob')
    using own = await openEvents(server.app, bob)
    using admin = await openEvents(server.app, await server.admin())
    using other = await openEvents(server.app, await server.user('ann'))
    await server.login('bob')
    await own.next('sessions')
    await admin.next('sessions')
    const { id } = server.context.services.users.find('bob')
    await server.context.services.users.update(OPERATOR, id, { locale: 'de' })
    await own.next('users')
    await admin.next('users')
    await server.context.store.update((draft) => void (draft.server.readOnly = true))
    expect((await admin.next('server')).data).toEqual({ state: 'changed' })
    await untilDelivered(server, other)
    await untilDelivered(server, own)
    expect(names(other).filter((name) => name !== 'settings')).toEqual(['hello'])
    expect(names(own)).not.toContain('server')
    expect(JSON.stringify(admin.received)).not.toMatch(/hash|bob/i)
  })
})

describe('the end of a stream of events', () => {
  it('comes at once when its session is revoked, and says so', async () => {
    await using server = await testApp()
    const bob = await server.user('bob')
    using stream = await openEvents(server.app, bob)
    await bob.ask('POST', '/api/logout')
    expect((await stream.next('session')).data).toEqual({ end: 'revoked' })
    expect(await stream.ended).toBe(true)
  })

  it('comes when its session expires', async () => {
    await using server = await testApp()
    const bob = await server.user('bob')
    using stream = await openEvents(server.app, bob)
    server.context.clock.move(3 * 60 * 60_000)
    await server.admin()
    expect((await stream.next('session')).data).toEqual({ end: 'expired' })
    expect(await stream.ended).toBe(true)
  })

  it('does not come when the session is renewed', async () => {
    await using server = await testApp()
    const bob = await server.user('bob')
    using stream = await openEvents(server.app, bob)
    server.context.clock.move(1.5 * 60 * 60_000)
    await bob.ask('POST', '/api/renew')
    server.context.clock.move(60 * 60_000)
    await untilDelivered(server, stream)
    expect(names(stream)).not.toContain('session')
  })

  it('comes for the oldest stream when one user has more than sixteen', async () => {
    await using server = await testApp()
    const [bob, ann] = [await server.user('bob'), await server.user('ann')]
    using other = await openEvents(server.app, ann)
    const streams = []
    for (let i = 0; i < 17; i += 1) streams.push(await openEvents(server.app, bob))
    expect((await streams[0]?.next('session'))?.data).toEqual({ end: 'replaced' })
    expect(await streams[0]?.ended).toBe(true)
    await untilDelivered(server, other)
    for (const stream of streams.slice(1)) await stream.next('settings')
    for (const stream of streams) stream[Symbol.dispose]()
  })

  it('comes when the server stops, which does not wait for clients', async () => {
    await using server = await testApp()
    const bob = await server.user('bob')
    using stream = await openEvents(server.app, bob)
    const closing = server.app.close()
    expect((await stream.next('server')).data).toEqual({ state: 'stopping' })
    expect(await stream.ended).toBe(true)
    await closing
  })

  it('closes the watched folder at once when the client disconnects', async () => {
    const folders = Array.from({ length: 20 }, (_, i) => `docs${i}`)
    await using server = await testApp({ files: Object.fromEntries(folders.map((name) => [`${name}/`, ''])) })
    const bob = await server.user('bob')
    const count = async () => (await readdir('/proc/self/fd')).length
    const first = await openEvents(server.app, bob, '/docs0')
    first[Symbol.dispose]()
    await expect
      .poll(async () => await new Promise((resolve) => server.app.server.getConnections((_, n) => resolve(n))))
      .toBe(0)
    const before = await count()
    // Without timers the server sends no keep-alive, which would notice the disconnect in any case.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    for (const name of folders) {
      using stream = await openEvents(server.app, bob, `/${name}`)
      expect(names(stream)).toEqual(['hello'])
    }
    await eventually(async () => expect(await count()).toBeLessThanOrEqual(before + 2))
  })
})
