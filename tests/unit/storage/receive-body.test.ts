import { open, stat } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { receiveBody } from '../../../src/storage/local/receive-body.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

afterEach(() => void vi.useRealTimers())

it('does not keep in memory for long what a slow sender has sent', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await using folder = await tempFolder()
  await using file = await open(folder.at('slow'), 'w')
  const source = new PassThrough()
  const received = receiveBody(source, file.fd, { onChunk: () => undefined })
  source.write('first, ')
  vi.advanceTimersByTime(1000)
  source.write('second, ')
  await expect.poll(async () => (await stat(folder.at('slow'))).size).toBe('first, second, '.length)
  source.end('last')
  expect(await received).toBe('first, second, last'.length)
})
