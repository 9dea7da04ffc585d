import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import {
  type KeptQueue,
  type KeptTask,
  createUploadMemory,
} from '../../../../../ui/src/files/uploads/memory/upload-memory.ts'
import { matchFiles } from '../../../../../ui/src/files/uploads/memory/find-missing.ts'
import type { UploadEntry } from '../../../../../ui/src/files/uploads/plan/upload-entry.ts'
import type { UploadItem } from '../../../../../ui/src/files/uploads/queue/upload-item.ts'

const DAY = 24 * 60 * 60 * 1000

/** The windows of one browser. */
function browser() {
  const kept = new Map<string, KeptQueue>()
  const bus = new EventEmitter()
  let clock = 0
  return {
    pass: (milliseconds: number): void => void (clock += milliseconds),
    open: (id: string, owner = 'maya') => {
      let closed = false
      const channel = {
        postMessage: (data: unknown) => void bus.emit('message', { data }),
        addEventListener: (_type: string, listener: (event: { data: unknown }) => void) =>
          void bus.on('message', (event: { data: unknown }) => {
            if (!closed) listener(event)
          }),
        close: () => void (closed = true),
      }
      return createUploadMemory({
        store: {
          entries: async () => [...kept],
          set: async (key, queue) => void kept.set(key, queue),
          delete: async (key) => void kept.delete(key),
          adopt: async (keys, own, savedAt) => {
            const adopted = keys.flatMap((key) => kept.get(key)?.tasks ?? [])
            kept.set(own, { savedAt, tasks: [...(kept.get(own)?.tasks ?? []), ...adopted] })
            for (const key of keys) kept.delete(key)
            return adopted
          },
        },
        channel: channel as unknown as BroadcastChannel,
        owner,
        id,
        now: () => clock,
        wait: async () => undefined,
      })
    },
  }
}

const task = (source: string): KeptTask => ({ source }) as KeptTask
const sources = (tasks: readonly KeptTask[]): string[] => tasks.map(({ source }) => source)

describe('the upload memory', () => {
  it('passes the uploads of a closed page to a new one, once', async () => {
    const { open } = browser()
    const first = open('1')
    await first.save([task('a'), task('b')])
    first.close()
    expect(sources(await open('2').takeOver())).toEqual(['a', 'b'])
    expect(await open('3').takeOver()).toEqual([])
  })

  it('keeps what a page took over and did not save before it was closed', async () => {
    const { open } = browser()
    const [first, second] = [open('1'), open('2')]
    await first.save([task('a')])
    first.close()
    expect(sources(await second.takeOver())).toEqual(['a'])
    second.close()
    expect(sources(await open('3').takeOver())).toEqual(['a'])
  })

  it('does not take uploads of an open window', async () => {
    const { open } = browser()
    const [living, closed] = [open('1'), open('2')]
    await living.save([task('a')])
    await closed.save([task('b')])
    closed.close()
    expect(sources(await open('3').takeOver())).toEqual(['b'])
    living.close()
    expect(sources(await open('4').takeOver())).toEqual(['a'])
  })

  it('hides uploads from other users', async () => {
    const { open } = browser()
    const first = open('1', 'maya')
    await first.save([task('a')])
    first.close()
    expect(await open('2', 'ben').takeOver()).toEqual([])
  })

  it('drops uploads after a week, and finished ones', async () => {
    const { open, pass } = browser()
    const [old, done] = [open('1'), open('2')]
    await old.save([task('a')])
    pass(8 * DAY)
    await done.save([task('b')])
    await done.save([])
    old.close()
    done.close()
    expect(await open('3').takeOver()).toEqual([])
  })
})

describe('files chosen again', () => {
  const file = (name: string, content = 'same', lastModified = 1000): File =>
    new File([content], name, { lastModified })
  const entry = (path: string, ...rest: [string?, number?]): UploadEntry => ({
    path,
    file: file(path.slice(path.lastIndexOf('/') + 1), ...rest),
  })
  const missing = (id: number, source: string, target: VirtualPath = ROOT): UploadItem =>
    ({ id, source, target, state: 'missing', size: 4, modified: 1000 }) as UploadItem
  const ids = (...args: Parameters<typeof matchFiles>): number[] => matchFiles(...args).map(({ id }) => id)

  it('are recognised by path, size and time in the same folder', () => {
    const items = [missing(1, 'a'), missing(2, 'sub/a'), missing(3, 'b')]
    expect(ids(items, [entry('sub/a'), entry('b')], ROOT)).toEqual([2, 3])
    expect(ids(items, [entry('a')], '/docs' as VirtualPath)).toEqual([])
  })

  it('start again if they have changed since', () => {
    expect(ids([missing(1, 'a')], [entry('a', 'longer')], ROOT)).toEqual([])
    expect(ids([missing(1, 'a')], [entry('a', 'same', 2000)], ROOT)).toEqual([])
  })

  it('are recognised by name if the page asked for them, each for its own upload', () => {
    const items = [missing(1, 'one/a', '/docs' as VirtualPath), missing(2, 'two/a')]
    expect(ids(items, [entry('a')])).toEqual([1])
    expect(ids(items, [entry('two/a'), entry('one/a')])).toEqual([2, 1])
    expect(ids(items, [entry('a'), entry('two/a')])).toEqual([1, 2])
    expect(ids(items, [entry('c')])).toEqual([])
  })

  it('are not requested twice', () => {
    const waiting = { ...missing(1, 'a'), state: 'waiting' } as UploadItem
    expect(ids([waiting], [entry('a')], ROOT)).toEqual([])
    expect(ids([missing(1, 'a')], [entry('a'), entry('a')], ROOT)).toEqual([1])
  })
})
