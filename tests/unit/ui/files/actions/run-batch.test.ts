import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { type ChangeOutcome, MAX_CHANGES } from '../../../../../src/domain/files/change-many.ts'
import { parseVirtualPath, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../../../../ui/src/api/api-error.ts'
import type { Client } from '../../../../../ui/src/api/client.ts'
import { createActivity } from '../../../../../ui/src/files/actions/batches/activity.ts'
import { runBatch } from '../../../../../ui/src/files/actions/batches/run-batch.ts'

const pathsOf = (count: number) => Array.from({ length: count }, (_, index) => parseVirtualPath(`/${index}`))
const done = (items: readonly VirtualPath[]): ChangeOutcome[] => items.map((path) => ({ path }))
const failure = (code: string) => ({ error: { code, message: code } })

function start(
  items: readonly VirtualPath[],
  answer: (items: readonly VirtualPath[], request: number, cancel: () => void) => readonly ChangeOutcome[],
) {
  const activity = createActivity()
  const requests: number[] = []
  const cancel = (): void => activity.controls(1)?.cancel()
  const ended = runBatch(
    { client: {} as Client, queries: new QueryClient(), activity },
    {
      kind: 'delete',
      items,
      pathOf: (path) => path,
      act: async () => await Promise.reject(new Error('alone')),
      actTogether: async (sent) => {
        requests.push(sent.length)
        return await Promise.resolve(answer(sent, requests.length, cancel))
      },
    },
  )
  return { ended, requests, batch: () => activity.batches.get()[0] }
}

describe('a batch', () => {
  it('is one request, with an outcome for each item', async () => {
    const { ended, requests, batch } = start(pathsOf(1000), (items) =>
      done(items).map((one, index) => (index === 7 ? { ...one, ...failure('FORBIDDEN') } : one)),
    )
    const { done: gone, failed, cancelled } = await ended
    expect([requests, gone.length, cancelled]).toEqual([[1000], 999, false])
    expect(failed).toMatchObject([{ path: '/7', problem: { code: 'FORBIDDEN' } }])
    expect(batch()).toMatchObject({ state: 'done', answered: 1000, done: 999 })
  })

  it('is sent again as far as the server had no time, and in parts if it is larger than a request may be', async () => {
    const { ended, requests } = start(pathsOf(MAX_CHANGES + 100), (items, request) =>
      done(items).map((one, index) => (request === 1 && index >= 600 ? { ...one, ...failure('BUSY') } : one)),
    )
    expect((await ended).done).toHaveLength(MAX_CHANGES + 100)
    expect(requests).toEqual([MAX_CHANGES, 500])
  })

  it('ends after the request under way when it is cancelled, and knows what was done by then', async () => {
    const { ended, requests, batch } = start(pathsOf(10), (items, _request, cancel) => {
      cancel()
      return done(items).map((one, index) => (index >= 6 ? { ...one, ...failure('BUSY') } : one))
    })
    const { done: gone, failed, cancelled } = await ended
    expect([requests, gone.length, failed, cancelled]).toEqual([[10], 6, [], true])
    expect(batch()?.state).toBe('cancelled')
  })

  it('fails as a whole if the request does', async () => {
    const { ended } = start(pathsOf(3), () => {
      throw new ApiError({ status: 400, message: 'no trash', code: 'INVALID_INPUT' })
    })
    const { failed } = await ended
    expect(failed.map(({ problem }) => problem.code)).toEqual(Array(3).fill('INVALID_INPUT'))
  })
})
