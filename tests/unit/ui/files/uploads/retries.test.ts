import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../../../ui/src/api/api-error.ts'
import { retryDelays, withRetries } from '../../../../../ui/src/files/uploads/engine/with-retries.ts'

const answer = (status: number, retryAfter?: number) => new ApiError({ status, message: String(status), retryAfter })

/** Fails with these errors, one per attempt, then succeeds. Returns the waits between attempts. */
async function run(failures: readonly Error[], moved: readonly number[] = []): Promise<number[]> {
  const waits: number[] = []
  let tries = 0
  await withRetries(
    async () => {
      tries += 1
      const failure = failures[tries - 1]
      if (failure !== undefined) throw failure
    },
    {
      delays: retryDelays(3),
      signal: new AbortController().signal,
      hasProgressed: () => moved.includes(tries),
      wait: async (milliseconds) => void waits.push(milliseconds),
    },
  )
  return waits
}

describe('retries of uploads', () => {
  it('happen at once, after a second and then after twice as long each time, up to twenty seconds', () => {
    expect(retryDelays(8)).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000])
    expect(retryDelays(0)).toEqual([])
    expect(retryDelays(-1)).toEqual([])
  })

  it('end with the first success', async () => {
    expect(await run([answer(0), answer(503)])).toEqual([0, 1000])
  })

  it('are limited by the settings, then the last failure counts', async () => {
    await expect(run([answer(0), answer(0), answer(0), answer(502)])).rejects.toMatchObject({ status: 502 })
  })

  it('start again after progress', async () => {
    expect(await run([answer(0), answer(0), answer(0), answer(0)], [3])).toEqual([0, 1000, 0, 1000])
  })

  it('wait as long as the server requests', async () => {
    expect(await run([answer(429, 7)])).toEqual([7000])
  })

  it.each([400, 401, 403, 404, 409, 413, 415, 507])('do not happen after %i', async (status) => {
    await expect(run([answer(status)])).rejects.toMatchObject({ status })
  })

  it('do not happen after a bug of our own', async () => {
    await expect(run([new Error('no such thing')])).rejects.toThrow('no such thing')
  })

  it('stop at once when the upload is cancelled, also between attempts', async () => {
    const controller = new AbortController()
    const ended = withRetries(async () => await Promise.reject(answer(503)), {
      delays: [0, 1_000_000],
      signal: controller.signal,
      hasProgressed: () => false,
    })
    setTimeout(() => controller.abort(new Error('paused')), 20)
    await expect(ended).rejects.toThrow('paused')
  })
})
