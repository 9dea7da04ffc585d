import { describe, expect, it } from 'vitest'
import { shareSlots } from '../../../../../ui/src/files/uploads/engine/share-slots.ts'
import type { UploadEngine, UploadRequest } from '../../../../../ui/src/files/uploads/engine/simple-upload.ts'

/** Two windows of one browser, whose uploads end when the test says so. */
function openWindows() {
  const running = new Map<string, PromiseWithResolvers<void>>()
  const engine: UploadEngine = async ({ path, signal }) => {
    const end = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => end.reject(signal.reason as Error))
    running.set(path, end)
    await end.promise.finally(() => running.delete(path))
  }
  const group = (requests: readonly UploadRequest[]) => requests.map((request) => engine(request))
  const windows = [shareSlots(group, navigator.locks), shareSlots(group, navigator.locks)] as const
  const send = async (window: 0 | 1, path: string, signal = new AbortController().signal) =>
    await windows[window]([
      {
        path,
        file: null,
        override: false,
        begun: false,
        signal,
        onBegun: () => undefined,
        onProgress: () => undefined,
      },
    ])[0]
  const sent = () => [...running.keys()].toSorted().join('')
  return {
    send,
    sent,
    end: (path: string) => running.get(path)?.resolve(),
    fail: (path: string) => running.get(path)?.reject(new Error('full')),
  }
}

describe('upload slots of several windows', () => {
  it('allow three at a time, whatever the order of arrival', async () => {
    const { send, sent, end } = openWindows()
    const all = [send(0, 'a'), send(0, 'b'), send(1, 'c'), send(1, 'd'), send(0, 'e')]
    await expect.poll(sent).toBe('abc')
    end('b')
    await expect.poll(sent).toBe('acd')
    end('a')
    await expect.poll(sent).toBe('cde')
    for (const path of 'cde') end(path)
    await Promise.all(all)
  })

  it('are released on failure or cancellation, also while waiting', async () => {
    const { send, sent, end, fail } = openWindows()
    const [first, waits] = [new AbortController(), new AbortController()]
    const a = send(0, 'a', first.signal)
    const b = send(0, 'b')
    const all = [send(0, 'c'), send(1, 'd')]
    const e = send(1, 'e', waits.signal)
    all.push(send(1, 'f'))
    await expect.poll(sent).toBe('abc')
    waits.abort()
    await expect(e).rejects.toThrow('aborted')
    first.abort()
    await expect(a).rejects.toThrow('aborted')
    await expect.poll(sent).toBe('bcd')
    fail('b')
    await expect(b).rejects.toThrow('full')
    await expect.poll(sent).toBe('cdf')
    for (const path of 'cdf') end(path)
    await Promise.all(all)
  })
})
