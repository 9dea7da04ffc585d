import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { expect, it } from 'vitest'
import { lowerPriority } from '../../../../src/platform/processes/processes.ts'

it.each([
  [0, 7],
  [12, 12],
])(
  'a process at niceness %i has niceness %i after a change to 7: only root can raise a priority',
  async (at, after) => {
    const child = spawn('sleep', ['60'])
    await once(child, 'spawn')
    const id = child.pid ?? 0
    const before = Math.max(at, getPriority(id))
    setPriority(id, before)
    lowerPriority(id, 7)
    expect(getPriority(id)).toBe(Math.max(after, before))
    child.kill()
    await once(child, 'exit')
  },
)

it('errors of the system are ignored', () => {
  expect(() => lowerPriority(2 ** 30, 7)).not.toThrow()
})
