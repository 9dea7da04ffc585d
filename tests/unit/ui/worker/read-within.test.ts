import { describe, expect, it } from 'vitest'
import { readWithin } from '../../../../ui/src/worker/kept-listings.ts'

/** An endless body that counts the parts that were read. */
function endless() {
  const seen = { parts: 0 }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        seen.parts += 1
        controller.enqueue(new Uint8Array(1000).fill(120))
      },
    },
    { highWaterMark: 0 },
  )
  return { seen, body }
}

describe('a listing that passes through the service worker', () => {
  it('is read whole while it is short', async () => {
    const bytes = new TextEncoder().encode('{"name":"zoë 日本"}')
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
        controller.close()
      },
    })
    const { parts, rest } = await readWithin(body, bytes.length)
    expect([await new Blob(parts).text(), rest]).toEqual(['{"name":"zoë 日本"}', undefined])
    expect(await readWithin(null, 10)).toEqual({ parts: [] })
  })

  it('is left to the page from where it becomes too long', async () => {
    const { seen, body } = endless()
    const { parts, rest } = await readWithin(body, 5000)
    expect([parts.length, seen.parts]).toEqual([6, 6])
    const reader = rest?.getReader()
    expect((await reader?.read())?.value).toHaveLength(1000)
    await reader?.cancel()
  })
})
