import { readdirSync, readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { pngOfMeasures } from '../helpers/samples/pictures.ts'
import { isLong } from '../helpers/stress-size.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const MEBIBYTE = 1024 * 1024
const GOOD = isLong ? 180 : 80
const MAX_GROWTH = 600 * MEBIBYTE
/** In milliseconds. */
const MAX_WAIT = 200

/** Twenty files that try to eat memory or time, or to bring the decoder down. */
async function bombs(): Promise<Record<string, Uint8Array>> {
  const wide = { create: { width: 9999, height: 9999, channels: 3, background: 'red' } } as const
  const photo = await sharp({ ...wide, create: { ...wide.create, width: 800, height: 600 } })
    .jpeg()
    .toBuffer()
  const flat = await sharp(wide).png().toBuffer()
  const progressive = await sharp(wide).jpeg({ progressive: true }).toBuffer()
  const each = [
    flat,
    await sharp(wide).jpeg().toBuffer(),
    progressive,
    pngOfMeasures(50_000, 50_000),
    pngOfMeasures(9999, 9999),
    photo.subarray(0, photo.length / 2),
    Buffer.concat([photo.subarray(0, 300), Buffer.alloc(5 * MEBIBYTE, 0x5a)]),
    deflatedTiff(4000, 4000, 700 * MEBIBYTE),
    bitmapHeader(10_000, 10_000),
    Buffer.concat([Buffer.from('GIF89a\x0f\x27\x0f\x27\x80\0\0', 'latin1'), Buffer.alloc(100)]),
  ]
  const endings = ['png', 'jpg', 'jpg', 'png', 'png', 'jpg', 'jpg', 'tif', 'bmp', 'png']
  return Object.fromEntries(
    [...each, ...each].map((bytes, index) => [
      `bomb-${index}.${endings[index % each.length]}`,
      Buffer.concat([bytes, Buffer.from([index])]),
    ]),
  )
}

/** A TIFF that claims these dimensions, and unpacks to this many bytes. */
function deflatedTiff(width: number, height: number, unpacked: number): Buffer {
  const data = deflateSync(Buffer.alloc(unpacked), { level: 1 })
  const entries = [
    [0x100, 4, width],
    [0x101, 4, height],
    [0x102, 3, 8],
    [0x103, 3, 8],
    [0x106, 3, 1],
    [0x111, 4, 8],
    [0x115, 3, 1],
    [0x116, 4, height],
    [0x117, 4, data.length],
  ]
  const head = Buffer.alloc(8)
  head.write('II*')
  head.writeUInt32LE(8 + data.length, 4)
  const directory = Buffer.alloc(2 + entries.length * 12 + 4)
  directory.writeUInt16LE(entries.length)
  entries.forEach(([tag = 0, type = 0, value = 0], index) => {
    directory.writeUInt16LE(tag, 2 + index * 12)
    directory.writeUInt16LE(type, 4 + index * 12)
    directory.writeUInt32LE(1, 6 + index * 12)
    directory.writeUInt32LE(value, 10 + index * 12)
  })
  return Buffer.concat([head, data, directory])
}

function bitmapHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(54)
  header.write('BM')
  header.writeUInt32LE(54, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(width, 18)
  header.writeInt32LE(height, 22)
  header.writeUInt16LE(24, 28)
  return header
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => new RegExp(`^PPid:\\s+${pid}$`, 'm').test(read(`/proc/${name}/status`)))
    .map(Number)
}

/** Resident memory of a process and its children, in bytes. */
function memoryOf(pid: number): number {
  const pages = [pid, ...childrenOf(pid)].map((one) => Number(read(`/proc/${one}/statm`).split(' ')[1] ?? 0))
  return pages.reduce((sum, count) => sum + count, 0) * 4096
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Probes the daemon. @returns a function that stops it and gives the 99th percentile in milliseconds */
function probe(daemon: TestDaemon): () => Promise<number> {
  const abort = new AbortController()
  const times: number[] = []
  const running = (async () => {
    while (!abort.signal.aborted) {
      const start = performance.now()
      await (await fetch(`${daemon.url}health`)).text()
      times.push(performance.now() - start)
      await pause(10)
    }
  })()
  return async () => {
    abort.abort()
    await running
    return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0
  }
}

it(`${GOOD} previews and 20 bombs leave the daemon fast and small, even if a worker is killed`, async () => {
  const files: Record<string, Uint8Array> = await bombs()
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  const create = { width: 1600, height: 1200, channels: 3, background: 'red', noise } as const
  const photo = await sharp({ create }).jpeg().toBuffer()
  for (let index = 0; index < GOOD; index += 1) files[`photo-${index}.jpg`] = photo
  await using data = await tempFolder()
  await using daemon = await startTestDaemon({ files, args: ['--cache-dir', data.at('cache')] })
  const idle = probe(daemon)
  await pause(500)
  // The machine may be busy with something else, too.
  const maxWait = Math.max(MAX_WAIT, (await idle()) * 3)
  const before = memoryOf(daemon.pid)
  let most = before
  const watch = setInterval(() => (most = Math.max(most, memoryOf(daemon.pid))), 20)
  const stop = probe(daemon)

  const waiting = Object.keys(files).toSorted((one, other) => one.slice(-7).localeCompare(other.slice(-7)))
  const statuses = new Map<string, number>()
  const clients = Array.from({ length: 16 }, async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const answer = await daemon.fetch(`api/preview/thumb/${name}`)
      await answer.bytes()
      statuses.set(name, answer.status)
      const [victim] = statuses.size === 60 ? childrenOf(daemon.pid) : []
      if (victim !== undefined) process.kill(victim, 'SIGKILL')
    }
  })
  await Promise.all(clients)
  clearInterval(watch)
  const slowest = await stop()

  const photos = [...statuses].filter(([name]) => name.startsWith('photo'))
  expect(photos.filter(([, status]) => status !== 200)).toEqual([])
  expect(photos).toHaveLength(GOOD)
  expect([...statuses].filter(([, status]) => ![200, 413, 415].includes(status))).toEqual([])
  expect(most - before).toBeLessThan(MAX_GROWTH)
  expect(slowest).toBeLessThan(maxWait)
})
