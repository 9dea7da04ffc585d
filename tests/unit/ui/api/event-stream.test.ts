import { describe, expect, it, vi } from 'vitest'
import { eventsIn } from '../../../../ui/src/api/live-connection.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function namesAndData(chunks: readonly Uint8Array[]): Promise<unknown[]> {
  const events: unknown[] = []
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  for await (const event of eventsIn(body, () => undefined)) events.push(event)
  return events
}

describe('server-sent events', () => {
  it('are assembled from chunks of any size', async () => {
    const text = ':\n\nid: 7\nevent: folder\ndata: {"path":"/Ünï"}\n\nretry: 3000\n\nevent: gap\ndata: {}\n\n'
    const expected = [
      { name: 'folder', data: { path: '/Ünï' } },
      { name: 'gap', data: {} },
    ]
    expect(await namesAndData([bytesOf(text)])).toEqual(expected)
    expect(await namesAndData([...bytesOf(text)].map((byte) => Uint8Array.of(byte)))).toEqual(expected)
  })

  it('report silence only when nothing has arrived for too long', async () => {
    vi.useFakeTimers()
    try {
      const onSilence = vi.fn<() => void>()
      const source = new TransformStream<Uint8Array, Uint8Array>()
      const writer = source.writable.getWriter()
      const reading = eventsIn(source.readable, onSilence, 1000).next()
      await vi.advanceTimersByTimeAsync(900)
      await writer.write(bytesOf(':\n\n'))
      await vi.advanceTimersByTimeAsync(900)
      expect(onSilence).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(200)
      expect(onSilence).toHaveBeenCalledOnce()
      await writer.close()
      expect(await reading).toEqual({ done: true, value: undefined })
    } finally {
      vi.useRealTimers()
    }
  })
})
