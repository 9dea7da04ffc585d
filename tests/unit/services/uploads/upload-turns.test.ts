import { describe, expect, it } from 'vitest'
import { UploadTurns } from '../../../../src/services/uploads/open-uploads.ts'

/** What is done by now: all that was ready to go on has gone on. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve))

describe('turns at an upload', () => {
  it('are had at once where nobody works', async () => {
    const turns = new UploadTurns()
    using turn = await turns.take('a', 'because')
    expect(turn.signal.aborted).toBe(false)
    expect(turns.isBusy('a')).toBe(true)
  })

  it('stop the running request with the reason of the new one, and wait for it to let go', async () => {
    const turns = new UploadTurns()
    const first = await turns.take('a', undefined)
    let hasTurn = false
    const second = turns.take('a', 'somebody else').then((turn) => {
      hasTurn = true
      return turn
    })
    await settled()
    expect([first.signal.aborted, first.signal.reason, hasTurn]).toEqual([true, 'somebody else', false])
    first[Symbol.dispose]()
    using turn = await second
    expect(turn.signal.aborted).toBe(false)
  })

  it('come one after the other, however many ask', async () => {
    const turns = new UploadTurns()
    const working: number[] = []
    let most = 0
    const work = async (index: number) => {
      using _turn = await turns.take('a', index)
      working.push(index)
      most = Math.max(most, working.length)
      await settled()
      working.splice(working.indexOf(index), 1)
    }
    await Promise.all(Array.from({ length: 50 }, async (_, index) => await work(index)))
    expect(most).toBe(1)
    expect(turns.isBusy('a')).toBe(false)
  })

  it('of other uploads are not waited for', async () => {
    const turns = new UploadTurns()
    using first = await turns.take('a', undefined)
    using _second = await turns.take('b', undefined)
    expect(first.signal.aborted).toBe(false)
  })

  it('leave nothing behind when the one who waits comes after the one who works has gone', async () => {
    const turns = new UploadTurns()
    const first = await turns.take('a', undefined)
    const waiting = turns.take('a', undefined)
    first[Symbol.dispose]()
    expect(turns.isBusy('a')).toBe(true)
    const second = await waiting
    second[Symbol.dispose]()
    expect(turns.isBusy('a')).toBe(false)
  })
})
