import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TrashItem } from '../../../src/domain/files/trash.ts'
import { folderOnOtherDisk } from '../../helpers/disks/other-disk.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { storeWithToken, testStore } from '../../helpers/cli/test-store.ts'

describe('trash', () => {
  it('lists, restores and deletes items, whether or not the daemon runs', async () => {
    await using store = await storeWithToken({ 'docs/a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
    await using daemon = await startTestDaemon({ data: store.data, root: store.root })
    for (const name of ['docs', 'b.txt', 'c.txt']) {
      const url = `${daemon.url}api/resources/${name}?trash=true`
      expect((await fetch(url, { method: 'DELETE', headers: { 'X-Auth': store.token } })).status).toBe(204)
    }
    const listed = await store.json<(TrashItem & { username: string })[]>(['trash', 'ls', '--user', 'admin'])
    expect(listed.map(({ path, username }) => [path, username]).toSorted()).toEqual([
      ['/b.txt', 'admin'],
      ['/c.txt', 'admin'],
      ['/docs', 'admin'],
    ])
    const docs = listed.find(({ path }) => path === '/docs')
    expect(await store.json(['trash', 'restore', docs?.id ?? ''])).toEqual({ path: '/docs', username: 'admin' })
    await daemon.stop()
    const [first] = (await store.run(['trash', 'ls', '--quiet'])).stdout.split('\n')
    expect(await store.run(['trash', 'empty', first ?? ''])).toMatchObject({ code: 2 })
    expect(await store.json(['trash', 'empty', first ?? '', '--yes'])).toEqual({ removed: 1 })
    expect(await store.json(['trash', 'empty', '--yes'])).toEqual({ removed: 1 })
    expect(await store.json(['trash', 'ls'])).toEqual([])
    expect((await readdir(store.root)).filter((name) => !name.startsWith('.'))).toEqual(['docs'])
  })

  it('is restored to another disk by a job of the daemon, which the command waits for', async () => {
    await using store = await storeWithToken()
    using other = folderOnOtherDisk()
    await mkdir(join(other.path, 'docs'))
    for (const name of ['a', 'b']) await writeFile(join(other.path, 'docs', name), name)
    await symlink(other.path, join(store.root, 'disk'))
    const args = ['--follow-external-symlinks']
    await using daemon = await startTestDaemon({ data: store.data, root: store.root, args })
    const url = `${daemon.url}api/resources/disk/docs?trash=true`
    expect((await fetch(url, { method: 'DELETE', headers: { 'X-Auth': store.token } })).status).toBe(204)
    const [item] = await store.json<TrashItem[]>(['trash', 'ls'])
    expect(await store.json(['trash', 'restore', item?.id ?? ''])).toEqual({ path: '/disk/docs', username: 'admin' })
    expect((await readdir(join(other.path, 'docs'))).toSorted()).toEqual(['a', 'b'])
    const jobs = await store.json<{ kind: string; state: string }[]>(['jobs', 'ls'])
    expect(jobs.map(({ kind, state }) => [kind, state])).toContainEqual(['move', 'done'])
    const { stdout } = await store.run(['logs', '--audit'])
    expect(stdout).toMatch(new RegExp(` operator .*trash\\.restore ${item?.id}`))
  })

  it('of a removed user is listed and emptied with --orphaned, and nothing else', async () => {
    await using store = await testStore({ '.filemgr-trash/9/id/content': 'x', '.filemgr-trash/1/id/content': 'x' })
    const path = '/.filemgr-trash/9'
    expect(await store.json(['trash', 'ls', '--orphaned'])).toEqual([{ path, owner: '9' }])
    expect(await store.run(['trash', 'empty', 'x'.repeat(16), '--orphaned', '--yes'])).toMatchObject({ code: 2 })
    expect(await store.run(['trash', 'empty', '--orphaned'])).toMatchObject({ code: 2 })
    expect(await store.json(['trash', 'empty', '--orphaned', '--yes'])).toEqual({ removed: 1 })
    expect(await readdir(join(store.root, '.filemgr-trash'))).toEqual(['1'])
    expect(await store.json(['trash', 'empty', '--orphaned', '--yes'])).toEqual({ removed: 0 })
  })

  it('exits with code 3 for unknown ids and users', async () => {
    await using store = await testStore()
    expect(await store.run(['trash', 'restore', 'x'.repeat(16)])).toMatchObject({ code: 3 })
    expect(await store.run(['trash', 'empty', 'x'.repeat(16), '--yes'])).toMatchObject({ code: 3 })
    expect(await store.run(['trash', 'ls', '--user', 'nobody'])).toMatchObject({ code: 3 })
  })
})
