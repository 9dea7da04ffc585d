import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../../ui/src/api/api-error.ts'
import { whenReachable } from '../../../../ui/src/public/send/send-file.ts'

const answer = (status: number) => new ApiError({ status, message: String(status) })

interface Case {
  /** Errors of the attempts, in order; then one succeeds. */
  readonly failures: readonly Error[]
  /** Whether each check reaches the server, in order; then all do. */
  readonly there?: readonly boolean[]
  /** Whether each attempt progresses. */
  readonly progresses?: boolean
}

/** What happened: "try", "lost" and "wait". */
async function run({ failures, there = [], progresses = false }: Case): Promise<string> {
  const events: string[] = []
  const [remaining, answers] = [[...failures], [...there]]
  let done = 0
  const work = async (): Promise<void> => {
    events.push('try')
    if (progresses) done += 1
    const failure = remaining.shift()
    if (failure !== undefined) throw failure
  }
  await whenReachable(work, {
    signal: new AbortController().signal,
    isReachable: async () => answers.shift() ?? true,
    progress: () => done,
    onLost: () => events.push('lost'),
    pause: async () => void events.push('wait'),
  })
  return events.join(' ')
}

describe('work that needs the server', () => {
  it.each([0, 502, 503, 504])('waits for it as long as it takes after status %i', async (status) => {
    const there = [false, false, false]
    expect(await run({ failures: [answer(status)], there })).toBe('try lost wait lost wait lost wait try')
  })

  it('is tried once more when the server is back at once', async () => {
    expect(await run({ failures: [answer(0)] })).toBe('try try')
    await expect(run({ failures: [answer(0), answer(502)] })).rejects.toMatchObject({ status: 502 })
  })

  it('is tried as long as it progresses, or the server was away', async () => {
    const failures = Array.from({ length: 4 }, () => answer(0))
    expect(await run({ failures, progresses: true })).toBe('try try try try try')
    expect(await run({ failures: failures.slice(2), there: [false, true, false] })).toBe(
      'try lost wait try lost wait try',
    )
  })

  it('ends with a refusal', async () => {
    await expect(run({ failures: [answer(413)], there: [false] })).rejects.toMatchObject({ status: 413 })
  })

  it('ends when it is cancelled', async () => {
    const stop = new AbortController()
    const ended = whenReachable(async () => await Promise.reject(answer(0)), {
      signal: stop.signal,
      isReachable: async () => false,
      onLost: () => stop.abort(new Error('cancelled')),
    })
    await expect(ended).rejects.toThrow('cancelled')
  })
})
