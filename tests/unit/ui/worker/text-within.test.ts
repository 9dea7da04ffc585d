import { describe, expect, it } from 'vitest'
import { textWithin } from '../../../../ui/src/worker/kept-listings.ts'

/** An endless response that counts the bytes read. */
function endless(headers: Record<string, string> = {}) {
  const seen = { parts: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        seen.parts += 1
        controller.enqueue(new Uint8Array(1000).fill(120))
      },
      cancel: () => void (seen.cancelled = true),
    },
    { highWaterMark: 0 },
  )
  return { seen, answer: new Response(body, { headers }) }
}

describe('the text of a cached response', () => {
  it('is unchanged while it is short, including letters split between chunks', async () => {
    const bytes = new TextEncoder().encode('{"name":"zoë 日本"}')
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
        controller.close()
      },
    })
    expect(await textWithin(new Response(body), bytes.length)).toBe('{"name":"zoë 日本"}')
    expect(await textWithin(new Response(null), 10)).toBe('')
  })

  it('is not read to its end if it is too long, and not at all if that is known before', async () => {
    const unknown = endless()
    expect(await textWithin(unknown.answer, 5000)).toBeUndefined()
    expect(unknown.seen).toEqual({ parts: 6, cancelled: true })
    const declared = endless({ 'Content-Length': '5001' })
    expect(await textWithin(declared.answer, 5000)).toBeUndefined()
    expect(declared.seen).toEqual({ parts: 0, cancelled: true })
  })
})
