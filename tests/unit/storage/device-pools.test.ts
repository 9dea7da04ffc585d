import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DiskWait } from '../../../src/platform/limits/disk-wait.ts'
import { DevicePools } from '../../../src/storage/local/system/device-pools.ts'
import { close, open } from '../../../src/storage/local/system/gated-calls.ts'
import { errorLike } from '../../helpers/unit/error-like.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const entry = new URL('../platform/workers/worker-pool-jobs.ts', import.meta.url)
const SIZE = 2
/** In addition to the threads that work. */
const MAX_STUCK = 2

it('threads that are stuck in a call to one device are replaced a few times, and other devices are not affected', async () => {
  await using folder = await tempFolder()
  const pipe = folder.at('pipe')
  execFileSync('mkfifo', [pipe])
  await using dead = await held(folder.path)
  await using good = await held('/proc')
  await using pools = new DevicePools({ entry, size: SIZE, heap: 32, timeout: 2000 })
  const run = async (device: { readonly fd: number }, kind: string, input: unknown): Promise<unknown> => {
    const job = pools.on(device).run(kind, input)
    return await new DiskWait().run(async () => (await job.next()).value)
  }
  const ask = async (device: { readonly fd: number }) => await run(device, 'answer', 'answered')
  const stall = async () => await expect(run(dead, 'openPipe', pipe)).rejects.toThrow(errorLike('BUSY'))

  const stalled = Array.from({ length: SIZE }, stall)
  expect(await ask(good)).toBe('answered')
  await Promise.all(stalled)
  expect(await ask(dead)).toBe('answered')

  await Promise.all(Array.from({ length: MAX_STUCK }, stall))
  await expect(ask(dead)).rejects.toThrow(errorLike('BUSY'))
  expect(await ask(good)).toBe('answered')

  // The disk answers again.
  closeSync(openSync(pipe, constants.O_RDWR))
  await expect.poll(async () => await ask(dead).catch(() => undefined)).toBe('answered')
})

/** Opens with a call that records the device: another file may have had the number of this descriptor before. */
async function held(path: string): Promise<{ readonly fd: number } & AsyncDisposable> {
  const fd = await open(path, constants.O_RDONLY)
  return { fd, [Symbol.asyncDispose]: async () => await close(fd) }
}
