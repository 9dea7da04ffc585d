import type * as promises from 'node:fs/promises'
import { open, readdir, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { expect, it, vi } from 'vitest'
import { openJsonStore } from '../../../src/store/json/open-json-store.ts'
import { Durability } from '../../helpers/disks/durability.ts'
import { temporaryFolder } from './folder.ts'
import { openRecords } from './record-sample.ts'

const Counter = Type.Object({ version: Type.Literal(1), count: Type.Integer() })
const format = { schema: Counter, version: 1, migrations: {} }
const countUp = (draft: { count: number }) => ++draft.count

const faults = vi.hoisted(() => ({ keepsFiles: false }))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof promises>()
  const unlink: typeof real.unlink = async (path) => {
    if (faults.keepsFiles) throw Object.assign(new Error('EPERM: fault, unlink'), { code: 'EPERM', syscall: 'unlink' })
    await real.unlink(path)
  }
  return { ...real, unlink }
})

/**
 * Everything that is in the folder by now is on the disk; later, only what is synced.
 *
 * @param isFull whether the first sync fails, after it has written what it could
 */
async function durabilityOf(folder: string, isFull = false): Promise<Durability> {
  const durability = new Durability(folder)
  await using file = await open(folder)
  const handle = Object.getPrototypeOf(file) as FileHandle
  const { sync } = handle
  vi.spyOn(handle, 'sync').mockImplementation(async function (this: FileHandle) {
    const succeeded = durability.begin(this.fd)
    await sync.call(this)
    succeeded()
    if (isFull && durability.syncs === 1) throw Object.assign(new Error('ENOSPC: fault, fsync'), { code: 'ENOSPC' })
  })
  return durability
}

async function counterFolder() {
  const folder = await temporaryFolder()
  const path = join(folder, 'counter.json')
  await writeFile(path, '{"version":1,"count":0}')
  return { folder, path }
}

it('a change of the document survives a power cut right after it', async () => {
  const { folder, path } = await counterFolder()
  await using store = await openJsonStore({ ...format, path })
  const durability = await durabilityOf(folder)
  await store.update(countUp)
  expect(durability.syncs).toBe(2)
  expect(durability.lost(folder)).not.toContain('/counter.json')
})

it('changes in the journal survive a power cut right after them', async () => {
  const { folder, path } = await counterFolder()
  await using store = await openJsonStore({ ...format, path, daemon: true })
  const durability = await durabilityOf(folder)
  for (let change = 0; change < 3; change += 1) {
    await store.update(countUp)
    expect(durability.lost(folder)).toEqual([])
  }
  expect(await readdir(folder)).toContain('counter.journal')
})

it('records, and their removal, survive a power cut right after it', async () => {
  const folder = await temporaryFolder()
  const records = openRecords(join(folder, 'records'))
  const durability = await durabilityOf(folder)
  await records.put({ id: 'a', value: 1 })
  expect(durability.lost(folder)).toEqual([])
  await records.put({ id: 'b', value: 1 })
  await records.remove('a')
  expect(durability.lost(folder)).toEqual([])
})

it('a change that the full disk has refused does not come back after a power cut', async () => {
  const { folder, path } = await counterFolder()
  await using store = await openJsonStore({ ...format, path, daemon: true })
  await store.update(countUp)
  const durability = await durabilityOf(folder, true)
  await expect(store.update(countUp)).rejects.toMatchObject({ code: 'NO_SPACE' })
  expect(durability.syncs).toBe(2)
  expect(durability.lost(folder)).toEqual([])
})

it('a record that the disk does not remove is emptied for good', async () => {
  const folder = join(await temporaryFolder(), 'records')
  const records = openRecords(folder)
  await records.put({ id: 'a', value: 1 })
  const durability = await durabilityOf(folder)
  faults.keepsFiles = true
  await expect(records.remove('a')).rejects.toMatchObject({ code: 'STORE_INVALID' })
  faults.keepsFiles = false
  expect((await stat(join(folder, 'a.json'))).size).toBe(0)
  expect(durability.lost(folder)).toEqual([])
  expect(await records.list()).toEqual([])
})
