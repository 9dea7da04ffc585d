import { open, stat } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { fail } from '../../../src/domain/errors.ts'
import { type Disk, nodeDisk } from '../../../src/storage/local/system/disk.ts'
import { receiveBody } from '../../../src/storage/local/write/receive-body.ts'
import { SampleBytes } from '../../helpers/samples/sample-bytes.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

afterEach(() => void vi.useRealTimers())

it('soon writes what a slow sender has sent, instead of keeping it in memory', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  await using folder = await tempFolder()
  await using file = await open(folder.at('slow'), 'w')
  const source = new PassThrough()
  const received = receiveBody(source, file.fd, nodeDisk, { requireRoom: async () => undefined })
  source.write('first, ')
  vi.advanceTimersByTime(1000)
  source.write('second, ')
  await expect.poll(async () => (await stat(folder.at('slow'))).size).toBe('first, second, '.length)
  source.end('last')
  expect(await received).toBe('first, second, last'.length)
})

it('stops before the disk is full, even if the length is unknown', async () => {
  await using folder = await tempFolder()
  await using file = await open(folder.at('endless'), 'w')
  const source = Readable.from(new SampleBytes(64 * 1024 * 1024).pieces(0))
  let room = 3
  const requireRoom = async () => {
    room -= 1
    if (room === 0) fail('NO_SPACE', 'full')
  }
  const received = receiveBody(source, file.fd, nodeDisk, { requireRoom })
  await expect(received).rejects.toMatchObject({ code: 'NO_SPACE' })
  expect((await file.stat()).size).toBeLessThan(32 * 1024 * 1024)
})

it('writes one batch at a time, and syncs a large body while more of it comes', async () => {
  await using folder = await tempFolder()
  await using file = await open(folder.at('large'), 'w')
  const length = 40 * 1024 * 1024
  let [writing, mostWriting] = [0, 0]
  const synced: number[] = []
  const write: Disk['write'] = async (...batch) => {
    writing += 1
    mostWriting = Math.max(mostWriting, writing)
    const count = await nodeDisk.write(...batch)
    writing -= 1
    return count
  }
  const source = Readable.from(new SampleBytes(length).pieces(0))
  const onSynced = (bytes: number) => void synced.push(bytes)
  const options = { requireRoom: async () => undefined, onSynced }
  expect(await receiveBody(source, file.fd, { ...nodeDisk, write }, options)).toBe(length)
  expect(mostWriting).toBe(1)
  expect(synced.length).toBeGreaterThan(0)
  expect(synced).toEqual(synced.toSorted((a, b) => a - b))
})

it('keeps a body that has arrived whole, even if it is aborted before all is written', async () => {
  await using folder = await tempFolder()
  await using file = await open(folder.at('whole'), 'w')
  const stop = new AbortController()
  const write: Disk['write'] = async (...batch) => {
    stop.abort()
    return await nodeDisk.write(...batch)
  }
  const source = Readable.from([Buffer.from('whole')])
  const options = { requireRoom: async () => undefined, signal: stop.signal }
  expect(await receiveBody(source, file.fd, { ...nodeDisk, write }, options)).toBe(5)
})

it('frees the memory of a request at once, but no memory that it shares with others', async () => {
  await using folder = await tempFolder()
  await using file = await open(folder.at('freed'), 'w')
  const request = new IncomingMessage(new Socket())
  const [own, shared] = [Buffer.from(new ArrayBuffer(300_000)), Buffer.alloc(300_000)]
  for (const chunk of [own, shared.subarray(1), null]) request.push(chunk)
  expect(await receiveBody(request, file.fd, nodeDisk, { requireRoom: async () => undefined })).toBe(599_999)
  expect([own.length, shared.length]).toEqual([0, 300_000])
})
