import { describe, expect, it } from 'vitest'
import { OutputLines } from '../../../src/services/terminal.ts'
import { movableClock } from '../../helpers/movable-clock.ts'

const MIBIBYTE = 1024 * 1024

/** Lines with a clock that moves on only when somebody waits. */
function lines() {
  const clock = movableClock(0)
  const sent: string[] = []
  const output = new OutputLines({
    send: async (line) => void sent.push(line),
    now: () => clock.now(),
    pause: async (milliseconds) => clock.move(milliseconds),
  })
  const take = async (...parts: (string | Uint8Array)[]) => {
    for (const part of parts) await output.write(Buffer.from(part))
  }
  return { clock, sent, output, take }
}

describe('the output of a command', () => {
  it('goes out line by line, without what ends them, and the rest at the end', async () => {
    const { output, take, sent } = lines()
    await take('a', 'b\nc\r\n', '\n', 'd')
    expect(sent).toEqual(['ab', 'c', ''])
    await output.end()
    expect(sent).toEqual(['ab', 'c', '', 'd'])
  })

  it('keeps characters whole whose bytes come apart, and marks those that never come', async () => {
    const { output, take, sent } = lines()
    const bytes = Buffer.from('né…\n')
    await take(...[...bytes].map((byte) => Buffer.of(byte)), Buffer.of(0xe2, 0x82))
    await output.end()
    expect(sent).toEqual(['né…', '�'])
  })

  it('goes in pieces where a line has no end, and no character is cut in two', async () => {
    const { output, take, sent } = lines()
    const longest = 64 * 1024
    await take(`${'x'.repeat(longest - 1)}😀${'y'.repeat(longest)}`)
    await output.end()
    expect(sent.every((line) => line.isWellFormed() && line.length <= longest)).toBe(true)
    expect([sent.join('').length, sent.length]).toEqual([2 * longest + 1, 3])
  })

  it('is let through at 1 MiB a second, after a first one at once', async () => {
    const { clock, take } = lines()
    const part = new Uint8Array(64 * 1024)
    const mebibytes = async (count: number) => {
      for (let i = 0; i < count * 16; i += 1) await take(part)
    }
    await mebibytes(1)
    expect(clock.now()).toBe(0)
    await mebibytes(9)
    expect(clock.now()).toBe(9000)
  })

  it('saves up no more than a second of it while it is silent', async () => {
    const { clock, take } = lines()
    await take(new Uint8Array(MIBIBYTE))
    clock.move(3_600_000)
    await take(new Uint8Array(2 * MIBIBYTE))
    expect(clock.now()).toBe(3_601_000)
  })
})
