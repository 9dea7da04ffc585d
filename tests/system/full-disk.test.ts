import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openRecords } from '../contract/store/record-sample.ts'
import { session, sessionFolder } from '../contract/store/session-sample.ts'
import { smallDisk } from '../helpers/disks/small-disk.ts'
import { itOnMounts } from '../helpers/needs.ts'

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
