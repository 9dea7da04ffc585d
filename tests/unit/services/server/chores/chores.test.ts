import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ChoreRun } from '../../../../../src/domain/server/chores.ts'
import { createChores } from '../../../../../src/services/server/chores/chores.ts'
import { MemoryLeases } from '../../../../../src/store/memory-leases.ts'
import { memoryRecords } from '../../../../../src/store/records/records.ts'
import { movableClock } from '../../../../helpers/movable-clock.ts'
import { recordingLog } from '../../../../helpers/recording-log.ts'
import { testContext } from '../../../../helpers/test-context.ts'

const DAY = 24 * 60 * 60 * 1000

const parts = () => ({
  clock: movableClock(),
  log: recordingLog(),
  runs: memoryRecords<ChoreRun>(),
  isPaused: () => false,
  leases: new MemoryLeases(),
})

describe('chores', () => {
  it('all run at the start and again, even after one has failed', async () => {
    const deps = parts()
    let done = 0
    const failing = { name: 'failing', run: async () => await Promise.reject(new Error('broken')) }
    const counting = { name: 'counting', run: async () => (done += 1) }
    await using _running = createChores({ ...deps, chores: [failing, counting], interval: 5 }).start()
    await expect.poll(() => done).toBeGreaterThan(2)
    expect(deps.log.lines[0]).toMatchObject({ level: 'error', facts: { chore: 'failing' } })
  })

  it('do not run while they are paused', async () => {
    const deps = { ...parts(), isPaused: () => true }
    let done = 0
    const counting = { name: 'counting', run: async () => (done += 1) }
    const running = createChores({ ...deps, chores: [counting], interval: 5 }).start()
    await expect.poll(async () => (await deps.runs.list()).length).toBe(1)
    await running[Symbol.asyncDispose]()
    expect(done).toBe(0)
  })

  it('end when they are disposed of, and abort the one that is running', async () => {
    let isOver = false
    const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>()
    const chore = {
      name: 'long',
      run: async (signal: AbortSignal) => {
        begin(undefined)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        isOver = true
      },
    }
    const running = createChores({ ...parts(), chores: [chore] }).start()
    await begun
    await running[Symbol.asyncDispose]()
    expect(isOver).toBe(true)
  })
})

describe('after a jump of the clock, chores', () => {
  /** Starts chores several times, each so many days after the last. @returns whether they ran */
  async function runsAfter(deps: ReturnType<typeof parts>, ...days: number[]): Promise<boolean[]> {
    const outcomes: boolean[] = []
    for (const day of days) {
      deps.clock.move(day * DAY)
      let done = false
      const { promise: decided, resolve } = Promise.withResolvers<undefined>()
      const chore = { name: 'sweep', run: async () => (done = true) }
      const runs = {
        list: deps.runs.list,
        put: async (run: ChoreRun) => {
          await deps.runs.put(run)
          resolve(undefined)
        },
      }
      const running = createChores({ ...deps, runs, chores: [chore] }).start()
      await decided
      await new Promise((next) => setImmediate(next))
      await running[Symbol.asyncDispose]()
      outcomes.push(done)
    }
    return outcomes
  }

  it('do not run a year ahead, log that once, and run when the clock is right again', async () => {
    const deps = parts()
    expect(await runsAfter(deps, 0, 365, 1, -365)).toEqual([true, false, false, true])
    expect(deps.log.lines.map(({ message }) => message)).toEqual([expect.stringContaining('the clock has jumped')])
  })

  it('do not run before the time of the last run', async () => {
    expect(await runsAfter(parts(), 0, -2, 3)).toEqual([true, false, true])
  })

  it('run again after a pause of months, once the clock has gone on for three days', async () => {
    expect(await runsAfter(parts(), 0, 90, 1, 1, 1, 1)).toEqual([true, false, false, false, true, true])
  })

  it('leave the trash and its record alone through a restart', async () => {
    await using context = await testContext({ files: { a: '' }, store: 'json', settings: { trash: { days: 7 } } })
    const { services, clock } = context
    const admin = await context.actor('admin')
    await services.transfers.remove(admin, '/a', true)
    const once = async () => {
      const before = context.clock.now()
      const running = services.chores.start()
      await expect
        .poll(async () => await readFile(join(context.dataFolder, 'maintenance/last.json'), 'utf8').catch(() => ''))
        .toContain(String(before))
      await running[Symbol.asyncDispose]()
    }
    await once()
    clock.move(365 * DAY)
    await once()
    expect((await services.trash.list(admin)).map(({ path }) => path)).toEqual(['/a'])
  })
})
