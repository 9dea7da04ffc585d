import { describe, expect, it } from 'vitest'
import { ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { PlannedUpload } from '../../../../../ui/src/files/uploads/plan/conflict-check.ts'
import { keptTasks } from '../../../../../ui/src/files/uploads/memory/upload-memory.ts'
import type { UploadRequest } from '../../../../../ui/src/files/uploads/engine/simple-upload.ts'
import type { UploadItem } from '../../../../../ui/src/files/uploads/queue/upload-item.ts'
import { UploadQueue, type PauseReason } from '../../../../../ui/src/files/uploads/queue/upload-queue.ts'

interface Call {
  readonly request: UploadRequest
  finish(): void
  /** Fails because of the network or the session, or for good. */
  fail(reason: PauseReason | 'full'): void
}

/** A queue whose uploads end when the test says so, even long after an abort. */
function start() {
  const calls: Call[] = []
  const givenUp: string[] = []
  let idleCount = 0
  const queue = new UploadQueue({
    engine: (requests) =>
      requests.map(
        (request) =>
          new Promise<void>((resolve, reject) => {
            calls.push({ request, finish: resolve, fail: (reason) => reject(new Error(reason)) })
          }),
      ),
    now: () => 0,
    onChange: () => undefined,
    onIdle: () => void (idleCount += 1),
    judge: async (error) => {
      const { message } = error as Error
      return message === 'full' ? { status: 507, message } : (message as PauseReason)
    },
    onGivenUp: ({ name }) => givenUp.push(name),
  })
  const item = (name: string): UploadItem | undefined => queue.snapshot().items.find((each) => each.name === name)
  return {
    queue,
    item,
    givenUp,
    id: (name: string): number => item(name)?.id ?? -1,
    /** The last request for a file. */
    call: (name: string): Call => {
      const found = calls.findLast(({ request }) => request.path.endsWith(`/${name}`))
      if (found === undefined) throw new Error(`${name} was not started`)
      return found
    },
    started: (): string => calls.map(({ request }) => request.path.slice(1)).join(' '),
    idleCount: (): number => idleCount,
  }
}

const file = (path: string): PlannedUpload => ({
  entry: { path, file: new File(['ten bytes!'], path, { lastModified: 1000 }) },
  path,
  override: false,
})
const files = (...names: string[]): PlannedUpload[] => names.map(file)
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

describe('a paused upload', () => {
  it('is aborted, keeps its progress and makes room for the next', async () => {
    const { queue, call, item, id, started } = start()
    queue.add(ROOT, files('1', '2', '3', '4'))
    call('2').request.onBegun(true)
    call('2').request.onProgress(4)
    queue.pause([id('2')])
    await settled()
    expect(call('2').request.signal.aborted).toBe(true)
    expect(item('2')).toMatchObject({ state: 'paused', sent: 4, begun: true })
    expect(started()).toBe('1 2 3 4')
  })

  it('continues after those that wait, from the offset of the server', async () => {
    const { queue, call, id, started } = start()
    queue.add(ROOT, files('1', '2', '3', '4', '5'))
    call('1').request.onBegun(true)
    queue.pause([id('1')])
    queue.resume([id('1')])
    call('2').finish()
    call('3').finish()
    await settled()
    expect(started()).toBe('1 2 3 4 5 1')
    expect(call('1').request.begun).toBe(true)
  })

  it('that is resumed at once is not ended by its earlier request', async () => {
    const { queue, call, item, id } = start()
    queue.add(ROOT, files('a'))
    const first = call('a')
    queue.pause([id('a')])
    queue.resume([id('a')])
    first.finish()
    await settled()
    first.request.onProgress(9)
    expect(item('a')).toMatchObject({ state: 'active', sent: 0 })
  })

  it('never starts before it is resumed, even with free slots', async () => {
    const { queue, call, id, started } = start()
    queue.add(ROOT, files('1', '2', '3', '4'))
    queue.pause([id('4')])
    call('1').finish()
    await settled()
    expect(started()).toBe('1 2 3')
    expect(queue.snapshot().totals).toMatchObject({ active: 2, paused: 1, done: 1 })
  })

  it('stays in the list when it is cleared', async () => {
    const { queue, call, item, id, idleCount } = start()
    queue.add(ROOT, files('a', 'b'))
    queue.pause([id('b')])
    call('a').finish()
    await settled()
    expect(idleCount()).toBe(1)
    queue.clear()
    expect([item('a')?.state, item('b')?.state]).toEqual([undefined, 'paused'])
  })
})

describe('uploads without network or session', () => {
  it('all wait at the first failure, and none fails', async () => {
    const { queue, call } = start()
    queue.add(ROOT, files('1', '2', '3', '4'))
    call('3').request.onProgress(7)
    call('3').fail('offline')
    await settled()
    expect(queue.snapshot()).toMatchObject({
      pausedBy: 'offline',
      totals: { waiting: 4, active: 0, failed: 0, sentBytes: 7 },
    })
    expect(call('1').request.signal.aborted).toBe(true)
  })

  it('continue in their order afterwards', async () => {
    const { queue, call, started } = start()
    queue.add(ROOT, files('1', '2', '3', '4'))
    call('1').fail('offline')
    call('3').fail('offline')
    await settled()
    queue.resumeAll('offline')
    expect(started()).toBe('1 2 3 1 2 3')
    expect(queue.snapshot()).toMatchObject({ pausedBy: null, totals: { waiting: 1, active: 3 } })
  })

  it('wait until nothing pauses them any more', () => {
    const { queue, started } = start()
    queue.pauseAll('offline')
    queue.pauseAll('session')
    queue.add(ROOT, files('a'))
    queue.resumeAll('offline')
    expect([started(), queue.snapshot().pausedBy, queue.busy]).toEqual(['', 'session', true])
    queue.resumeAll('session')
    expect(started()).toBe('a')
  })

  it('can be paused and cancelled meanwhile', async () => {
    const { queue, call, id, started } = start()
    queue.add(ROOT, files('a', 'b', 'c'))
    call('a').fail('session')
    await settled()
    queue.pause([id('b')])
    queue.remove([id('c')])
    queue.resumeAll('session')
    expect(started()).toBe('a b c a')
  })
})

describe('a cancelled upload', () => {
  it('is discarded on the server if it had started and not finished', async () => {
    const { queue, call, id, givenUp } = start()
    queue.add(ROOT, files('a', 'b', 'c'))
    call('a').request.onBegun(true)
    call('c').request.onBegun(true)
    call('c').finish()
    await settled()
    queue.remove([id('a'), id('b'), id('c')])
    expect(givenUp).toEqual(['a'])
  })
})

describe('uploads of an earlier page', () => {
  const kept = keptTasks(
    (() => {
      const { queue, call } = start()
      queue.add('/docs' as VirtualPath, [
        { entry: { path: 'new', file: null }, path: 'new', override: false },
        file('new/a'),
        file('new/b'),
      ])
      call('a').request.onBegun(true)
      call('a').request.onProgress(6)
      return queue.snapshot().items
    })(),
  )

  it('need their files, but folders are created', () => {
    const { queue, item, started } = start()
    queue.restore(kept)
    expect(started()).toBe('docs/new')
    expect(item('a')).toMatchObject({ state: 'missing', sent: 6, begun: true, path: '/docs/new/a' })
    expect(item('b')).toMatchObject({ state: 'missing', sent: 0, begun: false, group: { name: 'new' } })
  })

  it('continue with their file handles', () => {
    const { queue, call, id } = start()
    queue.restore(kept)
    queue.supplyFile(id('a'), new File(['ten bytes!'], 'a'), false)
    expect(call('a').request).toMatchObject({ path: '/docs/new/a', begun: true })
  })

  it('stay paused until their files are chosen again', () => {
    const file = new File(['ten bytes!'], 'a')
    const paused = kept.map((task) => ({ ...task, paused: task.kind === 'file' }))
    const { queue, item, id } = start()
    queue.restore(paused)
    expect(keptTasks(queue.snapshot().items).map((task) => task.paused)).toEqual([false, true, true])
    queue.supplyFile(id('a'), file, false)
    queue.supplyFile(id('b'), file, true)
    expect([item('a')?.state, item('b')?.state]).toEqual(['paused', 'active'])
  })

  it('are kept until they are finished', async () => {
    const { queue, call } = start()
    queue.add(ROOT, files('a', 'b', 'c'))
    call('a').finish()
    call('b').fail('full')
    await settled()
    expect(keptTasks(queue.snapshot().items).map(({ path }) => path)).toEqual(['/b', '/c'])
  })
})
