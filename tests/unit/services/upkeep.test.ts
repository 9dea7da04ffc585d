import { describe, expect, it } from 'vitest'
import { createUpkeep } from '../../../src/services/upkeep.ts'
import { recordingLog } from '../../helpers/recording-log.ts'

describe('the upkeep', () => {
  it('does all chores at once and again, also after one has failed', async () => {
    const log = recordingLog()
    let done = 0
    const failing = { name: 'failing', run: async () => await Promise.reject(new Error('broken')) }
    const counting = { name: 'counting', run: async () => (done += 1) }
    await using _running = createUpkeep({ chores: [failing, counting], log, interval: 5 }).start()
    await expect.poll(() => done).toBeGreaterThan(2)
    expect(log.lines[0]).toMatchObject({ level: 'error', facts: { chore: 'failing' } })
  })

  it('ends when it is disposed of, with what is under way', async () => {
    let isOver = false
    const chore = {
      name: 'long',
      run: async (signal: AbortSignal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        isOver = true
      },
    }
    const running = createUpkeep({ chores: [chore], log: recordingLog() }).start()
    await running[Symbol.asyncDispose]()
    expect(isOver).toBe(true)
  })
})
