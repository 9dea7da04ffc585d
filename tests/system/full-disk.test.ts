import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { parseVirtualPath } from '../../src/domain/files/virtual-path.ts'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { openRecords } from '../contract/store/record-sample.ts'
import { session, sessionFolder } from '../contract/store/session-sample.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { NO_ROOM, runInto } from '../helpers/cli/run-into.ts'
import { testStore } from '../helpers/cli/test-store.ts'
import { mountNewDisk } from '../helpers/disks/loop-disk.ts'
import { smallDisk } from '../helpers/disks/small-disk.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { itOnMounts } from '../helpers/on-mounts.ts'

const one = session('one')

itOnMounts('records are kept in memory while the disk is full, and saved with a later one', async () => {
  using disk = smallDisk(1)
  const folder = join(disk.path, 'records')
  const records = openRecords(folder)
  await records.put({ id: 'a', value: 1 })
  disk.leave(0)
  await records.put({ id: 'a', value: 2 })
  await records.put({ id: 'b', value: 3 })
  expect((await records.list()).toSorted((a, b) => a.value - b.value)).toEqual([
    { id: 'a', value: 2 },
    { id: 'b', value: 3 },
  ])
  await records.remove('b')
  disk.empty()
  await records.put({ id: 'c', value: 4 })
  expect((await readdir(folder)).toSorted()).toEqual(['a.json', 'c.json'])
  expect(await openRecords(folder).list()).toContainEqual({ id: 'a', value: 2 })
})

itOnMounts('records are refused by a full disk where an older one must not be read again', async () => {
  using disk = smallDisk(1)
  const folder = join(disk.path, 'records')
  const records = openRecords(folder, { refusesUnsaved: true })
  await records.put({ id: 'a', value: 1 })
  disk.leave(0)
  await expect(records.put({ id: 'a', value: 2 })).rejects.toMatchObject({ code: 'NO_SPACE' })
  expect(await records.list()).toEqual([{ id: 'a', value: 1 }])
})

itOnMounts('a session that a full disk had no room for is saved at the end', async () => {
  using disk = smallDisk(1)
  const data = await sessionFolder()
  await mkdir(join(disk.path, 'sessions'))
  await symlink(join(disk.path, 'sessions'), join(data.folder, 'sessions'))
  const daemon = await data.open({ daemon: true })
  disk.leave(0)
  await daemon.sessions.change({ put: [one] })
  disk.empty()
  expect(await data.names()).toEqual([])
  await daemon[Symbol.asyncDispose]()
  expect(await data.names()).toEqual([`${one.family}.json`])
})

itOnMounts('a file is deleted from a disk that has no room for another name', async () => {
  await using folder = await tempFolder()
  const root = folder.at('disk')
  mountNewDisk(folder.at('image'), root, [], { size: '4M', format: ['-b', '1024', '-N', '4096'] })
  try {
    const names: string[] = []
    const fill = async (write: (number: number) => Promise<void>): Promise<void> => {
      for (let number = 0; ; number += 1)
        if (
          await write(number).then(
            () => false,
            () => true,
          )
        )
          return
    }
    await mkdir(join(root, 'kept'))
    await fill(async () => await writeFile(join(root, 'filler'), Buffer.alloc(1024), { flag: 'a' }))
    await fill(async (number) => {
      const name = String(number).padStart(4, '0')
      await writeFile(join(root, 'kept', name), '', { flag: 'wx' })
      names.push(name)
    })
    expect(names.length).toBeGreaterThan(10)
    await expect(rename(join(root, 'kept/0000'), join(root, 'kept', 'x'.repeat(40)))).rejects.toThrow('ENOSPC')
    await using storage = await openLocalStorage(root)
    using scope = await storage.openScope(storagePathOf(parseVirtualPath('/kept')), 'inside')
    await scope.remove(parseVirtualPath('/0000'))
    expect(await readdir(join(root, 'kept'))).toEqual(names.slice(1))
  } finally {
    execFileSync('umount', [root])
  }
})

it('output for which a disk has only some room is not taken for complete', async () => {
  using disk = smallDisk(1)
  const [path, before] = [join(disk.path, 'help.txt'), 'x'.repeat(2000)]
  await writeFile(path, before)
  disk.leave(0)
  const { code, stderr } = await runInto(`>> ${path}`, ['--help'], disk.env)
  expect({ code, stderr }).toEqual({ code: 8, stderr: `filemgr: ${NO_ROOM}` })
  const { stdout: whole } = await runCli(['--help'])
  const written = await readFile(path, 'utf8')
  expect(written.length).toBeLessThan(before.length + whole.length)
  expect(`${before}${whole}`.startsWith(written)).toBe(true)
})

it.each([
  ['users', 'export', 'FILE'],
  ['settings', 'export', 'FILE'],
  ['backup', 'create', 'FILE'],
])('a full disk for a file is an error, and leaves no part of it: %s %s', async (...words) => {
  using disk = smallDisk(1)
  await using store = await testStore()
  const file = join(disk.path, 'file.json')
  disk.leave(0)
  const { code, stdout, stderr } = await store.runProcess([...words.map((word) => word.replace('FILE', file))], {
    env: disk.env,
  })
  expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
  expect(stderr).toMatch(/^filemgr: .*no space.*\n$/i)
  expect(await readdir(disk.path)).not.toContain('file.json')
})

it('exit code 8 means that the disk is full, and nothing is changed', async () => {
  using disk = smallDisk(4)
  vi.stubEnv('TMPDIR', disk.path)
  await using store = await testStore()
  vi.unstubAllEnvs()
  disk.leave(0)
  const result = await store.runProcess(['settings', 'set', 'signup=true'], { env: disk.env })
  expect(result).toMatchObject({ code: 8, stdout: '' })
  expect(result.stderr).toMatch(
    /^filemgr: No space is left on the disk of the data folder to save store.json; nothing was changed.$/m,
  )
  disk.empty()
  expect((await store.run(['settings', 'get', 'signup', '--quiet'])).stdout).toBe('false\n')
})
