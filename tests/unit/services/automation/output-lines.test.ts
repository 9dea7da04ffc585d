import { describe, expect, it } from 'vitest'
import { OutputLines } from '../../../../src/services/automation/terminal.ts'
import { movableClock } from '../../../helpers/movable-clock.ts'

const MIBIBYTE = 1024 * 1024

/** Output lines with a clock that moves only while they pause. */
function lines() {
  const clock = movableClock(0)
  const sent: string[] = []
  const output = new OutputLines({
    send: async (line) => void sent.push(line),
    now: () => clock.now(),
    pause: async (milliseconds) => clock.move(milliseconds),
  })
  const write = async (...parts: (string | Uint8Array)[]) => {
    for (const part of parts) await output.write(Buffer.from(part))
  }
  return { clock, sent, output, write }
}

describe('the output of a command', () => {
  it('is sent line by line, without line ends, and the rest at the end', async () => {
    const { output, write, sent } = lines()
    await write('a', 'b\nc\r\n', '\n', 'd')
    expect(sent).toEqual(['ab', 'c', ''])
    await output.end()
    expect(sent).toEqual(['ab', 'c', '', 'd'])
  })

  it('keeps characters whole whose bytes arrive separately, and replaces incomplete ones', async () => {
    const { output, write, sent } = lines()
    const bytes = Buffer.from('né…\n')
    await write(...[...bytes].map((byte) => Buffer.of(byte)), Buffer.of(0xe2, 0x82))
    await output.end()
    expect(sent).toEqual(['né…', '�'])
  })

  it('is sent in pieces where a line has no end, without cutting a character in two', async () => {
    const { output, write, sent } = lines()
    const longest = 64 * 1024
    await write(`${'x'.repeat(longest - 1)}😀${'y'.repeat(longest)}`)
    await output.end()
    expect(sent.every((line) => line.isWellFormed() && line.length <= longest)).toBe(true)
    expect([sent.join('').length, sent.length]).toEqual([2 * longest + 1, 3])
  })

  it('is limited to 1 MiB a second, after a first MiB at once', async () => {
    const { clock, write } = lines()
    const part = new Uint8Array(64 * 1024)
    const mebibytes = async (count: number) => {
      for (let i = 0; i < count * 16; i += 1) await write(part)
    }
    await mebibytes(1)
    expect(clock.now()).toBe(0)
    await mebibytes(9)
    expect(clock.now()).toBe(9000)
  })

  it('saves up no more than that MiB while it is silent', async () => {
    const { clock, write } = lines()
    await write(new Uint8Array(MIBIBYTE))
    clock.move(3_600_000)
    await write(new Uint8Array(2 * MIBIBYTE))
    expect(clock.now()).toBe(3_601_000)
  })
})
