import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { nodeDisk, type Disk } from '../../../src/store/disk/disk.ts'
import { openJsonStore } from '../../../src/store/json/open-json-store.ts'
import { temporaryFolder } from './folder.ts'

const Counter = Type.Object({ version: Type.Literal(1), count: Type.Integer() })
const format = { schema: Counter, version: 1, migrations: {} }

/** A disk whose n-th write, fsync or rename fails, counted from `failAt(n)`. */
function faultyDisk(code: string) {
  let remaining = Infinity
  const step = (syscall: string) => {
    if (--remaining === 0) throw Object.assign(new Error(`${code}: fault, ${syscall}`), { code, syscall })
  }
  const wrap = (file: FileHandle): FileHandle => {
    const { writeFile: write, sync } = file
    file.writeFile = async (...content) => {
      // Half of it arrives before the fault.
      if (remaining === 1) await write.call(file, Buffer.concat(content[0] as Uint8Array[]).subarray(0, 20))
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
    open: async (...input) => wrap(await nodeDisk.open(...input)),
    rename: async (from, to) => {
      step('rename')
      await nodeDisk.rename(from, to)
    },
  }
  return { disk, failAt: (count: number) => (remaining = count), hasFailed: () => remaining <= 0 }
}

describe.each([
  ['EIO', 'STORE_INVALID'],
  ['ENOSPC', 'NO_SPACE'],
])('with %s at the n-th call of a write', (code, refusal) => {
  it('the change is either acknowledged and saved, or refused and not saved, for every n', async () => {
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

it('the store does not overwrite an edit by hand that was saved between its read and its write', async () => {
  const path = join(await temporaryFolder(), 'counter.json')
  await writeFile(path, '{"version":1,"count":0}')
  const byHand = '{"version":1,"count":100}'
  const open: Disk['open'] = async (...input) => {
    await writeFile(path, byHand)
    return await nodeDisk.open(...input)
  }
  await using store = await openJsonStore({ ...format, path, disk: { ...nodeDisk, open } })
  await expect(store.update((draft) => ++draft.count)).rejects.toMatchObject({ code: 'STORE_BUSY' })
  expect(await readFile(path, 'utf8')).toBe(byHand)
  await expect(store.update((draft) => ++draft.count)).resolves.toBe(101)
})
