import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { nodeDisk, type Disk } from '../../src/store/disk.ts'
import { openJsonStore } from '../../src/store/open-json-store.ts'
import { temporaryFolder } from './store-folder.ts'

const Counter = Type.Object({ version: Type.Literal(1), count: Type.Integer() })
const format = { schema: Counter, version: 1, migrations: {} }

/** A disk whose n-th write, fsync or rename fails; counted from the moment it is armed. */
function faultyDisk(code: string) {
  let left = Infinity
  const step = (syscall: string) => {
    if (--left === 0) throw Object.assign(new Error(`${code}: fault, ${syscall}`), { code, syscall })
  }
  const wrap = (file: FileHandle): FileHandle => {
    const { writeFile: write, sync } = file
    file.writeFile = async (...content) => {
      // Half of it arrives before the fault.
      if (left === 1) await write.call(file, (content[0] as Uint8Array).subarray(0, 20))
      step('write')
      await write.apply(file, content)
    }
    file.sync = async () => {
      step('fsync')
      await sync.call(file)
    }
    return file
  }
  const disk: Disk = {
    ...nodeDisk,
    open: async (...how) => wrap(await nodeDisk.open(...how)),
    rename: async (from, to) => {
      step('rename')
      await nodeDisk.rename(from, to)
    },
  }
  return { disk, failAt: (count: number) => (left = count), hasFailed: () => left <= 0 }
}

/** A disk without room until it is emptied. */
function fullDisk() {
  let isFull = true
  const open: Disk['open'] = async (...how) => {
    if (isFull) throw Object.assign(new Error('ENOSPC: full, open'), { code: 'ENOSPC', syscall: 'open' })
    return await nodeDisk.open(...how)
  }
  return { disk: { ...nodeDisk, open }, empty: () => (isFull = false) }
}

describe.each([
  ['EIO', 'STORE_INVALID'],
  ['ENOSPC', 'NO_SPACE'],
])('with %s at the n-th call of a write', (code, refusal) => {
  it('the change is either acknowledged and there, or refused and not there, for every n', async () => {
    const path = join(await temporaryFolder(), 'counter.json')
    await writeFile(path, '{"version":1,"count":0}')
    const { disk, failAt, hasFailed } = faultyDisk(code)
    let expected = 0
    let refused = 0
    for (let n = 1; ; n++) {
      await using store = await openJsonStore({ ...format, path, disk })
      failAt(n)
      const outcome = await store.update((draft) => ++draft.count).catch((error: unknown) => error)
      const failed = hasFailed()
      failAt(Infinity)
      if (typeof outcome === 'number') expected++
      else {
        expect(outcome).toMatchObject({ code: refusal })
        refused++
      }
      expect(store.snapshot().count).toBe(expected)
      await using reopened = await openJsonStore({ ...format, path })
      expect(reopened.snapshot().count).toBe(expected)
      expect((await readdir(join(path, '..'))).filter((name) => name.includes('tmp'))).toEqual([])
      if (!failed) break
    }
    // Write, fsync, rename, fsync of the folder.
    expect(refused).toBe(4)
  })
})

it('what must hold is held in memory while the disk is full, and saved with the next change', async () => {
  const path = join(await temporaryFolder(), 'counter.json')
  await writeFile(path, '{"version":1,"count":10}')
  const saved = async () => (JSON.parse(await readFile(path, 'utf8')) as { count: number }).count
  const full = fullDisk()
  const heard: number[] = []
  await using store = await openJsonStore({ ...format, path, watches: true, disk: full.disk })
  store.onChange(({ count }) => heard.push(count))
  const outcomes = await Promise.allSettled([
    store.update((draft) => --draft.count, { evenUnsaved: true }),
    store.update((draft) => (draft.count += 100)),
    store.update((draft) => --draft.count, { evenUnsaved: true }),
  ])
  expect(outcomes).toMatchObject([{ value: 9 }, { reason: { code: 'NO_SPACE' } }, { value: 8 }])
  expect([store.snapshot().count, await saved(), heard]).toEqual([8, 10, [8]])
  full.empty()
  expect(await store.update((draft) => (draft.count += 100))).toBe(108)
  expect([store.snapshot().count, await saved(), heard]).toEqual([108, 108, [8, 108]])
})

it('what was held in memory is saved at the end, when there is room by then', async () => {
  const path = join(await temporaryFolder(), 'counter.json')
  await writeFile(path, '{"version":1,"count":10}')
  const full = fullDisk()
  const store = await openJsonStore({ ...format, path, watches: true, disk: full.disk })
  await store.update((draft) => --draft.count, { evenUnsaved: true })
  full.empty()
  await store[Symbol.asyncDispose]()
  expect(await readFile(path, 'utf8')).toContain('"count": 9')
})

it('does not overwrite an edit by hand that was saved between its reading and its writing', async () => {
  const path = join(await temporaryFolder(), 'counter.json')
  await writeFile(path, '{"version":1,"count":0}')
  const byHand = '{"version":1,"count":100}'
  const open: Disk['open'] = async (...how) => {
    await writeFile(path, byHand)
    return await nodeDisk.open(...how)
  }
  await using store = await openJsonStore({ ...format, path, disk: { ...nodeDisk, open } })
  await expect(store.update((draft) => ++draft.count)).rejects.toMatchObject({ code: 'STORE_BUSY' })
  expect(await readFile(path, 'utf8')).toBe(byHand)
  await expect(store.update((draft) => ++draft.count)).resolves.toBe(101)
})
