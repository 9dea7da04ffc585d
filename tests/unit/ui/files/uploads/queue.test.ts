import { describe, expect, it } from 'vitest'
import { ROOT } from '../../../../../src/domain/files/virtual-path.ts'
import type { PlannedUpload } from '../../../../../ui/src/files/uploads/plan/conflict-check.ts'
import type { UploadRequest } from '../../../../../ui/src/files/uploads/engine/simple-upload.ts'
import type { UploadItem } from '../../../../../ui/src/files/uploads/queue/upload-item.ts'
import { UploadQueue, type PauseReason } from '../../../../../ui/src/files/uploads/queue/upload-queue.ts'

interface Call {
  readonly request: UploadRequest
  finish(): void
  fail(error: Error): void
}

/** The network or the session is gone. */
class Paused extends Error {
  readonly pausedBy: PauseReason

  constructor(pausedBy: PauseReason) {
    super(pausedBy)
    this.pausedBy = pausedBy
  }
}

/** A queue whose uploads end when the test says so. */
function start() {
  const calls: Call[] = []
  const groups: number[] = []
  const idle: string[][] = []
  const givenUp: string[] = []
  let clock = 0
  const queue = new UploadQueue({
    engine: (requests) => {
      groups.push(requests.length)
      return requests.map(
        (request) =>
          new Promise<void>((resolve, reject) => {
            request.signal.addEventListener('abort', () => reject(new Error('aborted')))
            calls.push({ request, finish: resolve, fail: reject })
          }),
      )
    },
    now: () => clock,
    onChange: () => undefined,
    onIdle: (finished) => idle.push(finished.map(({ name }) => name)),
    judge: async (error) => (error instanceof Paused ? error.pausedBy : { status: 0, message: String(error) }),
    onGivenUp: ({ name }) => givenUp.push(name),
  })
  const tick = (milliseconds: number): void => void (clock += milliseconds)
  const call = (name: string): Call => {
    const found = calls.findLast(({ request }) => request.path.endsWith(`/${name}`))
    if (found === undefined) throw new Error(`${name} was not started`)
    return found
  }
  const item = (name: string): UploadItem | undefined => queue.snapshot().items.find((each) => each.name === name)
  const started = (): string[] => calls.map(({ request }) => request.path)
  const id = (name: string): number => item(name)?.id ?? -1
  return { queue, call, item, id, started, groups, idle, givenUp, tick }
}

const file = (path: string, content = 'ten bytes!'): PlannedUpload => ({
  entry: { path, file: new File([content], path.slice(path.lastIndexOf('/') + 1)) },
  path,
  override: false,
})
const folder = (path: string): PlannedUpload => ({ entry: { path, file: null }, path, override: false })
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

describe('the upload queue', () => {
  it('runs three at a time, in order', async () => {
    const { queue, call, started } = start()
    queue.add(
      ROOT,
      ['1', '2', '3', '4', '5'].map((name) => file(name)),
    )
    expect(started()).toEqual(['/1', '/2', '/3'])
    call('2').finish()
    await settled()
    expect(started()).toEqual(['/1', '/2', '/3', '/4'])
  })

  it('sends small files in groups while many wait, and each large one alone', async () => {
    const { queue, call, item, groups } = start()
    const small = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => file(`${from + index}`))
    queue.add(ROOT, [
      ...small(0, 110),
      file('large', 'x'.repeat(100_000)),
      ...small(110, 125),
      { ...file('o'), override: true },
    ])
    // The large one ends a group; so does one that may replace files.
    expect(groups).toEqual([100, 10, 1])
    call('large').finish()
    await settled()
    expect(groups).toEqual([100, 10, 1, 1])
    call('0').finish()
    call('1').fail(new Error('refused'))
    queue.pause([item('2')?.id ?? -1])
    await settled()
    expect([item('0')?.state, item('1')?.state, item('2')?.state, item('3')?.state]).toEqual([
      ...['done', 'failed', 'paused', 'active'],
    ])
    expect(queue.snapshot().totals).toMatchObject({ done: 2, failed: 1, paused: 1, active: 108 })
  })

  it('creates folders without a body and sends files below the destination', () => {
    const { queue, call } = start()
    queue.add('/docs' as typeof ROOT, [folder('new'), { ...file('new/a.txt'), override: true }])
    expect(call('new').request).toMatchObject({ path: '/docs/new', file: null, override: false })
    expect(call('a.txt').request).toMatchObject({ path: '/docs/new/a.txt', override: true })
  })

  it('adds up bytes without failed files', async () => {
    const { queue, call, item } = start()
    queue.add(ROOT, [file('a'), file('b')])
    call('a').request.onProgress(4)
    expect(queue.snapshot().totals).toMatchObject({ active: 2, sentBytes: 4, totalBytes: 20 })
    call('a').fail(new Error('Connection lost'))
    await settled()
    expect(queue.snapshot().totals).toMatchObject({ active: 1, failed: 1, sentBytes: 0, totalBytes: 10 })
    expect(item('a')).toMatchObject({ state: 'failed', error: { message: 'Error: Connection lost' }, sent: 4 })
  })

  it('counts a finished file in full, whatever its last progress was', async () => {
    const { queue, call } = start()
    queue.add(ROOT, [file('a'), file('b')])
    call('a').finish()
    await settled()
    expect(queue.snapshot().totals).toMatchObject({ done: 1, active: 1, sentBytes: 10 })
  })

  it('measures the total speed and that of each upload', () => {
    const { queue, call, item, tick } = start()
    queue.add(ROOT, [file('a'), file('b')])
    call('a').request.onProgress(0)
    tick(1000)
    call('a').request.onProgress(6)
    expect(queue.snapshot().speed.speed).toBe(6)
    expect(item('a')?.speed.speed).toBe(6)
    expect(item('b')?.speed.speed).toBe(0)
    for (let second = 0; second < 30; second += 1) {
      tick(1000)
      queue.readSpeeds()
    }
    expect(queue.snapshot().speed.speed).toBeLessThan(0.1)
    expect(item('a')?.speed.speed).toBeLessThan(0.1)
    expect(queue.snapshot().totals.sentBytes).toBe(6)
  })

  it('reports once that everything has ended, with its result', async () => {
    const { queue, call, idle } = start()
    queue.add(ROOT, [file('a'), file('b'), file('c')])
    call('a').finish()
    call('b').fail(new Error('full'))
    await settled()
    expect(idle).toEqual([])
    call('c').finish()
    await settled()
    expect(idle).toEqual([['a', 'c']])
    expect(queue.busy).toBe(false)
  })

  it('retries a failed upload from the start', async () => {
    const { queue, call, item, id, started, idle } = start()
    queue.add(ROOT, [file('a')])
    call('a').fail(new Error('full'))
    await settled()
    queue.retry([id('a')])
    expect(item('a')).toMatchObject({ state: 'active', sent: 0, error: null })
    expect(started()).toEqual(['/a', '/a'])
    expect(idle).toEqual([[]])
  })

  it('starts the next upload in the place of a cancelled one', async () => {
    const { queue, call, item, id, started } = start()
    queue.add(
      ROOT,
      ['1', '2', '3', '4'].map((name) => file(name)),
    )
    queue.remove([id('2')])
    expect(call('2').request.signal.aborted).toBe(true)
    await settled()
    expect(item('2')).toBeUndefined()
    expect(started()).toContain('/4')
  })

  it('never starts a waiting upload that was removed', async () => {
    const { queue, call, id, started } = start()
    queue.add(
      ROOT,
      ['1', '2', '3', '4'].map((name) => file(name)),
    )
    queue.remove([id('4')])
    call('1').finish()
    await settled()
    expect(started()).not.toContain('/4')
  })

  it('cancels all but keeps finished and failed ones', async () => {
    const { queue, call, idle } = start()
    queue.add(
      ROOT,
      ['1', '2', '3', '4', '5', '6', '7', '8'].map((name) => file(name)),
    )
    call('1').finish()
    call('2').fail(new Error('full'))
    await settled()
    queue.abortAll()
    await settled()
    expect(queue.snapshot().items.map(({ name }) => name)).toEqual(['1', '2'])
    expect(idle).toEqual([['1']])
  })

  it('starts a new round without finished uploads, but with failed ones', async () => {
    const { queue, call } = start()
    queue.add(ROOT, [file('a'), file('b')])
    call('a').finish()
    call('b').fail(new Error('full'))
    await settled()
    queue.add(ROOT, [file('c')])
    expect(queue.snapshot().items.map(({ name }) => name)).toEqual(['b', 'c'])
    expect(queue.snapshot().totals).toMatchObject({ done: 0, totalBytes: 10 })
  })

  it('clears its list only when nothing is running', async () => {
    const { queue, call } = start()
    queue.add(ROOT, [file('a')])
    queue.clear()
    expect(queue.snapshot().items).toHaveLength(1)
    call('a').finish()
    await settled()
    queue.clear()
    expect(queue.snapshot()).toMatchObject({ items: [], totals: { done: 0, totalBytes: 0 } })
  })
})
