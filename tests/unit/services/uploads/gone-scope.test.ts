import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { UploadRecord } from '../../../../src/domain/files/upload.ts'
import { silentLogger } from '../../../../src/platform/logging/logger.ts'
import { OpenUploads } from '../../../../src/services/uploads/open-uploads.ts'
import { createUnfinishedUploads } from '../../../../src/services/uploads/unfinished-uploads.ts'
import { StagedNames } from '../../../../src/storage/reserved-names.ts'
import { storagePathOf } from '../../../../src/storage/storage.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { MemoryLeases } from '../../../../src/store/memory-leases.ts'
import { memoryRecords } from '../../../../src/store/records/records.ts'
import { LocalWorld } from '../../../contract/storage/local-world.ts'
import { NEW, path } from '../../../contract/storage/view.ts'
import { movableClock } from '../../../helpers/movable-clock.ts'

const INSTALLATION = 'aaaaaaaa'

it('a discarded upload whose scope was moved away leaves a hidden file that the next run removes', async () => {
  const staged = new StagedNames({ installation: INSTALLATION, run: 'bbbbbbbb' })
  await using world = await LocalWorld.open('inside', { staged })
  const { root, storage } = world
  mkdirSync(join(root, 'home'))
  const record: UploadRecord = {
    ...{ id: 'a'.repeat(16), userId: 1, scope: '/home', path: '/a.txt', length: 3, override: false },
    ...{ staged: staged.next(), created: 0 },
  }
  {
    using home = await storage.openScope(storagePathOf('/home' as VirtualPath), 'inside')
    await home.staging.create(path('/a.txt'), record.staged, { ...NEW, length: 3 })
  }
  renameSync(join(root, 'home'), join(root, 'moved'))
  const records = memoryRecords<UploadRecord>()
  await records.put(record)
  const unfinished = createUnfinishedUploads({
    ...{ storage, openUploads: new OpenUploads(records), leases: new MemoryLeases(), clock: movableClock() },
    ...{ options: { followExternalSymlinks: false }, store: {} as never, arrivals: {} as never, log: silentLogger },
    quotas: { freed: async () => undefined },
  })
  await unfinished.cancel(record.id, () => undefined)
  expect(await records.list()).toEqual([])
  expect([readdirSync(join(root, 'moved')), staged.isClean]).toEqual([[record.staged], false])

  staged.startNewRun({ installation: INSTALLATION, run: 'cccccccc' })
  staged.isSweepDue = true
  expect(await storage.sweep()).toMatchObject({ removed: 1 })
  expect(readdirSync(join(root, 'moved'))).toEqual([])
})
