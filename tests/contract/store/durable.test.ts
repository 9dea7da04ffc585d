import { open, readdir, writeFile, type FileHandle } from 'node:fs/promises'
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

/** Everything that is in the folder by now is on the disk; later, only what is synced. */
async function durabilityOf(folder: string): Promise<Durability> {
  const durability = new Durability(folder)
  await using file = await open(folder)
  const handle = Object.getPrototypeOf(file) as FileHandle
  const { sync } = handle
  vi.spyOn(handle, 'sync').mockImplementation(async function (this: FileHandle) {
    const succeeded = durability.begin(this.fd)
    await sync.call(this)
    succeeded()
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
