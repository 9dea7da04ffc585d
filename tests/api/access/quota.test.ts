import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { ALL_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import type { QuotaView } from '../../../src/domain/access/quota.ts'
import type { TrashItem } from '../../../src/domain/files/trash.ts'
import { isOver, type Job } from '../../../src/domain/automation/job.ts'
import { openRequest } from '../../helpers/api/open-request.ts'
import { announce } from '../../helpers/api/send-files.ts'
import { shareOf } from '../../helpers/api/shared.ts'
import { type Answer, type Client, testApp } from '../../helpers/api/test-app.ts'
import { zipFile } from '../../helpers/samples/zip-file.ts'
import {
  begin,
  copy,
  MB,
  MINUTE,
  TEN_MINUTES,
  openWorld,
  remove,
  SIZE,
  upload,
  usedOf,
  useOf,
} from '../../helpers/api/quota-world.ts'
import { eventually } from '../../helpers/patience.ts'

/** "done", or why the request or its job failed. */

const statuses = (answers: readonly Answer[]) => answers.map(({ statusCode }) => statusCode).toSorted()

/** The bytes of all files on disk, including the trash. */

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'record.json')
  const sizes = await Promise.all(files.map(async (file) => (await readFile(join(file.parentPath, file.name))).length))
  return sizes.reduce((sum, size) => sum + size, 0)
}

describe('20 clients that race for the last megabyte of a quota', () => {
  const RACERS = Array.from({ length: 20 }, (_, number) => number)
  /** 16 of them fit. */
  const outcome = (done: number) => [...Array<number>(16).fill(done), ...Array<number>(4).fill(507)]

  it('get no more by POST', async () => {
    await using world = await openWorld({ quota: 2 * MB })
    await upload(world.ann, 'first', MB)
    const answers = await Promise.all(RACERS.map(async (n) => await upload(world.ann, `file ${n}`, SIZE)))
    expect(statuses(answers)).toEqual(outcome(200))
    expect(await usedOf(world.ann)).toEqual({ bytes: 2 * MB, files: 17 })
    expect(await bytesIn(join(world.server.root, 'home'))).toBe(2 * MB)
  })

  it('get no more by POST without a length, whose bytes are reserved as they come', async () => {
    await using world = await openWorld({ quota: MB })
    const { app } = world.server
    await app.listen({ port: 0, host: '127.0.0.1' })
    const answers = await Promise.all(
      RACERS.map(async (n) => {
        using request = await openRequest(app, world.ann, 'POST', `/api/resources/file${n}`, { body: 'x'.repeat(SIZE) })
        request.sent.end()
        return (await request.answer).statusCode
      }),
    )
    const done = answers.filter((status) => status === 200).length
    expect(new Set(answers)).toEqual(new Set([200, 507]))
    expect(await bytesIn(join(world.server.root, 'home'))).toBe(done * SIZE)
    expect(await usedOf(world.ann)).toEqual({ bytes: done * SIZE, files: done })
    expect(done).toBeLessThanOrEqual(16)
  })

  it('get no more by many small files in one request', async () => {
    await using world = await openWorld({ quota: MB })
    const statusesOf = async (n: number) => {
      const form = new FormData()
      form.append('file', new Blob(['x'.repeat(SIZE)]), `file${n}`)
      const body = new Response(form)
      const headers = { 'content-type': body.headers.get('content-type') ?? '' }
      const sent = await world.ann.ask('POST', '/api/upload/', {
        headers,
        payload: Buffer.from(await body.arrayBuffer()),
      })
      return sent.json<{ status: number }[]>().map(({ status }) => status)
    }
    const answers = (await Promise.all(RACERS.map(statusesOf))).flat()
    const done = answers.filter((status) => status === 200).length
    expect(new Set(answers)).toEqual(new Set([200, 507]))
    expect(await bytesIn(join(world.server.root, 'home'))).toBe(done * SIZE)
    expect(done).toBeLessThanOrEqual(16)
  })

  it('get no more by uploads in parts, which count from their beginning', async () => {
    await using world = await openWorld({ quota: MB })
    const answers = await Promise.all(RACERS.map(async (n) => await begin(world.ann, `file${n}`, SIZE)))
    expect(statuses(answers)).toEqual(outcome(201))
    expect(await usedOf(world.ann)).toEqual({ bytes: MB, files: 16 })
    expect((await upload(world.ann, 'one more', 1)).statusCode).toBe(507)
  })

  it('get no more by copying', async () => {
    await using world = await openWorld({ quota: MB + SIZE })
    await upload(world.ann, 'original', SIZE)
    const answers = await Promise.all(RACERS.map(async (n) => await copy(world.ann, 'original', `file${n}`)))
    expect(statuses(answers)).toEqual(outcome(200))
    expect(await bytesIn(join(world.server.root, 'home'))).toBe(MB + SIZE)
  })

  it('get half of what is free by a link of the user, and learn nothing of the quota', async () => {
    await using world = await openWorld({ quota: MB })
    const link = await shareOf(world.ann, '/', { terms: { allows: 'upload' } })
    const sent = async (n: number) =>
      await announce(world.server, link, `file${n}`, { length: SIZE, headers: { accept: 'application/json' } })
    const answers = await Promise.all(RACERS.map(sent))
    expect(statuses(answers)).toEqual([...Array<number>(8).fill(201), ...Array<number>(12).fill(507)])
    const refused = answers.find(({ statusCode }) => statusCode === 507)
    expect(refused?.json()).toMatchObject({ error: { message: 'the recipient has no room for this file' } })
    expect(await usedOf(world.ann)).toEqual({ bytes: MB / 2, files: 8 })
    expect((await upload(world.ann, 'own', MB / 4)).statusCode).toBe(200)
    // What is free has become less, and what visitors have begun is more than half of it.
    expect((await sent(30)).statusCode).toBe(507)
    for (const { headers } of answers.slice(0, 4)) await world.server.ask('DELETE', String(headers.location))
    expect((await sent(30)).statusCode).toBe(201)
    expect((await sent(31)).statusCode).toBe(201)
    expect((await sent(32)).statusCode).toBe(507)
  })

  it('get half of the files that are free by a link of the user', async () => {
    await using world = await openWorld({ quotaFiles: 10 })
    const link = await shareOf(world.ann, '/', { terms: { allows: 'upload' } })
    const answers = await Promise.all(
      RACERS.map(async (n) => await announce(world.server, link, `file${n}`, { length: 1 })),
    )
    expect(statuses(answers)).toEqual([...Array<number>(5).fill(201), ...Array<number>(15).fill(507)])
  })

  it('get no more by extracting or compressing', async () => {
    const half = { name: 'a', content: Buffer.alloc(SIZE / 2), stored: true }
    const archive = zipFile([half, { ...half, name: 'b' }])
    await using world = await openWorld({ quota: 2 * MB })
    const home = join(world.server.root, 'home')
    await writeFile(join(home, 'a.zip'), archive)
    await writeFile(join(home, 'filler'), Buffer.alloc(MB - archive.length))
    for (const n of RACERS) await mkdir(join(home, `to${n}`))
    const race = async (path: string, request: (n: number) => object) => {
      const headers = { accept: 'application/json' }
      const send = async (n: number) =>
        await world.ann.ask('POST', path, { headers, payload: JSON.stringify(request(n)) })
      const answers = await Promise.all(RACERS.map(send))
      const jobs = async () => (await world.ann.ask('GET', '/api/jobs')).json<Job[]>()
      await eventually(async () => expect((await jobs()).every(isOver)).toBe(true))
      const all = await jobs()
      return answers.map((answer) => {
        const { id, error } = answer.json<Pick<Job, 'error'> & { id?: string }>()
        return (error ?? all.find((job) => job.id === id)?.error)?.code ?? 'done'
      })
    }
    const extracted = await race('/api/extract/a.zip', (n) => ({ destination: `/to${n}` }))
    expect(extracted.filter((code) => code === 'done')).toHaveLength(16)
    expect(new Set(extracted)).toEqual(new Set(['done', 'QUOTA_EXCEEDED']))
    expect(await bytesIn(home)).toBe(2 * MB)
    const compressed = await race('/api/compress/', (n) => ({ names: ['filler'], destination: `/${n}.tar` }))
    expect(new Set(compressed)).toEqual(new Set(['QUOTA_EXCEEDED']))
    expect(await bytesIn(home)).toBe(2 * MB)
  })

  it('get no more files than their number allows', async () => {
    await using world = await openWorld({ quotaFiles: 16 })
    const answers = await Promise.all(RACERS.map(async (n) => await upload(world.ann, `file${n}`, 1)))
    expect(statuses(answers)).toEqual(outcome(200))
  })
})

describe('a quota', () => {
  it('says in a sentence what is left', async () => {
    await using world = await openWorld({ quota: 2 * MB })
    const refused = await upload(world.ann, 'a', 3 * MB)
    const sentence =
      'your quota has no room for 3 MiB: 2 MiB of 2 MiB are left; delete files permanently, or ask an administrator for more'
    expect([refused.statusCode, refused.body]).toEqual([507, `507 Insufficient Storage (${sentence})\n`])
    const headers = { accept: 'application/json', 'upload-length': String(3 * MB) }
    const error = (await world.ann.ask('POST', '/api/tus/a', { headers })).json<{ error: object }>()
    expect(error).toMatchObject({ error: { code: 'QUOTA_EXCEEDED', message: sentence } })
    expect(await readdir(join(world.server.root, 'home'))).toEqual([])
  })

  it('is shown to its user only, and leaves answers to others as they are', async () => {
    await using world = await openWorld({ quota: MB, quotaFiles: 9 })
    const bob = await world.server.user('bob', { create: true })
    expect(await useOf(world.ann)).toEqual({ used: { bytes: 0, files: 0 }, limit: { bytes: MB, files: 9 } })
    expect(Object.keys((await bob.ask('GET', '/api/usage/')).json<object>())).toEqual(['total', 'used'])
    const admin = await world.server.admin()
    const users = (await admin.ask('GET', '/api/users')).json<object[]>()
    expect(users.map((user) => 'quota' in user)).toEqual([false, true, false])
    const { defaults } = (await admin.ask('GET', '/api/settings')).json<{ defaults: object }>()
    expect(Object.keys(defaults)).not.toContain('quota')
  })

  it('is free again when the trash is emptied, not before', async () => {
    await using world = await openWorld({ quota: MB })
    await upload(world.ann, 'a', MB)
    await remove(world.ann, 'a', '?trash=true')
    expect((await upload(world.ann, 'b', MB)).statusCode).toBe(507)
    expect(await usedOf(world.ann)).toEqual({ bytes: MB, files: 1 })
    const [item] = (await world.ann.ask('GET', '/api/trash')).json<TrashItem[]>()
    await world.ann.ask('DELETE', `/api/trash/${item?.id ?? ''}`)
    expect((await upload(world.ann, 'b', MB)).statusCode).toBe(200)
  })

  it('is free again when an upload is cancelled or started over', async () => {
    await using world = await openWorld({ quota: MB })
    expect((await begin(world.ann, 'a', MB)).statusCode).toBe(201)
    expect((await begin(world.ann, 'a', MB, '?override=true')).statusCode).toBe(201)
    expect((await begin(world.ann, 'b', 1)).statusCode).toBe(507)
    expect((await world.ann.ask('DELETE', '/api/tus/a')).statusCode).toBe(204)
    expect((await begin(world.ann, 'b', MB)).statusCode).toBe(201)
  })

  it('counts a saved file by what it adds, and frees the bytes of a file that is replaced', async () => {
    await using world = await openWorld({ quota: 2 * MB })
    await upload(world.ann, 'a', MB + SIZE)
    const save = async (bytes: number) =>
      await world.ann.ask('PUT', '/api/resources/a', { payload: Buffer.alloc(bytes, 'y') })
    expect((await save(2 * MB)).statusCode).toBe(200)
    expect((await save(2 * MB + 1)).statusCode).toBe(507)
    expect((await save(MB)).statusCode).toBe(200)
    expect((await upload(world.ann, 'a', MB, '?override=true')).statusCode).toBe(200)
    world.server.context.clock.move(TEN_MINUTES)
    expect(await usedOf(world.ann)).toEqual({ bytes: MB, files: 1 })
  })

  it('holds for the copy of a folder that has grown', async () => {
    await using world = await openWorld({ quota: 2 * MB }, { 'home/dir/small': 'x' })
    expect((await copy(world.ann, 'dir', 'copy')).statusCode).toBe(200)
    await writeFile(join(world.server.root, 'home/dir/large'), Buffer.alloc(3 * MB))
    expect((await copy(world.ann, 'dir', 'another')).statusCode).toBe(507)
  })

  it('counts what others write into the scope, without refusing them', async () => {
    await using world = await openWorld({ quota: MB })
    const bob = await world.server.user('bob', { create: true, rename: true, delete: true })
    const eve = await world.server.user('eve', { create: true }, { scope: '/home', quota: 4 * MB })
    expect(await usedOf(world.ann)).toEqual({ bytes: 0, files: 0 })
    expect((await upload(bob, 'home/a', 2 * MB)).statusCode).toBe(200)
    expect((await upload(eve, 'b', MB)).statusCode).toBe(200)
    expect((await upload(eve, 'c', 2 * MB)).statusCode).toBe(507)
    expect(await usedOf(world.ann)).toEqual({ bytes: 3 * MB, files: 2 })
    expect((await upload(world.ann, 'd', 1)).statusCode).toBe(507)
    await upload(bob, 'outside', SIZE)
    await bob.ask('PATCH', '/api/resources/outside?action=rename&destination=%2Fhome%2Finside')
    expect(await usedOf(world.ann)).toEqual({ bytes: 3 * MB + SIZE, files: 3 })
    for (const name of ['a', 'b']) await remove(bob, `home/${name}`)
    world.server.context.clock.move(5 * MINUTE)
    expect(await usedOf(eve)).toEqual({ bytes: SIZE, files: 1 })
  })

  /** Each moves the file back at the next call. */
  const MOVES: [string, (client: Client, names: [string, string]) => Promise<Answer>][] = [
    [
      'renamed',
      async (client, [from, to]) =>
        await client.ask('PATCH', `/api/resources/${from}?action=rename&destination=%2F${to}`),
    ],
    [
      'renamed among others',
      async (client, [from, to]) => {
        const payload = JSON.stringify({ renames: [{ from, to }] })
        return await client.ask('POST', '/api/rename/', { payload, headers: { 'content-type': 'application/json' } })
      },
    ],
    [
      'moved to the trash, or restored',
      async (client, [from]) => {
        const [item] = (await client.ask('GET', '/api/trash')).json<TrashItem[]>()
        return item === undefined
          ? await remove(client, from, '?trash=true')
          : await client.ask('POST', `/api/trash/${item.id}`)
      },
    ],
  ]

  it.each(MOVES)('is not exceeded when files are %s while they are counted', async (_, move) => {
    await using world = await openWorld({ quota: MB })
    await upload(world.ann, 'a', MB)
    world.server.context.clock.move(TEN_MINUTES)
    const { storage } = world.server.context
    const openScope = storage.openScope.bind(storage)
    const names: [string, string] = ['a', 'b']
    const statuses: number[] = []
    vi.spyOn(storage, 'openScope').mockImplementation(async (...path) => {
      const scope = await openScope(...path)
      // As if the count always looked where the file is not.
      scope.measure = async () => {
        statuses.push((await move(world.ann, names)).statusCode)
        names.reverse()
        return { bytes: 0, files: 0 }
      }
      return scope
    })
    expect((await upload(world.ann, 'more', 1)).statusCode).toBe(507)
    expect(statuses.length).toBeGreaterThan(1)
    expect(statuses.filter((status) => status >= 300)).toEqual([])
  })

  it('is counted again for a scope that had no quota for a while, or into which a folder was moved', async () => {
    await using world = await openWorld({ quota: MB }, { 'old/home/a': 'abc' })
    const { users } = world.server.context.services
    const { id } = users.find('ann')
    expect(await usedOf(world.ann)).toEqual({ bytes: 0, files: 0 })
    await users.update(OPERATOR, id, { quota: 0 })
    await upload(world.ann, 'b', 2 * MB)
    await users.update(OPERATOR, id, { quota: 4 * MB })
    expect(await usedOf(world.ann)).toEqual({ bytes: 2 * MB, files: 1 })
    const bob = await world.server.user('bob', { ...ALL_PERMISSIONS, admin: false })
    const merged = await bob.ask('PATCH', '/api/resources/old/home?action=rename&destination=%2Fhome%2Fnew')
    expect(merged.statusCode).toBe(200)
    expect(await usedOf(world.ann)).toEqual({ bytes: 2 * MB + 3, files: 3 })
    await bob.ask('PATCH', '/api/resources/home?action=rename&destination=%2Faway')
    await bob.ask('PATCH', '/api/resources/old?action=copy&destination=%2Fhome')
    expect((await upload(world.ann, 'c', 4 * MB)).statusCode).toBe(200)
    expect(await usedOf(world.ann)).toEqual({ bytes: 4 * MB, files: 1 })
  })

  it('notices changes by other programs before it refuses, and after ten minutes', async () => {
    await using world = await openWorld({ quota: MB })
    const home = join(world.server.root, 'home')
    await upload(world.ann, 'a', MB)
    await rm(join(home, 'a'))
    world.server.context.clock.move(5 * MINUTE)
    expect((await upload(world.ann, 'b', MB)).statusCode).toBe(200)
    await mkdir(join(home, 'sub'))
    await writeFile(join(home, 'sub/c'), Buffer.alloc(MB))
    expect(await usedOf(world.ann)).toEqual({ bytes: MB, files: 1 })
    world.server.context.clock.move(11 * MINUTE)
    expect(await usedOf(world.ann)).toEqual({ bytes: 2 * MB, files: 3 })
  })

  it('is counted again for an administrator who asks', async () => {
    await using world = await openWorld({ quota: MB }, { 'home/a': 'abc' })
    const admin = await world.server.admin()
    const listed = async () => (await admin.ask('GET', '/api/quotas')).json<QuotaView[]>()
    const quota = { username: 'ann', scope: '/home', limit: { bytes: MB, files: 0 } }
    expect(await listed()).toMatchObject([{ ...quota, used: null, counted: null }])
    const counted = await admin.ask('POST', '/api/quotas/2/recount')
    expect(counted.json()).toMatchObject({ ...quota, used: { bytes: 3, files: 1 } })
    expect(await listed()).toEqual([counted.json()])
    expect((await admin.ask('POST', '/api/quotas/1/recount')).statusCode).toBe(409)
    expect((await admin.ask('POST', '/api/quotas/9/recount')).statusCode).toBe(404)
  })

  it('is given to new users by default, also by an old client, whose full updates do not change it', async () => {
    await using server = await testApp({ settings: { defaults: { quota: MB } } })
    const admin = await server.admin()
    const current_password = 'correct horse battery staple'
    const data = { username: 'old', password: 'eight early otters', scope: '/old', perm: { create: true } }
    const create = { what: 'user', which: [], current_password, data }
    expect((await admin.ask('POST', '/api/users', { payload: JSON.stringify(create) })).statusCode).toBe(201)
    const { users } = server.context.services
    expect(users.find('old').quota).toBe(MB)
    const update = { what: 'user', which: ['all'], current_password, data: { ...data, password: '', id: 2 } }
    expect((await admin.ask('PUT', '/api/users/2', { payload: JSON.stringify(update) })).statusCode).toBe(200)
    expect(users.find('old').quota).toBe(MB)
    const settings = (await admin.ask('GET', '/api/settings')).body
    expect((await admin.ask('PUT', '/api/settings', { payload: settings })).statusCode).toBe(200)
    expect(server.context.services.settings.current().defaults.quota).toBe(MB)
  })

  it('cannot be changed by its user', async () => {
    await using world = await openWorld({ quota: MB })
    const data = { id: 2, quota: 0 }
    const payload = JSON.stringify({
      what: 'user',
      which: ['quota'],
      current_password: 'correct horse battery staple',
      data,
    })
    expect((await world.ann.ask('PUT', '/api/users/2', { payload })).statusCode).toBe(403)
    const { users } = world.server.context.services
    await users.update(OPERATOR, users.find('ann').id, { quota: 0 })
    expect((await upload(world.ann, 'a', 2 * MB)).statusCode).toBe(200)
  })
})
