import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FilemgrError } from '../../../../src/domain/errors.ts'
import { BodyBatches } from '../../../../src/platform/network/body-batches.ts'

const KIBIBYTE = 1024
const CHUNK = 64 * KIBIBYTE
const MEMORY = 512 * KIBIBYTE

/** Offers chunks for as long as they are taken. @returns the bytes that are out of the stream's hands */
async function flood(stream: PassThrough, chunks = 64): Promise<number> {
  for (let i = 0; i < chunks; i += 1) stream.write(Buffer.alloc(CHUNK))
  for (let turn = 0; turn < 100; turn += 1) await setImmediate()
  return chunks * CHUNK - stream.readableLength - stream.writableLength
}

describe('bodies that nobody takes', () => {
  it('keep one chunk each in memory when all together have too much', async () => {
    const streams = Array.from({ length: 20 }, () => new PassThrough())
    using bodies = new DisposableStack()
    for (const stream of streams) bodies.use(new BodyBatches(stream, { memory: MEMORY }))
    let taken = 0
    for (const stream of streams) taken += await flood(stream)
    expect(taken).toBeLessThanOrEqual(MEMORY + streams.length * CHUNK)
  })

  it('give their memory back, to bodies that wait for some', async () => {
    const first = new PassThrough()
    const held = new BodyBatches(first, { memory: MEMORY })
    await flood(first)
    const second = new PassThrough()
    using body = new BodyBatches(second, { memory: MEMORY })
    expect(await flood(second)).toBeLessThanOrEqual(CHUNK)
    held[Symbol.dispose]()
    second.end()
    let received = 0
    for (let batch = await body.next(); batch !== undefined; batch = await body.next())
      received += batch.reduce((sum, { length }) => sum + length, 0)
    expect(received).toBe(64 * CHUNK)
  })
})

it('say what has failed: a disk that is read, or that the work was cancelled', async () => {
  const problem = new FilemgrError('UNAVAILABLE', 'the disk fails')
  const source = new PassThrough()
  using body = new BodyBatches(source, {})
  source.destroy(problem)
  await expect(body.next()).rejects.toBe(problem)
  const cut = new PassThrough()
  using cutBody = new BodyBatches(cut, {})
  cut.destroy(new Error('ECONNRESET'))
  await expect(cutBody.next()).rejects.toMatchObject({ code: 'CANCELLED' })
  using stopped = new BodyBatches(new PassThrough(), { signal: AbortSignal.abort() })
  await expect(stopped.next()).rejects.toThrow('this was cancelled')
})
