import { open, stat } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { fail } from '../../../src/domain/errors.ts'
import { nodeDisk } from '../../../src/storage/local/system/disk.ts'
import { receiveBody } from '../../../src/storage/local/write/receive-body.ts'
import { SampleBytes } from '../../helpers/samples/sample-bytes.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

afterEach(() => void vi.useRealTimers())

it('does not keep in memory for long what a slow sender has sent', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await using folder = await tempFolder()
  await using file = await open(folder.at('slow'), 'w')
  const source = new PassThrough()
  const received = receiveBody(source, file.fd, {
    onChunk: () => undefined,
    requireRoom: async () => undefined,
    disk: nodeDisk,
  })
  source.write('first, ')
  vi.advanceTimersByTime(1000)
  source.write('second, ')
  await expect.poll(async () => (await stat(folder.at('slow'))).size).toBe('first, second, '.length)
  source.end('last')
  expect(await received).toBe('first, second, last'.length)
})

it('stops before the disk is full, also when nobody said how much comes', async () => {
  await using folder = await tempFolder()
  await using file = await open(folder.at('endless'), 'w')
  const source = Readable.from(new SampleBytes(64 * 1024 * 1024).pieces(0))
  let room = 3
  const requireRoom = async () => {
    room -= 1
    if (room === 0) fail('NO_SPACE', 'full')
  }
  const received = receiveBody(source, file.fd, { onChunk: () => undefined, requireRoom, disk: nodeDisk })
  await expect(received).rejects.toMatchObject({ code: 'NO_SPACE' })
  expect((await file.stat()).size).toBeLessThan(32 * 1024 * 1024)
})
