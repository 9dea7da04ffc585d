import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { storagePathOf, type ListingView, type Scope, type Storage } from '../../src/storage/storage.ts'
import { list, path, viewOf } from '../contract/storage/view.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { allowed, idleProbes, percentile, probedDuring } from './load-clients.ts'

const run = promisify(execFile)

const COUNT = 100_000
const LISTING_LIMIT = 10_000
const PROBE_EVERY = 10
const PROBE_P99 = 100

describe(`a folder of ${COUNT} entries`, () => {
  let base: string
  let storage: Storage
  let scope: Scope
  let mostWait: number

  beforeAll(async () => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'filemgr-large-')))
    mkdirSync(join(base, 'large'))
    for (let i = 0; i < COUNT; i += 1) writeFileSync(join(base, 'large', `file ${i}.txt`), '')
    writeFileSync(join(base, 'small.txt'), 'small')
    storage = await openLocalStorage(base)
    scope = await storage.openScope(storagePathOf(path('/')), 'inside')
    await list(scope, '/')
    // Idle probes raise the limit: other work on the machine is no fault of the listing.
    const [, idle] = await probed(async () => await setTimeout(1000), Infinity)
    mostWait = Math.max(PROBE_P99, 3 * idle)
  })

  afterAll(async () => {
    scope[Symbol.dispose]()
    await storage[Symbol.asyncDispose]()
    rmSync(base, { recursive: true })
  })

  it('is listed in time, and neither the event loop nor a small read waits for it', async () => {
    const [{ bytes, took }, slowest] = await probed(async () => await measured(viewOf('/large')))
    const listing = JSON.parse(bytes.toString()) as { numFiles: number; items: { name: string }[] }
    expect(listing.numFiles).toBe(COUNT)
    expect(listing.items[99_999]?.name).toBe('file 99999.txt')
    expect(took).toBeLessThan(LISTING_LIMIT)
    expect(slowest).toBeLessThan(mostWait)
  })

  it('is listed in time under many rules and patterns', async () => {
    const paths = Array.from({ length: 50 }, (_, i) => ({ regex: false, allow: false, path: `/x${i}`, regexp: null }))
    const patterns = Array.from({ length: 5 }, (_, i) => {
      return { regex: true, allow: false, path: '', regexp: { raw: `file 7${i}\\d+\\.txt$` } }
    })
    const [{ took }, slowest] = await probed(
      async () => await measured({ ...viewOf('/large'), rules: [...paths, ...patterns] }),
    )
    expect(took).toBeLessThan(LISTING_LIMIT)
    expect(slowest).toBeLessThan(mostWait)
  })

  it('is walked in time', async () => {
    const [count, slowest] = await probed(async () => {
      let rows = 0
      for await (const batch of scope.walk(path('/'), viewOf('/'))) rows += batch.length
      return rows
    })
    expect(count).toBe(COUNT + 2)
    expect(slowest).toBeLessThan(mostWait)
  })

  it('does not delay a small listing, even if clients do not read the large one', async () => {
    const abort = new AbortController()
    const stuck = await Promise.all(
      Array.from({ length: 6 }, async () => await scope.listing(path('/large'), viewOf('/large'), abort.signal)),
    )
    const started = performance.now()
    expect((await list(scope, '/')).items).toHaveLength(2)
    expect(performance.now() - started).toBeLessThan(LISTING_LIMIT)
    abort.abort()
    for (const parts of stuck) await expect(Array.fromAsync(parts)).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('delays no client of a daemon while it is listed, searched, walked and packed', async () => {
    await using daemon = await startTestDaemon({ root: base })
    const idle = await idleProbes(daemon)
    const paths = [
      // Enough turns that one percent of the probes is more than one of them: a search is soon over.
      ['api/resources/large/', 2],
      ['api/search/?query=9.txt', 15],
      ['api/resources/recursive/', 2],
      ['api/raw/large/?algo=tar', 1],
    ] as const
    for (const [path, turns] of paths) {
      // Another process reads it: this one would be too busy to probe in time.
      const load = ['-sSf', '-o', '/dev/null', '-H', `X-Auth: ${daemon.token}`, `${daemon.url}${path}`]
      const measure = async () => {
        const times = await probedDuring(daemon, 'api/raw/small.txt', async () => {
          for (let turn = 0; turn < turns; turn += 1) await run('curl', load)
        })
        console.info(`${path}: p99 of ${times.length} probes ${percentile(times, 0.99).toFixed(1)} ms`)
        return percentile(times, 0.99)
      }
      // A blocked event loop shows each time, other work on the machine does not.
      const limit = allowed(PROBE_P99, idle)
      let best = await measure()
      for (let again = 0; again < 2 && best >= limit; again += 1) best = Math.min(best, await measure())
      expect(best, path).toBeLessThan(limit)
    }
  })

  /** Lists several times, so that one percent of the probes is more than one of them. @returns the best time, too */
  async function measured(view: ListingView): Promise<{ bytes: Buffer; took: number }> {
    let bytes = Buffer.alloc(0)
    const times: number[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const started = performance.now()
      const parts = await scope.listing(path('/large'), view)
      bytes = Buffer.concat(await Array.fromAsync(parts, (part) => Buffer.from(part)))
      times.push(performance.now() - started)
    }
    return { bytes, took: Math.min(...times) }
  }

  /**
   * Opens a small file again and again during the work. A blocked event loop shows each time, other work on the machine does not,
   * so a slow turn is repeated. @returns the result of the work, and the p99 of the probes in milliseconds at the best turn
   */
  async function probed<T>(work: () => Promise<T>, limit = mostWait): Promise<[result: T, p99: number]> {
    let [result, best] = await probedOnce(work)
    for (let again = 0; again < 2 && best >= limit; again += 1) {
      const [next, p99] = await probedOnce(work)
      ;[result, best] = [next, Math.min(best, p99)]
    }
    return [result, best]
  }

  async function probedOnce<T>(work: () => Promise<T>): Promise<[result: T, p99: number]> {
    const times: number[] = []
    const working = { isOver: false }
    const probing = (async () => {
      while (!working.isOver) {
        const started = performance.now()
        await setTimeout(PROBE_EVERY)
        await using file = await scope.open(path('/small.txt'))
        expect((await file.small())?.length).toBe(5)
        times.push(performance.now() - started - PROBE_EVERY)
      }
    })()
    const result = await work().finally(() => (working.isOver = true))
    await probing
    return [
      result,
      percentile(
        times.toSorted((a, b) => a - b),
        0.99,
      ),
    ]
  }
})
