import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { UploadRecord } from '../../../../src/domain/uploads/upload.ts'
import { silentLogger } from '../../../../src/platform/logging/logger.ts'
import { OpenUploads } from '../../../../src/services/uploads/open-uploads.ts'
import { createUnfinishedUploads } from '../../../../src/services/uploads/unfinished-uploads.ts'
import { StagedNames } from '../../../../src/storage/reserved-names.ts'
import { type Storage, storagePathOf } from '../../../../src/storage/storage.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { MemoryLeases } from '../../../../src/store/memory-leases.ts'
import { memoryRecords } from '../../../../src/store/records/records.ts'
import { LocalWorld } from '../../../contract/storage/local-world.ts'
import { NEW, path } from '../../../contract/storage/view.ts'
import { movableClock } from '../../../helpers/movable-clock.ts'

const INSTALLATION = 'aaaaaaaa'

/** An upload into a folder that was then moved away. */
async function lostUpload(staged: StagedNames, more: Partial<UploadRecord> = {}) {
  const world = await LocalWorld.open('inside', { staged })
  const { root, storage } = world
  mkdirSync(join(root, 'home/inner'), { recursive: true })
  const record: UploadRecord = {
    id: 'a'.repeat(16),
    userId: 1,
    scope: '/home',
    path: '/a.txt',
    length: 3,
    override: false,
    staged: staged.next(),
    created: 0,
    ...more,
  }
  {
    using home = await storage.openScope(storagePathOf('/home' as VirtualPath), 'inside')
    await home.staging.create(path(record.path), record.staged, { ...NEW, length: 3 })
  }
  const records = memoryRecords<UploadRecord>()
  await records.put(record)
  const arrivals = { arrived: async () => undefined, forget: async () => undefined, sweep: async () => undefined }
  const unfinished = createUnfinishedUploads({
    storage,
    openUploads: new OpenUploads(records),
    leases: new MemoryLeases(),
    clock: movableClock(),
    options: { followExternalSymlinks: false },
    store: {} as never,
    arrivals,
    log: silentLogger,
    quotas: { freed: async () => undefined },
  })
  return {
    root,
    storage,
    record,
    records,
    unfinished,
    [Symbol.asyncDispose]: async () => await world[Symbol.asyncDispose](),
  }
}

/** What the next run leaves of a folder. */
async function sweptBelow(folder: string, staged: StagedNames, storage: Pick<Storage, 'sweep'>) {
  staged.startNewRun({ installation: INSTALLATION, run: 'cccccccc' })
  staged.isSweepDue = true
  expect(await storage.sweep()).toMatchObject({ removed: 1 })
  return readdirSync(folder)
}

it('a discarded upload whose scope was moved away leaves a hidden file that the next run removes', async () => {
  const staged = new StagedNames({ installation: INSTALLATION, run: 'bbbbbbbb' })
  await using lost = await lostUpload(staged)
  const { root, storage, record, records, unfinished } = lost
  renameSync(join(root, 'home'), join(root, 'moved'))
  await unfinished.cancel(record.id, () => undefined)
  expect(await records.list()).toEqual([])
  expect([readdirSync(join(root, 'moved')), staged.isClean]).toEqual([[record.staged, 'inner'], false])
  expect(await sweptBelow(join(root, 'moved'), staged, storage)).toEqual(['inner'])
})

it('so does one whose daemon was killed after it had noted the end, before the folder was renamed', async () => {
  const staged = new StagedNames({ installation: INSTALLATION, run: 'bbbbbbbb' })
  await using lost = await lostUpload(staged, { path: '/inner/a.txt', finished: 0 })
  const { root, storage, records, unfinished } = lost
  renameSync(join(root, 'home/inner'), join(root, 'home/renamed'))
  expect(await unfinished.sweep()).toBe(1)
  expect([await records.list(), staged.isClean]).toEqual([[], false])
  expect(await sweptBelow(join(root, 'home/renamed'), staged, storage)).toEqual([])
})
