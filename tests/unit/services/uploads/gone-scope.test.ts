import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { UploadRecord } from '../../../../src/domain/uploads/upload.ts'
import { silentLogger } from '../../../../src/platform/logging/logger.ts'
import { leaseOf, OpenUploads } from '../../../../src/services/uploads/open-uploads.ts'
import { createUnfinishedUploads } from '../../../../src/services/uploads/unfinished-uploads.ts'
import { StagedNames } from '../../../../src/storage/reserved-names.ts'
import { type Storage, storagePathOf } from '../../../../src/storage/storage.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { MemoryLeases } from '../../../../src/store/memory-leases.ts'
import { memoryRecords } from '../../../../src/store/records/records.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { LocalWorld } from '../../../contract/storage/local-world.ts'
import { NEW, path } from '../../../contract/storage/view.ts'
import { movableClock } from '../../../helpers/movable-clock.ts'

const INSTALLATION = 'aaaaaaaa'

/** An upload into a folder that a test then moves away. */
async function lostUpload(staged: StagedNames, more: Partial<UploadRecord> = {}, followExternalSymlinks = false) {
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
  const clock = movableClock()
  await records.put(record)
  const arrived: string[] = []
  const arrivals = {
    arrived: async (_link: string, id: string) => void arrived.push(id),
    forget: async () => undefined,
    sweep: async () => undefined,
  }
  const leases = new MemoryLeases()
  const unfinished = createUnfinishedUploads({
    storage,
    openUploads: new OpenUploads(records),
    leases,
    clock,
    roots: { linksAt: () => (followExternalSymlinks ? 'follow' : 'inside') },
    store: {} as never,
    arrivals,
    log: silentLogger,
    quotas: { freed: async () => undefined },
  })
  return {
    root,
    outside: world.outside,
    storage,
    record,
    records,
    clock,
    leases,
    arrived,
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

it('so does an unfinished one, even if another file has its path by then', async () => {
  const staged = new StagedNames({ installation: INSTALLATION, run: 'bbbbbbbb' })
  await using lost = await lostUpload(staged, { path: '/inner/a.txt' })
  const { root, storage, record, records, unfinished } = lost
  renameSync(join(root, 'home/inner'), join(root, 'home/renamed'))
  mkdirSync(join(root, 'home/inner'))
  writeFileSync(join(root, 'home/inner/a.txt'), 'other')
  await unfinished.cancel(record.id, () => undefined)
  expect([await records.list(), staged.isClean]).toEqual([[], false])
  expect(await sweptBelow(join(root, 'home/renamed'), staged, storage)).toEqual([])
})

it('nothing is left to sweep of an upload that is discarded, or was put in place and is forgotten', async () => {
  const staged = new StagedNames({ installation: INSTALLATION, run: 'bbbbbbbb' })
  await using discarded = await lostUpload(staged)
  await discarded.unfinished.cancel(discarded.record.id, () => undefined)
  expect([readdirSync(join(discarded.root, 'home')), staged.isClean]).toEqual([['inner'], true])
  await using placed = await lostUpload(staged, { finished: 0 })
  renameSync(join(placed.root, 'home', placed.record.staged), join(placed.root, 'home/a.txt'))
  expect(await placed.unfinished.sweep()).toBe(1)
  expect([readdirSync(join(placed.root, 'home')), staged.isClean]).toEqual([['a.txt', 'inner'], true])
})

it.each([false, true])('an upload whose folder became a link out of the scope: followed %s', async (follow) => {
  await using lost = await lostUpload(new StagedNames(), { path: '/inner/a.txt' }, follow)
  const { root, outside, record, unfinished } = lost
  renameSync(join(root, 'home/inner'), join(outside, 'inner'))
  symlinkSync(join(outside, 'inner'), join(root, 'home/inner'))
  const cancelled = unfinished.cancel(record.id, () => undefined).catch((error: unknown) => error)
  expect(await cancelled).toEqual(follow ? undefined : errorLike('FORBIDDEN'))
  expect(readdirSync(join(outside, 'inner'))).toEqual(follow ? [] : [record.staged])
})

describe('the sweep of uploads', () => {
  it.each([
    ['a visitor has not finished', { link: 'link' }],
    ['a user has finished', { finished: 0 }],
  ])('takes no other file for one that %s', async (_, fields) => {
    await using lost = await lostUpload(new StagedNames(), fields)
    rmSync(join(lost.root, 'home', lost.record.staged))
    writeFileSync(join(lost.root, 'home/a.txt'), 'other')
    expect(await lost.unfinished.sweep()).toBe(1)
    expect(lost.arrived).toEqual([])
  })

  it('leaves those that a request works on', async () => {
    await using lost = await lostUpload(new StagedNames(), { isRefused: true })
    const { record, records, leases, clock, unfinished } = lost
    clock.move(Date.now() + 48 * 60 * 60 * 1000)
    {
      await using _lease = await leases.takeOver(leaseOf(record), { kind: 'resume' })
      expect(await unfinished.sweep()).toBe(0)
      await unfinished.makeRoom(record)
      expect(await records.list()).toEqual([record])
    }
    expect(await unfinished.sweep()).toBe(1)
  })

  it('makes room for a user with refused uploads of this user, unless a request has continued them meanwhile', async () => {
    await using lost = await lostUpload(new StagedNames(), { isRefused: true })
    const { record, records, leases, unfinished } = lost
    await unfinished.makeRoom()
    await unfinished.makeRoom({ ...record, link: 'link' })
    expect(await records.list()).toEqual([record])
    const { isRefused: _, ...continued } = record
    const tryAcquire = leases.tryAcquire.bind(leases)
    leases.tryAcquire = async (name) => {
      await records.put(continued)
      return await tryAcquire(name)
    }
    await unfinished.makeRoom(record)
    expect(await records.list()).toEqual([continued])
    leases.tryAcquire = tryAcquire
    await records.put(record)
    await unfinished.makeRoom(record)
    expect(await records.list()).toEqual([])
  })
})
