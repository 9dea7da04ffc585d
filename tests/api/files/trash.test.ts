import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TrashItem } from '../../../src/domain/files/trash.ts'
import { restoreTrashAsOperator } from '../../../src/api/files/operator.ts'
import { addressOf } from '../../../src/operations/handler.ts'
import { HANDLERS } from '../../../src/operations/handlers.ts'
import { perform } from '../../../src/operations/perform.ts'
import { folderOnOtherDisk } from '../../helpers/disks/other-disk.ts'
import { movableClock } from '../../helpers/movable-clock.ts'
import { testApp, type Client } from '../../helpers/api/test-app.ts'

const MAY = { create: true, delete: true }

const items = async (client: Client) => (await client.ask('GET', '/api/trash')).json<TrashItem[]>()

describe('the trash', () => {
  it('takes deleted items, and restores them', async () => {
    const clock = movableClock()
    await using server = await testApp({ files: { 'docs/a.txt': 'a' }, clock })
    const ann = await server.user('ann', MAY)
    expect((await ann.ask('DELETE', '/api/resources/docs?trash=true')).statusCode).toBe(204)
    expect((await ann.ask('GET', '/api/resources/docs')).statusCode).toBe(404)
    const [item] = await items(ann)
    expect(item).toMatchObject({
      path: '/docs',
      name: 'docs',
      isDir: true,
      deleted: new Date(clock.now()).toISOString(),
      expires: new Date(clock.now() + 30 * 24 * 3600 * 1000).toISOString(),
    })
    const answer = await ann.ask('POST', `/api/trash/${item?.id}`)
    expect([answer.statusCode, answer.json()]).toEqual([200, { path: '/docs' }])
    expect(await readFile(join(server.root, 'docs/a.txt'), 'utf8')).toBe('a')
    expect(await items(ann)).toEqual([])
  })

  it('restores under another name when the old one is taken', async () => {
    await using server = await testApp({ files: { 'a.txt': 'old' } })
    const ann = await server.user('ann', MAY)
    await ann.ask('DELETE', '/api/resources/a.txt?trash=true')
    await ann.ask('POST', '/api/resources/a.txt', { payload: 'new' })
    const [item] = await items(ann)
    expect((await ann.ask('POST', `/api/trash/${item?.id}`)).json()).toEqual({ path: '/a(1).txt' })
    expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe('new')
    expect(await readFile(join(server.root, 'a(1).txt'), 'utf8')).toBe('old')
  })

  it('restores under a shortened name when the numbered one would be too long', async () => {
    await using server = await testApp()
    const ann = await server.user('ann', MAY)
    const url = `/api/resources/${'a'.repeat(251)}.txt`
    await ann.ask('POST', url, { payload: 'old' })
    await ann.ask('DELETE', `${url}?trash=true`)
    await ann.ask('POST', url, { payload: 'new' })
    const [item] = await items(ann)
    const answer = await ann.ask('POST', `/api/trash/${item?.id}`)
    expect([answer.statusCode, answer.json()]).toEqual([200, { path: `/${'a'.repeat(248)}(1).txt` }])
  })

  it('stays as it is when the command that restores it to another disk is stopped', async () => {
    using other = folderOnOtherDisk()
    await using server = await testApp({ files: { 'a.txt': 'a' }, options: { followExternalSymlinks: true } })
    const ann = await server.user('ann', MAY)
    await symlink(other.path, join(server.root, 'disk'))
    await mkdir(join(other.path, 'docs'))
    await ann.ask('DELETE', '/api/resources/disk/docs?trash=true')
    const [item] = await items(ann)
    const restore = HANDLERS.get(addressOf(restoreTrashAsOperator)) ?? expect.fail()
    const performing = { input: { params: { id: item?.id } }, by: { account: 'root' }, signal: AbortSignal.abort() }
    const restored = perform(restore, server.context, performing)
    await expect(restored).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(await items(ann)).toEqual([item])
    expect(await readdir(other.path)).toEqual([])
  })

  it('is not visible as a folder', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const ann = await server.user('ann', { ...MAY, download: true, rename: true })
    await ann.ask('DELETE', '/api/resources/a.txt?trash=true')
    expect((await ann.ask('GET', '/api/resources/')).json()).toMatchObject({ items: [] })
    expect((await ann.ask('GET', '/api/resources/.filemgr-trash/')).statusCode).toBe(404)
    expect((await ann.ask('DELETE', '/api/resources/.filemgr-trash')).statusCode).toBe(404)
  })

  it('shows each user only their own deleted items', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const ann = await server.user('ann', MAY)
    const admin = await server.admin()
    await ann.ask('DELETE', '/api/resources/a.txt?trash=true')
    const [item] = await items(ann)
    expect(await items(admin)).toEqual([])
    for (const method of ['POST', 'DELETE'] as const) {
      expect((await admin.ask(method, `/api/trash/${item?.id}`)).statusCode).toBe(404)
    }
  })

  it('is emptied item by item or at once', async () => {
    await using server = await testApp({ files: { a: '', b: '', c: '' } })
    const ann = await server.user('ann', MAY)
    for (const name of ['a', 'b', 'c']) await ann.ask('DELETE', `/api/resources/${name}?trash=true`)
    const [first] = await items(ann)
    expect((await ann.ask('DELETE', `/api/trash/${first?.id}`)).statusCode).toBe(204)
    expect(await items(ann)).toHaveLength(2)
    expect((await ann.ask('DELETE', '/api/trash')).statusCode).toBe(204)
    expect(await items(ann)).toEqual([])
    expect(await readdir(server.root, { recursive: true })).toHaveLength(2)
  })

  it('is emptied by several requests at once', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `file${index}`)
    await using server = await testApp({ files: Object.fromEntries(names.map((name) => [name, 'x'])) })
    const ann = await server.user('ann', MAY)
    await Promise.all(names.map(async (name) => await ann.ask('DELETE', `/api/resources/${name}?trash=true`)))
    const [owner = ''] = await readdir(join(server.root, '.filemgr-trash'))
    const left = async () => (await readdir(join(server.root, '.filemgr-trash', owner))).length
    const answers = await Promise.all(
      [100, 90, 80, 70].map(async (count) => {
        await expect.poll(left, { interval: 1 }).toBeLessThanOrEqual(count)
        return await ann.ask('DELETE', '/api/trash')
      }),
    )
    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(answers.map(() => [204, '']))
    expect(await items(ann)).toEqual([])
    expect(await readdir(join(server.root, '.filemgr-trash'), { recursive: true })).toHaveLength(1)
  })

  it('takes nothing when it is switched off', async () => {
    await using server = await testApp({ files: { a: '' }, settings: { trash: { days: 0 } } })
    const ann = await server.user('ann', MAY)
    expect((await ann.ask('DELETE', '/api/resources/a?trash=true')).statusCode).toBe(400)
    expect(await readdir(server.root)).toEqual(['a'])
    expect((await ann.ask('DELETE', '/api/resources/a')).statusCode).toBe(204)
  })

  it('applies the current rules when it restores', async () => {
    await using server = await testApp({ files: { a: '' } })
    const ann = await server.user('ann', MAY)
    await ann.ask('DELETE', '/api/resources/a?trash=true')
    const [item] = await items(ann)
    await server.context.store.update((draft) => {
      draft.settings.rules = [{ regex: false, allow: false, path: '/a', regexp: null }]
    })
    expect(await items(ann)).toEqual([])
    expect((await ann.ask('POST', `/api/trash/${item?.id}`)).statusCode).toBe(403)
  })
})
