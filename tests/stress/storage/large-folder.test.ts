import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLocalStorage } from '../../../src/storage/local-storage.ts'
import { storagePathOf, type ListingView, type Scope, type Storage } from '../../../src/storage/storage.ts'
import { list, path, viewOf } from '../../contract/storage/view.ts'

const COUNT = 100_000
const PROBE_EVERY = 10
/** Small reads that are answered while something long goes on: if that held up the event loop, there would be one at most. */
const SOME = 5

describe(`a folder of ${COUNT} entries`, () => {
  let base: string
  let storage: Storage
  let scope: Scope

  beforeAll(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'filemgr-large-')))
    mkdirSync(join(base, 'large'))
    for (let i = 0; i < COUNT; i += 1) writeFileSync(join(base, 'large', `file ${i}.txt`), '')
    writeFileSync(join(base, 'small.txt'), 'small')
    storage = await openLocalStorage(base)
    scope = await storage.openScope(storagePathOf(path('/')), 'inside')
    await list(scope, '/')
  }, 120_000)

  afterAll(async () => {
    await scope[Symbol.asyncDispose]()
    await storage[Symbol.asyncDispose]()
    rmSync(base, { recursive: true })
  }, 60_000)

  it('is listed whole, and neither the event loop nor a small read waits for it', async () => {
    const [bytes, answered] = await probed(async () => await listed(viewOf('/large')))
    const listing = JSON.parse(bytes.toString()) as { numFiles: number; items: { name: string }[] }
    expect(listing.numFiles).toBe(COUNT)
    expect(listing.items[99_999]?.name).toBe('file 99999.txt')
    expect(answered).toBeGreaterThan(SOME)
  })

  it('holds up nothing under many rules and patterns either', async () => {
    const paths = Array.from({ length: 50 }, (_, i) => ({ regex: false, allow: false, path: `/x${i}`, regexp: null }))
    const patterns = Array.from({ length: 5 }, (_, i) => {
      return { regex: true, allow: false, path: '', regexp: { raw: `file 7${i}\\d+\\.txt$` } }
    })
    const [, answered] = await probed(async () => await listed({ ...viewOf('/large'), rules: [...paths, ...patterns] }))
    expect(answered).toBeGreaterThan(SOME)
  })

  it('holds up nothing while it is walked', async () => {
    const [count, answered] = await probed(async () => {
      let rows = 0
      for await (const row of scope.walk(path('/'), viewOf('/'))) if (row.name) rows += 1
      return rows
    })
    expect(count).toBe(COUNT + 2)
    expect(answered).toBeGreaterThan(SOME)
  })

  it('does not keep a small listing waiting, nor do receivers that take nothing of it', async () => {
    const abort = new AbortController()
    const stuck = await Promise.all(
      Array.from({ length: 6 }, async () => await scope.listing(path('/large'), viewOf('/large'), abort.signal)),
    )
    expect((await list(scope, '/')).items).toHaveLength(2)
    abort.abort()
    for (const parts of stuck) await expect(Array.fromAsync(parts)).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  async function listed(view: ListingView): Promise<Buffer> {
    const parts = await scope.listing(path('/large'), view)
    return Buffer.concat(await Array.fromAsync(parts, (part) => Buffer.from(part)))
  }

  /** Opens a small file again and again meanwhile. @returns how often, beside the result */
  async function probed<T>(work: () => Promise<T>): Promise<[result: T, answered: number]> {
    let answered = 0
    const working = { isOver: false }
    const probing = (async () => {
      while (!working.isOver) {
        await setTimeout(PROBE_EVERY)
        await using file = await scope.open(path('/small.txt'))
        expect((await file.small())?.length).toBe(5)
        answered += 1
      }
    })()
    const result = await work().finally(() => (working.isOver = true))
    await probing
    return [result, answered]
  }
})
