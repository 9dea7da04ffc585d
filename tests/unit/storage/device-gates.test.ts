import { stat } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { DiskWait } from '../../../src/platform/limits/disk-wait.ts'
import { DeviceGates } from '../../../src/storage/local/system/device-gates.ts'

const TIMEOUT = vi.hoisted(() => 1000)

vi.mock('../../../src/platform/limits/disk-wait.ts', async (original) => ({
  ...(await original<object>()),
  DISK_TIMEOUT: TIMEOUT,
}))

/** As if the process had been frozen. */
function blockEventLoop(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

it('a disk is not stalled because the process was', async () => {
  const gates = new DeviceGates(4)
  const call = new DiskWait().run(async () => await gates.run('disk', 'short', async () => await stat('/')))
  blockEventLoop(3 * TIMEOUT)
  expect((await call).isDirectory()).toBe(true)
})

it('a call that takes too long fails', async () => {
  const gates = new DeviceGates(4)
  const { promise, resolve } = Promise.withResolvers<void>()
  const call = new DiskWait().run(async () => await gates.run('disk', 'short', async () => await promise))
  await expect(call).rejects.toMatchObject({ code: 'BUSY' })
  resolve()
})
