import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { Share } from '../../../src/domain/shares/share.ts'
import { nodeDisk, type Disk } from '../../../src/store/disk/disk.ts'
import { STORE_FORMAT, type StoreDocument } from '../../../src/store/document.ts'
import { openJsonStore } from '../../../src/store/json/open-json-store.ts'
import { openStores, replaceStore } from '../../../src/store/open-stores.ts'
import { temporaryFolder } from './folder.ts'
import { dataFolder } from './opened.ts'
import { addShare, addUser, countUp, sampleDocument, sampleUser } from './samples.ts'

const Counter = Type.Object({ version: Type.Literal(1), count: Type.Integer() })
const format = { schema: Counter, version: 1, migrations: {} }
const countIn = (draft: { count: number }) => ++draft.count

/** A data folder as a killed daemon leaves it, after changes. */
async function killed(...changes: ((draft: StoreDocument) => unknown)[]) {
  const running = await dataFolder()
  const { store } = await running.open({ daemon: true })
  for (const change of changes) await store.update(change)
  const data = await dataFolder(sampleDocument(), join(await temporaryFolder(), 'killed'))
  await rm(data.folder, { recursive: true })
  await cp(running.folder, data.folder, { recursive: true, filter: (path) => !path.endsWith('.sock') })
  return Object.assign(data, { journal: join(data.folder, 'store.journal'), snapshot: store.snapshot() })
}

/** A disk that counts bytes, and fails from the n-th call on. */
function watchedDisk() {
  let remaining = Infinity
  let written = 0
  const step = (syscall: string) => {
    if (--remaining <= 0) throw Object.assign(new Error(`EIO: power cut, ${syscall}`), { code: 'EIO', syscall })
  }
  const wrap = (file: FileHandle): FileHandle => {
    const { writeFile: writeAll, sync, truncate } = file
    // Its type as a method is the last of its overloads.
    const writePart: (bytes: Uint8Array, offset: number, length: number, at: number) => Promise<unknown> =
      file.write.bind(file)
    Object.assign(file, {
      async writeFile(content: Uint8Array | readonly Uint8Array[]) {
        const bytes = Buffer.concat(content instanceof Uint8Array ? [content] : content)
        written += bytes.length
        if (remaining === 1) await writeAll.call(file, bytes.subarray(0, bytes.length / 2))
        step('write')
        await writeAll.call(file, bytes)
      },
      async write(bytes: Uint8Array, offset: number, length: number, at: number): Promise<unknown> {
        written += length
        if (remaining === 1) await writePart(bytes, offset, length >> 1, at)
        step('write')
        return await writePart(bytes, offset, length, at)
      },
      async sync() {
        step('fsync')
        await sync.call(file)
      },
      async truncate(size: number) {
        step('truncate')
        await truncate.call(file, size)
      },
    })
    return file
  }
  const disk: Disk = {
    open: async (...input) => {
      step('open')
      return wrap(await nodeDisk.open(...input))
    },
    rename: async (from, to) => {
      step('rename')
      await nodeDisk.rename(from, to)
    },
    unlink: async (path) => {
      step('unlink')
      await nodeDisk.unlink(path)
    },
  }
  return {
    disk,
    failFrom: (call: number) => (remaining = call),
    hasFailed: () => remaining <= 0,
    written: () => written,
  }
}

describe('a change of the daemon', () => {
  it('writes only itself, however large the document is', async () => {
    const shares = Array.from({ length: 3000 }, (_, index) => ({
      ...Value.Create(Share),
      hash: `s${index}` as Share['hash'],
      userID: 1 as Share['userID'],
    }))
    const { path } = await dataFolder({ ...sampleDocument(), shares })
    const { disk, written } = watchedDisk()
    await using store = await openJsonStore({ ...STORE_FORMAT, path, daemon: true, disk })
    const costs: number[] = []
    const changes: ((draft: StoreDocument, now: StoreDocument) => unknown)[] = [
      addUser,
      addShare,
      countUp,
      (draft, now) =>
        (draft.shares = now.shares.map((share) => (share.hash === 's7' ? { ...share, openings: 1 } : share))),
      (draft, now) => (draft.shares = now.shares.filter(({ hash }) => hash !== 's9')),
    ]
    for (const change of changes) {
      const before = written()
      await store.update((draft, now) => void change(draft, now))
      costs.push(written() - before)
    }
    expect(Math.max(...costs)).toBeLessThan(20_000)
  })

  it('is there when the daemon was killed', async () => {
    const data = await killed(addUser, addShare, countUp, (draft) => (draft.users = draft.users.slice(1)))
    const { store } = await data.open()
    expect(store.snapshot()).toEqual(data.snapshot)
    expect(data.logged).toEqual([])
  })

  it('is in store.json once the daemon has stopped', async () => {
    const data = await dataFolder()
    const { store, ...stores } = await data.open({ daemon: true })
    await store.update(addUser)
    await stores[Symbol.asyncDispose]()
    expect(JSON.parse(await readFile(data.path, 'utf8'))).toMatchObject({ nextUserId: 3 })
    expect(await readdir(data.folder)).not.toContain('store.journal')
  })

  it('is seen by commands while the daemon runs', async () => {
    const data = await dataFolder()
    const { store } = await data.open({ daemon: true })
    await store.update(addUser)
    const command = await data.open()
    expect(command.store.snapshot()).toEqual(store.snapshot())
  })

  it('is written as a whole if the journal is removed while the daemon runs', async () => {
    const data = await dataFolder()
    const { store } = await data.open({ daemon: true })
    await store.update(addUser)
    await rm(join(data.folder, 'store.journal'))
    await store.update(addUser)
    expect(JSON.parse(await readFile(data.path, 'utf8'))).toMatchObject({ nextUserId: 4 })
  })
})

describe('with a power cut at any call of the disk', () => {
  it('every acknowledged change is there, and none is there twice', async () => {
    for (let call = 1, isOver = false; !isOver; call += 1) {
      const folder = await temporaryFolder()
      const path = join(folder, 'counter.json')
      await writeFile(path, '{"version":1,"count":0}')
      const { disk, failFrom, hasFailed } = watchedDisk()
      // The document is written after every few changes.
      const store = await openJsonStore({ ...format, path, disk, daemon: true, journalLimit: 250 })
      failFrom(call)
      let acknowledged = 0
      for (let change = 0; change < 9 && !hasFailed(); change += 1)
        await store.update(countIn).then(
          () => (acknowledged += 1),
          () => undefined,
        )
      isOver = !hasFailed()
      const after = join(await temporaryFolder(), 'after')
      await cp(folder, after, { recursive: true })
      failFrom(Infinity)
      await store[Symbol.asyncDispose]()
      await using opened = await openJsonStore({ ...format, path: join(after, 'counter.json'), daemon: true })
      const { count } = opened.snapshot()
      expect([acknowledged, acknowledged + 1], `call ${call}`).toContain(count)
      expect(await opened.update(countIn)).toBe(count + 1)
    }
  })
})

describe.each([
  ['EIO', 'STORE_INVALID'],
  ['ENOSPC', 'NO_SPACE'],
])('with %s at one call of the disk of a daemon', (code, refusal) => {
  it('a change is either acknowledged and saved, or refused and not saved, and the next one works', async () => {
    const path = join(await temporaryFolder(), 'counter.json')
    await writeFile(path, '{"version":1,"count":0}')
    let failing = 0
    const failOnce = (syscall: string) => {
      if (--failing === 0) throw Object.assign(new Error(`${code}: fault, ${syscall}`), { code, syscall })
    }
    const open: Disk['open'] = async (...input) => {
      const file = await nodeDisk.open(...input)
      const { write, sync } = file
      return Object.assign(file, {
        write: async (...given: Parameters<typeof write>) => {
          failOnce('write')
          return await write.apply(file, given)
        },
        sync: async () => {
          failOnce('fsync')
          await sync.call(file)
        },
      })
    }
    await using store = await openJsonStore({ ...format, path, daemon: true, disk: { ...nodeDisk, open } })
    let expected = 0
    for (let call = 1; call <= 8; call += 1) {
      failing = call
      for (let change = 0; change < 3; change += 1) {
        const outcome = await store.update(countIn).catch((error: unknown) => error)
        if (typeof outcome === 'number') expected += 1
        else expect(outcome).toMatchObject({ code: refusal })
        expect(store.snapshot().count).toBe(expected)
        await using reader = await openJsonStore({ ...format, path, repair: false, daemon: true })
        expect(reader.snapshot().count).toBe(expected)
      }
    }
    expect(expected).toBeGreaterThan(15)
  })
})

const signUpOn = (text: string) => text.replace('"signup": false', '"signup": true')

describe('an edit of store.json by hand', () => {
  it('keeps the changes that the daemon has made since it wrote the file', async () => {
    const data = await dataFolder()
    const { store } = await data.open({ daemon: true })
    await store.update(addUser)
    await data.edit(signUpOn)
    await store.update(addShare)
    expect(store.snapshot()).toMatchObject({ settings: { signup: true }, nextUserId: 3 })
    expect([store.snapshot().users.length, store.snapshot().shares.length]).toEqual([2, 1])
    expect(await readFile(data.path, 'utf8')).toContain('"signup": true')
  })

  it('wins where both have changed the same value', async () => {
    const data = await killed((draft) => {
      Object.assign(draft.users[0] ?? {}, { locale: 'de', scope: '/journal' })
      draft.settings.signup = true
    })
    await data.edit((text) => text.replace('"scope": "/"', '"scope": "/edit"'))
    const { store } = await data.open({ daemon: true })
    expect(store.snapshot()).toMatchObject({ users: [{ locale: 'de', scope: '/edit' }], settings: { signup: true } })
  })

  it('after a kill keeps the changes in the journal, and says so', async () => {
    const data = await killed(addUser, addShare, (draft) => (draft.shares = []), addUser)
    await data.edit(signUpOn)
    const { store } = await data.open()
    expect(store.snapshot()).toMatchObject({ settings: { signup: true }, nextUserId: 4, shares: [] })
    expect(data.logged).toEqual([
      expect.stringContaining('store.json was edited by hand after changes in store.journal'),
    ])
    await using again = await openStores({ folder: data.folder })
    expect(again.store.snapshot()).toEqual(store.snapshot())
  })

  it('that removes a user wins over a change of that user', async () => {
    const data = await killed((draft) => Object.assign(draft.users[0] ?? {}, { locale: 'de' }))
    await data.edit((text) => {
      const document = JSON.parse(text) as StoreDocument
      return JSON.stringify({ ...document, users: [sampleUser(7)], nextUserId: 8 })
    })
    const { store } = await data.open()
    expect(store.snapshot().users.map(({ id }) => id)).toEqual([7])
  })

  it('of an unknown state gives way to the records of the journal, which is kept', async () => {
    const data = await killed(addUser)
    await data.edit(signUpOn)
    for (const copy of [1, 2, 3]) await rm(`${data.path}.${copy}`, { force: true })
    const { store } = await data.open({ clock: { now: () => 0 } })
    expect(store.snapshot()).toMatchObject({ settings: { signup: true }, nextUserId: 3 })
    expect(data.logged).toEqual([expect.stringContaining('store.journal.foreign-1970-01-01T00-00-00-000Z')])
    expect(await readdir(data.folder)).toContain('store.journal.foreign-1970-01-01T00-00-00-000Z')
  })
})

describe('a damaged store', () => {
  it('has all changes of the journal if store.json is replaced by its recovery copy', async () => {
    const data = await killed(addUser, addUser)
    await writeFile(data.path, '{')
    const { store } = await data.open()
    expect(store.snapshot()).toEqual(data.snapshot)
  })

  it('leaves out a last line of the journal that was cut off before it was acknowledged', async () => {
    const data = await killed(addUser, addUser)
    const journal = await readFile(data.journal)
    await writeFile(data.journal, journal.subarray(0, -7))
    const { store } = await data.open({ daemon: true })
    expect(store.snapshot().users).toHaveLength(2)
    expect(await store.update(addUser)).toBe(3)
    expect(data.logged).toEqual([])
    await using other = await openStores({ folder: data.folder })
    expect(other.store.snapshot().users).toHaveLength(3)
  })

  it.each([1, 2, 3])('uses the changes before line %i of the journal if that is damaged, and says so', async (line) => {
    const data = await killed(addUser, addUser)
    const journal = await readFile(data.journal)
    let at = 30
    for (let count = 1; count < line; count += 1) at = journal.indexOf('\n', at) + 30
    journal.writeUInt8(journal.readUInt8(at) ^ 1, at)
    await writeFile(data.journal, journal)
    const { store } = await data.open({ daemon: true, clock: { now: () => 0 } })
    expect(store.snapshot().users).toHaveLength(Math.max(1, line - 1))
    expect(data.logged).toEqual([expect.stringContaining(`store.journal is damaged in line ${line}`)])
    expect(await readFile(`${data.journal}.corrupt-1970-01-01T00-00-00-000Z`)).toEqual(journal)
  })

  it('that is replaced takes nothing over from the journal of the old one', async () => {
    const data = await killed(addUser, addShare)
    await replaceStore(data.folder, sampleDocument(), 'before-restore')
    const { store } = await data.open()
    expect(store.snapshot()).toMatchObject({ nextUserId: 2, shares: [] })
    expect(await readdir(data.folder)).toContain('store.journal.before-restore')
  })
})
