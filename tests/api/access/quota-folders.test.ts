import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { TrashItem } from '../../../src/domain/files/trash.ts'
import { isOver, type Job } from '../../../src/domain/automation/job.ts'
import {
  begin,
  copy,
  TEN_MINUTES,
  openWorld,
  remove,
  upload,
  usedOf,
  type World,
} from '../../helpers/api/quota-world.ts'
import { announce } from '../../helpers/api/send-files.ts'
import { shareOf } from '../../helpers/api/shared.ts'
import type { Answer } from '../../helpers/api/test-app.ts'
import { zipFile } from '../../helpers/samples/zip-file.ts'
import { eventually } from '../../helpers/patience.ts'

const makeFolder = async ({ ann }: World, path: string) => await ann.ask('POST', `/api/resources/${path}/`)

const rename = async ({ ann }: World, from: string, to: string) =>
  await ann.ask('PATCH', `/api/resources/${from}?action=rename&destination=${encodeURIComponent(`/${to}`)}`)

/** "done", or why the request or its job failed. */
async function outcomeOf({ ann }: World, answer: Answer): Promise<string> {
  const { id, error } = answer.body.startsWith('{') ? answer.json<Partial<Job>>() : {}
  if (id === undefined) return error?.code ?? (answer.statusCode < 300 ? 'done' : String(answer.statusCode))
  return await eventually(async () => {
    const now = (await ann.ask('GET', `/api/jobs/${id}`)).json<Job>()
    expect(isOver(now)).toBe(true)
    return now.error?.code ?? now.state
  })
}

const JSON_REPLY = { accept: 'application/json' }

const extract = async ({ ann }: World, archive: string, destination: string) =>
  await ann.ask('POST', `/api/extract/${archive}`, { headers: JSON_REPLY, payload: JSON.stringify({ destination }) })

const compress = async ({ ann }: World, names: string[], destination: string) =>
  await ann.ask('POST', '/api/compress/', { headers: JSON_REPLY, payload: JSON.stringify({ names, destination }) })

/** Files and folders on the disk, without those that the trash consists of. */
async function entriesIn(world: World): Promise<number> {
  const all = await readdir(join(world.server.root, 'home'), { recursive: true })
  const isOurs = (name: string) => /^\.filemgr-trash(\/[^/]+){0,2}$/.test(name) || name.endsWith('record.json')
  return all.filter((name) => !isOurs(name)).length
}

async function usedFiles(world: World): Promise<number | undefined> {
  world.server.context.clock.move(TEN_MINUTES)
  return (await usedOf(world.ann))?.files
}

describe('a quota of files and folders', () => {
  it('is not exceeded by clients that make folders at the same time, some of them in others', async () => {
    await using world = await openWorld({ quotaFiles: 16 })
    const paths = Array.from({ length: 20 }, (_, number) =>
      number % 2 === 0 ? `folder ${number}` : `top/${number}/in`,
    )
    const answers = await Promise.all(paths.map(async (path) => await makeFolder(world, path)))
    const statuses = new Set(answers.map(({ statusCode }) => statusCode))
    expect([...statuses].toSorted()).toEqual([200, 507])
    expect(await entriesIn(world)).toBeLessThanOrEqual(16)
    for (let number = 0; number < 20; number += 1) {
      world.server.context.clock.move(TEN_MINUTES)
      await makeFolder(world, `more ${number}`)
    }
    expect(await entriesIn(world)).toBe(16)
    expect(await usedFiles(world)).toBe(16)
    expect((await makeFolder(world, 'top')).statusCode).toBe(200)
  })

  it('says in a sentence what is left', async () => {
    await using world = await openWorld({ quotaFiles: 2 })
    const refused = await makeFolder(world, 'a/b/c')
    expect([refused.statusCode, refused.body]).toEqual([
      507,
      '507 Insufficient Storage (your quota has no room for 3 files and folders: 2 of 2 are left; ' +
        'delete files permanently, or ask an administrator for more)\n',
    ])
    expect(await entriesIn(world)).toBe(0)
  })

  it('counts the folders that each door makes, and refuses those that do not fit', async () => {
    const archive = zipFile([
      { name: 'top/sub/', content: Buffer.alloc(0) },
      { name: 'top/a', content: Buffer.from('a') },
    ])
    await using world = await openWorld({ quotaFiles: 12 }, { 'home/tree/sub/a': 'a' })
    const { ann } = world
    expect((await ann.ask('POST', '/api/resources/a.zip', { payload: archive })).statusCode).toBe(200)
    /** Each makes four entries more, but the last two only three. */
    const doors: [name: string, run: (at: string) => Promise<Answer>][] = [
      ['a file', async (at) => await upload(ann, `${at}/b/c/file`, 1)],
      ['an upload in parts', async (at) => await begin(ann, `${at}/b/c/file`, 0)],
      ['a copied file', async (at) => await copy(ann, 'tree/sub/a', `${at}/b/c/file`)],
      ['a copied folder', async (at) => await copy(ann, 'tree', `${at}/tree`)],
      ['a compressed archive', async (at) => await compress(world, ['tree'], `/${at}/b/c/new.zip`)],
      ['a folder', async (at) => await makeFolder(world, `${at}/b/c/d`)],
    ]
    for (const [name, run] of doors) {
      expect([name, await usedFiles(world)]).toEqual([name, 4])
      for (const turn of ['1', '2']) expect([name, await outcomeOf(world, await run(turn))]).toEqual([name, 'done'])
      expect([name, await usedFiles(world)]).toEqual([name, 12])
      expect([name, await outcomeOf(world, await run('3'))]).toEqual([name, expect.stringMatching(/507|QUOTA/)])
      expect([name, await entriesIn(world)]).toEqual([name, 12])
      for (const folder of ['1', '2']) expect(await outcomeOf(world, await remove(ann, folder))).toBe('done')
    }
    for (const destination of ['/x', '/y', '/z']) await mkdir(join(world.server.root, 'home', destination))
    expect(await usedFiles(world)).toBe(7)
    expect(await outcomeOf(world, await extract(world, 'a.zip', '/x'))).toBe('done')
    expect(await usedFiles(world)).toBe(10)
    expect(await outcomeOf(world, await extract(world, 'a.zip', '/y'))).toBe('QUOTA_EXCEEDED')
    expect(await entriesIn(world)).toBe(10)
  })

  it('counts missing folders on the way to what is renamed or restored, and nothing twice', async () => {
    await using world = await openWorld({ quotaFiles: 5 }, { 'home/a/b/c': 'c' })
    const { ann } = world
    expect((await rename(world, 'a/b/c', 'x/y/z/c')).statusCode).toBe(507)
    expect((await rename(world, 'a/b', 'x/y/b')).statusCode).toBe(200)
    expect(await usedFiles(world)).toBe(5)
    expect((await remove(ann, 'x/y/b', '?trash=true')).statusCode).toBe(204)
    expect(await usedFiles(world)).toBe(5)
    await outcomeOf(world, await remove(ann, 'x'))
    expect(await usedFiles(world)).toBe(3)
    for (const name of ['one', 'two']) expect((await makeFolder(world, name)).statusCode).toBe(200)
    const [item] = (await ann.ask('GET', '/api/trash')).json<TrashItem[]>()
    const restore = async () => (await ann.ask('POST', `/api/trash/${item?.id ?? ''}`)).statusCode
    expect(await restore()).toBe(507)
    for (const name of ['one', 'two']) await outcomeOf(world, await remove(ann, name))
    world.server.context.clock.move(TEN_MINUTES)
    expect(await restore()).toBe(200)
    expect(await usedFiles(world)).toBe(5)
    expect(await entriesIn(world)).toBe(5)
  })

  it('counts a merged folder by the folders that it adds', async () => {
    await using world = await openWorld({ quotaFiles: 9 }, { 'home/from/sub/new/a': 'a', 'home/to/sub/b': 'b' })
    expect(await usedFiles(world)).toBe(7)
    const merged = await world.ann.ask('PATCH', '/api/resources/from?action=copy&destination=%2Fto&override=true')
    expect(await outcomeOf(world, merged)).toBe('done')
    expect(await usedFiles(world)).toBe(9)
    expect(await entriesIn(world)).toBe(9)
  })

  it('counts the folders of visitors, and homes that are made in the folder of the user', async () => {
    await using world = await openWorld({ quotaFiles: 10 })
    const link = await shareOf(world.ann, '/', { terms: { allows: 'upload', folders: 'day' } })
    expect((await announce(world.server, link, 'file', { length: 1 })).statusCode).toBe(201)
    expect((await usedOf(world.ann))?.files).toBe(2)
    await world.server.user('bob', {}, { scope: '/home/people/bob' })
    expect((await usedOf(world.ann))?.files).toBe(4)
    expect(await usedFiles(world)).toBe(4)
  })

  it('is not exceeded by a folder that is removed while something is written into it', async () => {
    await using world = await openWorld({ quotaFiles: 20 }, { 'home/a/b/': '' })
    const { storage } = world.server.context
    const openScope = storage.openScope.bind(storage)
    vi.spyOn(storage, 'openScope').mockImplementation(async (...path) => {
      const scope = await openScope(...path)
      const write = scope.write.bind(scope)
      scope.write = async (...asked) => {
        await scope.remove('/a' as never)
        return await write(...asked)
      }
      return scope
    })
    expect((await upload(world.ann, 'a/b/file', 1)).statusCode).toBe(409)
    expect(await entriesIn(world)).toBe(0)
  })
})
