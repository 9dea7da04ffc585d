import type * as fs from 'node:fs'
import {
  chmodSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { nodeDisk } from '../../../../src/storage/local/system/disk.ts'
import { KEPT, PLAN } from '../../../../src/storage/placement.ts'
import { isStagedName, TRASH } from '../../../../src/storage/reserved-names.ts'
import type { Scope } from '../../../../src/storage/storage.ts'
import { Durability } from '../../../helpers/disks/durability.ts'
import { folderOnOtherDisk } from '../../../helpers/disks/other-disk.ts'
import { LocalWorld } from '../local-world.ts'
import { ITEMS, MODE, stageItems } from '../staged-items.ts'
import { NEW, path, put, REPLACE } from '../view.ts'

type Done = (error: Error | null) => void

/** The syncs of the storage pass through here. */
const watch = vi.hoisted(() => ({ durability: undefined as Durability | undefined }))
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  const noting = (sync: (fd: number, done: Done) => void) => (fd: number, done: Done) => {
    const succeeded = watch.durability?.begin(fd)
    sync(fd, (error) => {
      if (error === null) succeeded?.()
      done(error)
    })
  }
  return { ...real, fsync: noting(real.fsync), fdatasync: noting(real.fdatasync) }
})

/** Everything that is in these folders is on the disk from now on. */
const durabilityOf = (...roots: readonly string[]): Durability => (watch.durability = new Durability(...roots))

const OVER = { ...MODE, replace: true }
const [PARTS, WHOLE] = [path('/parts.bin'), { ...NEW, length: 4 }]
const appended = (scope: Scope, name: string, text: string, offset: number) =>
  scope.staging.append(PARTS, name, Readable.from([Buffer.from(text)]), { offset, length: 4 })

async function staged(scope: Scope): Promise<string> {
  const name = scope.staging.newName()
  await scope.staging.create(PARTS, name, WHOLE)
  return name
}

const OPERATIONS: readonly (readonly [string, (scope: Scope) => Promise<unknown>])[] = [
  ['a new file', async (scope) => await put(scope, '/new.txt', 'new')],
  ['a new file in missing folders', async (scope) => await put(scope, '/x/y/new.txt', 'new')],
  ['a file that replaces another', async (scope) => await put(scope, '/a.txt', 'other', REPLACE)],
  ['a new folder in another one', async (scope) => await scope.makeFolder(path('/x/y'), 0o750)],
  ['a copy of a file', async (scope) => await scope.copy(path('/a.txt'), path('/copy.txt'), MODE)],
  ['a copy that replaces a file', async (scope) => await scope.copy(path('/a.txt'), path('/b.txt'), OVER)],
  ['a copy of a folder', async (scope) => await scope.copy(path('/from'), path('/copy'), MODE)],
  ['a copy of a folder into another', async (scope) => await scope.copy(path('/from'), path('/to'), OVER)],
  ['a new name', async (scope) => await scope.rename(path('/a.txt'), path('/to/c.txt'), MODE)],
  ['a move that replaces a file', async (scope) => await scope.rename(path('/a.txt'), path('/to/b.txt'), OVER)],
  ['a move of a folder into another', async (scope) => await scope.move(path('/from'), path('/to'), OVER)],
  ['a removal of a file', async (scope) => await scope.remove(path('/from/b.txt'))],
  ['a removal of a folder', async (scope) => await scope.remove(path('/from'))],
  ['a removal of a file that was looked at', async (s) => await s.removeFile(path('/from/b.txt'), () => undefined)],
  ['a deletion to the trash', async (scope) => await scope.trash.put('1', path('/from/b.txt'), 1000)],
  ['a deletion of a folder to the trash', async (scope) => await scope.trash.put('1', path('/from'), 1000)],
  ['an upload that has begun', staged],
  ['a part of an upload', async (scope) => await appended(scope, await staged(scope), 'ab', 0)],
  [
    'an upload that was cut back',
    async (scope) => {
      const name = await staged(scope)
      await appended(scope, name, 'abc', 0)
      await scope.staging.cut(PARTS, name, 2)
    },
  ],
  [
    'an upload in parts',
    async (scope) => {
      const name = await staged(scope)
      await appended(scope, name, 'ab', 0)
      await appended(scope, name, 'cd', 2)
      await scope.staging.commit(PARTS, name, WHOLE)
    },
  ],
  [
    'what is placed together',
    async (scope) => {
      await using folder = await stageItems(scope)
      await folder.place(ITEMS, { replace: true })
    },
  ],
  [
    'what takes back a placement',
    async (scope) => {
      await using folder = await stageItems(scope)
      let placed = 0
      const accept = () => {
        if ((placed += 1) === 6) throw new Error('refused')
      }
      await folder.place(ITEMS, { replace: true }, { accept }).catch(() => undefined)
    },
  ],
]

async function world(): Promise<LocalWorld> {
  return await LocalWorld.open('follow', {}, (root) => {
    for (const folder of ['from/sub', 'to/sub', 'docs/sub']) mkdirSync(join(root, folder), { recursive: true })
    for (const name of ['a.txt', 'b.txt', 'from/b.txt', 'from/sub/c.txt', 'to/b.txt', 'docs/b.txt'])
      writeFileSync(join(root, name), `old ${name}`)
  })
}

describe('when the power fails right after the reply', () => {
  it.each(OPERATIONS)('nothing is lost of %s', async (_, operate) => {
    await using opened = await world()
    const durability = durabilityOf(opened.root)
    await operate(opened.scope)
    expect(durability.syncs).toBeGreaterThan(0)
    expect(durability.lost(opened.root)).toEqual([])
  })

  it('nothing is lost of what is taken out of the trash, where its empty entry may come back', async () => {
    await using opened = await world()
    const durability = durabilityOf(opened.root)
    const { id } = await opened.scope.trash.put('1', path('/from'), 1000)
    await opened.scope.trash.restore('1', id, path('/back/from'), MODE)
    expect(durability.lost(opened.root)).toEqual([`/${TRASH}/1/${id}`])
  })

  it.each([
    ['a file', 'b.txt', 'moved.txt'],
    ['a folder', 'sub', 'moved'],
    ['a folder into another', 'sub', 'there'],
  ])('nothing is lost of a move to another disk: %s', async (_, from, to) => {
    await using opened = await world()
    using other = folderOnOtherDisk()
    mkdirSync(join(other.path, 'there'))
    symlinkSync(other.path, join(opened.root, 'other'))
    const durability = durabilityOf(opened.root, other.path)
    await opened.scope.move(path(`/from/${from}`), path(`/other/${to}`), OVER)
    expect(durability.lost(opened.root)).toEqual([])
    expect(durability.lost(other.path)).toEqual([])
  })
})

it('a copy that a killed run has put in place is on the disk when the next run has seen it there', async () => {
  await using opened = await world()
  const since = Date.now()
  const durability = durabilityOf(opened.root)
  renameSync(join(opened.root, 'b.txt'), join(opened.root, 'copy.txt'))
  const placed = await opened.scope.entryAt(path('/copy.txt'))
  await opened.scope.copy(path('/a.txt'), path('/copy.txt'), { ...MODE, earlier: { since, placed } })
  expect(durability.lost(opened.root)).toEqual([])
})

describe('before the next step', () => {
  it('the plan of a placement is on the disk', async () => {
    await using opened = await world()
    await using folder = await stageItems(opened.scope)
    const durability = durabilityOf()
    const hidden = readdirSync(opened.root).find(isStagedName) ?? ''
    const isPlanSafe: boolean[] = []
    const accept = () => void isPlanSafe.push(!durability.lost(join(opened.root, hidden)).includes(`/${PLAN}`))
    await folder.place(ITEMS, { replace: true }, { accept })
    expect(isPlanSafe).toEqual(Array.from({ length: 6 }, () => true))
  })

  it.each([
    ['has succeeded', Infinity],
    ['was taken back', 6],
  ])('the plan of a placement that %s is gone for good: it would be undone at the next start', async (_, failAt) => {
    await using opened = await world()
    const durability = durabilityOf(opened.root)
    {
      await using folder = await stageItems(opened.scope)
      let placed = 0
      const accept = () => {
        if ((placed += 1) === failAt) throw new Error('refused')
      }
      await folder.place(ITEMS, { replace: true }, { accept }).catch(() => undefined)
    }
    const staged = durability.folderSyncs.filter((names) => names.includes(KEPT))
    expect(staged.map((names) => names.includes(PLAN))).toEqual([true, false])
  })

  it('a file that replaces one of another mode has that mode on the disk, even if it was changed meanwhile', async () => {
    const modes: number[] = []
    const sync = async (fd: number) => {
      await nodeDisk.sync(fd)
      modes.push(fstatSync(fd).mode & 0o777)
    }
    await using opened = await LocalWorld.open('inside', { disk: { ...nodeDisk, sync } })
    const target = join(opened.root, 'a.txt')
    writeFileSync(target, 'old', { mode: 0o640 })
    const placing = async () => {
      chmodSync(target, 0o600)
    }
    await put(opened.scope, '/a.txt', 'new', { ...REPLACE, placing })
    expect(modes).toEqual([0o640, 0o600])
  })

  it('a large copy has synced parts, so that the last sync is short', async () => {
    await using opened = await world()
    truncateSync(join(opened.root, 'a.txt'), 130 * 1024 * 1024)
    const durability = durabilityOf(opened.root)
    await opened.scope.copy(path('/a.txt'), path('/copy.bin'), MODE)
    expect(durability.syncs).toBeGreaterThanOrEqual(4)
  })
})
