import { rm } from 'node:fs/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { DaemonClaim, readDaemon } from '../../../src/context/daemon-record.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

it('a beat that the disk refuses ends nothing, and a later one writes the record again', async () => {
  await using folder = await tempFolder({ 'data/': '' })
  const data = folder.at('data')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await using _claim = await DaemonClaim.take(data, '1.2.3')
  await rm(data, { recursive: true })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await readDaemon(data)).toBeUndefined()
  await folder.fill({ 'data/': '' })
  await vi.advanceTimersByTimeAsync(10_000)
  await expect.poll(async () => (await readDaemon(data))?.version).toBe('1.2.3')
})
