import { expect, it } from 'vitest'
import { createOpenings } from '../../../../src/services/shares/openings.ts'
import { recordingLog } from '../../../helpers/recording-log.ts'
import { share } from '../../../helpers/unit/share-record.ts'
import { testContext } from '../../../helpers/test-context.ts'

async function withShares() {
  const context = await testContext()
  const shares = [share('one', { openings: 3, lastOpened: 5 }), share('two')] as const
  await context.store.update((draft) => void (draft.shares = [...shares]))
  const writes: unknown[] = []
  context.store.onChange((now) => void writes.push(now))
  return { context, shares, writes }
}

it('counts at once and writes many openings as one change', async () => {
  const { context, shares, writes } = await withShares()
  await using _context = context
  const { store, clock } = context
  const openings = createOpenings({ store, clock, log: recordingLog() })
  for (let count = 0; count < 100; count += 1) openings.add(shares[0].hash)
  const last = Math.floor(clock.now() / 1000)
  expect(openings.ofShare(shares[0])).toEqual({ count: 103, last })
  expect(openings.ofShare(shares[1])).toEqual({ count: 0, last: 0 })
  expect(writes).toHaveLength(0)
  await openings.flush()
  expect(writes).toHaveLength(1)
  expect(store.snapshot().shares).toMatchObject([{ openings: 103, lastOpened: last }, { openings: 0 }])
})

it('writes when it is closed, and nothing when nothing was opened', async () => {
  const { context, shares, writes } = await withShares()
  await using _context = context
  const { store, clock } = context
  {
    await using openings = createOpenings({ store, clock, log: recordingLog() })
    openings.add(shares[1].hash)
  }
  await createOpenings({ store, clock, log: recordingLog() })[Symbol.asyncDispose]()
  expect(writes).toHaveLength(1)
  expect(store.snapshot().shares[1]?.openings).toBe(1)
})

it('keeps what could not be written for the next time, and says so', async () => {
  const { context, shares } = await withShares()
  await using _context = context
  const { store, clock } = context
  const log = recordingLog()
  let isFull = true
  const openings = createOpenings({
    store: {
      ...store,
      update: async (change) => {
        if (isFull) throw new Error('the disk is full')
        return await store.update(change)
      },
    },
    clock,
    log,
  })
  openings.add(shares[1].hash)
  await openings.flush()
  expect(log.lines).toHaveLength(1)
  isFull = false
  openings.add(shares[1].hash)
  await openings.flush()
  expect(store.snapshot().shares[1]?.openings).toBe(2)
})

it('forgets the count of a share that was removed', async () => {
  const { context, shares } = await withShares()
  await using _context = context
  const { store, clock } = context
  const openings = createOpenings({ store, clock, log: recordingLog() })
  openings.add(shares[1].hash)
  await store.update((draft) => void (draft.shares = []))
  await openings.flush()
  expect(store.snapshot().shares).toEqual([])
})
