import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { expect, it } from 'vitest'
import { stepBack } from '../../../../src/platform/processes/processes.ts'

it.each([
  [0, 7],
  [12, 12],
])('a process at %i is at %i after it stepped back to 7: without root it cannot come forward', async (at, after) => {
  const child = spawn('sleep', ['60'])
  await once(child, 'spawn')
  const id = child.pid ?? 0
  const before = Math.max(at, getPriority(id))
  setPriority(id, before)
  stepBack(id, 7)
  expect(getPriority(id)).toBe(Math.max(after, before))
  child.kill()
  await once(child, 'exit')
})

it('where the machine refuses, the work goes on', () => {
  expect(() => stepBack(2 ** 30, 7)).not.toThrow()
})
