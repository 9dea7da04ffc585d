import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../../src/domain/accounts/actor.ts'
import type { UploadRecord } from '../../../../src/domain/uploads/upload.ts'
import { silentLogger } from '../../../../src/platform/logging/logger.ts'
import { systemRandom } from '../../../../src/platform/security/random.ts'
import { createUploads, type Uploads } from '../../../../src/services/uploads/uploads.ts'
import { OpenUploads } from '../../../../src/services/uploads/open-uploads.ts'
import { createUnfinishedUploads, type UnfinishedUploads } from '../../../../src/services/uploads/unfinished-uploads.ts'
import { MemoryLeases } from '../../../../src/store/memory-leases.ts'
import { memoryRecords } from '../../../../src/store/records/records.ts'
import type { Records } from '../../../../src/store/store.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { make } from '../../../helpers/make.ts'
import { movableClock } from '../../../helpers/movable-clock.ts'
import { testContext, type TestContext } from '../../../helpers/test-context.ts'

const HOUR = 60 * 60 * 1000

interface World extends AsyncDisposable {
  readonly context: TestContext
  readonly actor: Actor
  readonly records: Records<UploadRecord>
  /** The upload services of a daemon that starts with the records. */
  start(): { uploads: Uploads; unfinished: UnfinishedUploads }
  /** Changes the record of /a.txt to what a killed daemon leaves behind. */
  leave(change: Partial<UploadRecord>): Promise<void>
  names(): Promise<string[]>
}

/** An upload of six bytes to /a.txt, of which some have come. */
async function begun(bytes: string): Promise<World> {
  const clock = movableClock(Date.now())
  const context = await testContext({ clock })
  const { store, storage, options, services } = context
  const records = memoryRecords<UploadRecord>()
  const actor = await context.actor('admin')
  const start = () => {
    const { arrivals, quotas } = services
    const common = { arrivals, quotas, openUploads: new OpenUploads(records), leases: new MemoryLeases(), clock }
    const unfinished = createUnfinishedUploads({ ...common, store, storage, options, log: silentLogger })
    const uploads = createUploads({
      ...common,
      unfinished,
      access: services.access,
      settings: () => services.settings.current(),
      changes: services.fileChanges,
      sessions: { extend: async () => undefined, keepExtending: () => ({ [Symbol.dispose]: () => undefined }) },
      random: systemRandom,
      hooks: { begin: async () => async () => undefined },
    })
    return { uploads, unfinished }
  }
  {
    await using upload = await start().uploads.begin(actor, '/a.txt', { length: 6, override: false })
    await upload.append(0, Readable.from([Buffer.from(bytes)]))
  }
  return {
    context,
    actor,
    records,
    start,
    leave: async (change) => await records.put({ ...(await onlyRecord({ records })), ...change }),
    names: async () => (await readdir(context.root)).toSorted(),
    [Symbol.asyncDispose]: async () => await context[Symbol.asyncDispose](),
  }
}

async function onlyRecord({ records }: Pick<World, 'records'>): Promise<UploadRecord> {
  const [record] = await records.list()
  if (record === undefined) throw new Error('there is no record')
  return record
}

/** The offset that HEAD returns. */
async function offsetOf({ start, actor }: World): Promise<number> {
  await using upload = await start().uploads.resume(actor, '/a.txt', { finishes: true })
  return upload.state.offset
}

const append = async ({ start, actor }: World, offset: number, text: string) => {
  await using upload = await start().uploads.resume(actor, '/a.txt', { from: offset })
  return await upload.append(offset, Readable.from(text === '' ? [] : [Buffer.from(text)]))
}

const contentOf = async ({ context }: World) => await readFile(join(context.root, 'a.txt'), 'utf8')

describe('after a daemon was killed', () => {
  it('while it moved the file into place, the upload is known to be finished', async () => {
    await using world = await begun('abcdef')
    expect(await contentOf(world)).toBe('abcdef')
    expect(await offsetOf(world)).toBe(6)
    expect(await append(world, 6, '')).toBe(6)
    world.context.clock.move(HOUR)
    await expect(offsetOf(world)).rejects.toThrow(errorLike('NOT_FOUND'))
  })

  it('just before it moved the file into place, the file is moved when the client asks for the offset', async () => {
    await using world = await begun('abc')
    await append(world, 3, 'de')
    const { staged } = await onlyRecord(world)
    await writeFile(join(world.context.root, staged), 'abcdef')
    await world.leave({ finished: world.context.clock.now() })
    expect(await offsetOf(world)).toBe(6)
    expect(await contentOf(world)).toBe('abcdef')
    expect(await world.names()).toEqual(['a.txt'])
  })

  it('before a part could be compared with its checksum, that part does not count', async () => {
    await using world = await begun('abXX')
    await world.leave({ unverified: 2 })
    expect(await offsetOf(world)).toBe(2)
    expect(await append(world, 2, 'cd')).toBe(4)
    expect(await offsetOf(world)).toBe(4)
    expect(await append(world, 4, 'ef')).toBe(6)
    expect(await contentOf(world)).toBe('abcdef')
  })

  it('while an upload was begun again, the sweep removes the bytes of the old one', async () => {
    await using world = await begun('abc')
    const { id } = await onlyRecord(world)
    await world.leave({ id: 'x'.repeat(16), created: world.context.clock.now() + 1, staged: '.abcdefghijkl.fm-tmp' })
    expect((await world.records.list()).map((record) => record.id)).toContain(id)
    const { unfinished } = world.start()
    expect(await unfinished.sweep()).toBe(2)
    expect(await world.records.list()).toEqual([])
    expect(await world.names()).toEqual([])
  })
})

describe('an upload whose path was taken meanwhile', () => {
  it('does not keep its user from beginning others', async () => {
    await using world = await begun('abc')
    const { uploads } = world.start()
    const begin = async (path: string) => {
      await using upload = await uploads.begin(world.actor, path, { length: 1, override: false })
      return upload
    }
    const names = Array.from({ length: 31 }, (_, index) => `/${index}`)
    for (const name of names) {
      const upload = await begin(name)
      await writeFile(join(world.context.root, name), 'other')
      await using resumed = await uploads.resume(world.actor, name)
      await expect(resumed.append(0, Readable.from([Buffer.from('x')]))).rejects.toThrow(errorLike('CONFLICT'))
      expect(upload.state.offset).toBe(0)
    }
    await begin('/more')
    expect((await world.records.list()).map(({ path }) => path)).toEqual(['/a.txt', '/more'])
    for (const name of names) expect(await readFile(join(world.context.root, name), 'utf8')).toBe('other')
    await begin('/and more')
  })

  it('is not reported as complete, and may be discarded', async () => {
    await using world = await begun('abc')
    await writeFile(join(world.context.root, 'a.txt'), 'other')
    await expect(append(world, 3, 'def')).rejects.toThrow(errorLike('CONFLICT'))
    await expect(offsetOf(world)).rejects.toThrow(errorLike('CONFLICT'))
    await using upload = await world.start().uploads.resume(world.actor, '/a.txt')
    await upload.discard()
    expect(await contentOf(world)).toBe('other')
    expect(await world.names()).toEqual(['a.txt'])
  })
})

describe('the list of unfinished uploads', () => {
  it('and their removal are for administrators', async () => {
    await using world = await begun('abc')
    const { unfinished } = world.start()
    const { id } = await onlyRecord(world)
    const bob = { kind: 'user', user: () => make.user() } as unknown as Actor
    await expect(unfinished.list(bob)).rejects.toThrow(errorLike('FORBIDDEN'))
    await expect(unfinished.remove(bob, id)).rejects.toThrow(errorLike('FORBIDDEN'))
    expect(await unfinished.list(world.actor)).toMatchObject([{ id, username: 'admin', path: '/a.txt', offset: 3 }])
    await unfinished.remove(world.actor, id)
    expect([await world.names(), await unfinished.list(world.actor)]).toEqual([[], []])
    await expect(unfinished.remove(world.actor, id)).rejects.toThrow(errorLike('NOT_FOUND'))
  })

  it('does not name those that are finished, which cannot be removed', async () => {
    await using world = await begun('abcdef')
    const { unfinished } = world.start()
    expect(await unfinished.list(world.actor)).toEqual([])
    const { id } = await onlyRecord(world)
    await expect(unfinished.remove(world.actor, id)).rejects.toThrow(errorLike('NOT_FOUND'))
    expect(await contentOf(world)).toBe('abcdef')
    expect(await onlyRecord(world)).toMatchObject({ id })
  })
})

describe('the maintenance of uploads', () => {
  it('forgets finished uploads after an hour, and does not touch their files', async () => {
    await using world = await begun('abcdef')
    const { unfinished } = world.start()
    world.context.clock.move(HOUR - 1000)
    expect(await unfinished.sweep()).toBe(0)
    world.context.clock.move(2000)
    expect(await unfinished.sweep()).toBe(1)
    expect(await world.records.list()).toEqual([])
    expect(await contentOf(world)).toBe('abcdef')
  })

  it('discards all unfinished uploads', async () => {
    await using world = await begun('abc')
    await world.start().unfinished.discardAll()
    expect([await world.names(), await world.records.list()]).toEqual([[], []])
  })

  it('tries again to save the records that the disk had no room for', async () => {
    await using world = await begun('abc')
    let asked = 0
    world.records.flush = async () => void (asked += 1)
    await world.start().unfinished.sweep()
    expect(asked).toBe(1)
  })

  it('continues after an upload that it cannot discard, and reports that at the end', async () => {
    await using world = await begun('abc')
    await writeFile(join(world.context.root, 'file'), '')
    const { created } = (await world.records.list())[0] ?? { created: 0 }
    await world.leave({ id: 'x'.repeat(16), created: created - 1, scope: '/file', path: '/b.txt' })
    world.context.clock.move(25 * HOUR)
    await expect(world.start().unfinished.sweep()).rejects.toThrow('1 could not be swept')
    expect((await world.records.list()).map(({ id }) => id)).toEqual(['x'.repeat(16)])
    expect(await world.names()).toEqual(['file'])
  })

  it('stops when it is aborted', async () => {
    await using world = await begun('abc')
    await expect(world.start().unfinished.sweep(AbortSignal.abort())).rejects.toThrow(errorLike('CANCELLED'))
  })
})
