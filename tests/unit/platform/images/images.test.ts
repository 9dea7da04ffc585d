import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { HeavyMemory } from '../../../../src/platform/limits/heavy-memory.ts'
import { ImageProcesses } from '../../../../src/platform/images/image-processes.ts'
import type { PictureTask } from '../../../../src/platform/images/image-messages.ts'
import type { PictureSource } from '../../../../src/platform/images/image-process.ts'
import { pngOfMeasures, quarters, inspectPicture, withExif } from '../../../helpers/samples/pictures.ts'

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
const THUMB: PictureTask = { frame: 'cover', side: 256, format: 'jpeg' }
const BIG: PictureTask = { frame: 'fit', side: 1080, format: 'same' }

function sourceOf(bytes: Uint8Array): PictureSource {
  return { size: bytes.length, send: async (destination) => await write(destination, bytes) }
}

async function write(destination: Writable, bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    destination.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

/** Never sends the last byte. */
function endless(bytes: Uint8Array): PictureSource {
  return { size: bytes.length, send: async (destination) => await write(destination, bytes.subarray(1)) }
}

async function make(images: ImageProcesses, bytes: Uint8Array, task = THUMB, signal?: AbortSignal) {
  return await images.make({ task, source: sourceOf(bytes), isHeavy: false, signal })
}

async function started(images: ImageProcesses): Promise<number> {
  for (;;) {
    const [pid] = images.pids
    if (pid !== undefined) return pid
    await pause(1)
  }
}

describe('the process that makes pictures', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'turns JPEG by its orientation %i, and TIFF by the given one, as browsers do',
    async (orientation) => {
      await using images = new ImageProcesses({ size: 1 })
      const upright = await quarters(400, 200).jpeg().toBuffer()
      const { bytes: expected } = await make(images, withExif(upright, orientation), { ...BIG, format: 'jpeg' })
      const tiff = await quarters(400, 200).tiff().toBuffer()
      const { bytes } = await make(images, tiff, { ...BIG, format: 'jpeg', orientation })
      expect(await inspectPicture(bytes)).toEqual(await inspectPicture(expected))
      const turned = await sharp(withExif(upright, orientation)).autoOrient().toBuffer()
      expect(await inspectPicture(expected)).toEqual(await inspectPicture(turned))
    },
  )

  it.each([
    ['jpeg', 'jpeg'],
    ['png', 'png'],
    ['webp', 'webp'],
    ['gif', 'gif'],
    ['tiff', 'tiff'],
  ] as const)('keeps the format of %s in big pictures, and does not enlarge them', async (format, kept) => {
    await using images = new ImageProcesses({ size: 1 })
    const source = await quarters(60, 40).toFormat(format).toBuffer()
    const picture = await make(images, source, BIG)
    expect(picture.format).toBe(kept)
    const corners = ['red', 'green', 'blue', 'yellow']
    expect(await inspectPicture(picture.bytes)).toEqual({ format: kept, width: 60, height: 40, corners })
    expect(await inspectPicture((await make(images, source)).bytes)).toMatchObject({ width: 256, height: 256, corners })
  })

  it.each([
    ['text', Buffer.from('no picture at all')],
    ['picture that is cut off', pngOfMeasures(10, 10)],
  ])('opens no %s', async (_kind, bytes) => {
    await using images = new ImageProcesses({ size: 1 })
    await expect(make(images, bytes)).rejects.toMatchObject({ code: 'UNSUPPORTED' })
  })

  it.each([
    ['SVG', SVG],
    ['SVG behind a declaration', Buffer.concat([Buffer.from('<?xml version="1.0"?>\n'), SVG])],
    ['packed SVG', gzipSync(SVG)],
    ['PDF', Buffer.from('%PDF-1.4\n%%EOF')],
    ['big TIFF', async () => await quarters(60, 40).tiff({ bigtiff: true }).toBuffer()],
    ['HEIF or AVIF', async () => await quarters(60, 40).avif().toBuffer()],
    ['PPM', Buffer.from('P6\n1 1\n255\nabc')],
    ['HDR', Buffer.from('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\nabcd')],
  ])(
    'GHSA-f88m-g3jw-g9cj, CVE-2025-29769, CVE-2023-4863: opens no %s, whose decoder could be exploited',
    async (_kind, of) => {
      await using images = new ImageProcesses({ size: 1 })
      const bytes = typeof of === 'function' ? await of() : of
      await expect(make(images, bytes)).rejects.toMatchObject({ code: 'UNSUPPORTED' })
      expect(images.pids).toHaveLength(1)
    },
  )

  it('refuses sides and areas beyond its limits before it decodes', async () => {
    await using images = new ImageProcesses({ size: 1 })
    for (const bytes of [pngOfMeasures(65_536, 10), pngOfMeasures(65_000, 65_000)])
      await expect(make(images, bytes)).rejects.toMatchObject({ code: 'TOO_LARGE' })
  })

  it('continues with a new process when one is killed at work', async () => {
    await using images = new ImageProcesses({ size: 1 })
    const bytes = await quarters(300, 300).jpeg().toBuffer()
    let turn = 0
    const source: PictureSource = {
      size: bytes.length,
      async send(destination) {
        turn += 1
        if (turn === 1) process.kill(await started(images), 'SIGKILL')
        else await write(destination, bytes)
      },
    }
    const picture = await images.make({ task: THUMB, source, isHeavy: false })
    expect([turn, picture.format]).toEqual([2, 'jpeg'])
  })

  it('continues with a new process when one is killed while it starts', async () => {
    await using images = new ImageProcesses({ size: 1 })
    const picture = make(images, await quarters(30, 30).jpeg().toBuffer())
    process.kill(await started(images), 'SIGKILL')
    expect((await picture).format).toBe('jpeg')
  })

  it('reports a picture as undecodable after it crashed two processes', async () => {
    await using images = new ImageProcesses({ size: 1 })
    const source: PictureSource = { size: 10, send: async () => void process.kill(await started(images), 'SIGSEGV') }
    await expect(images.make({ task: THUMB, source, isHeavy: false })).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    expect(await make(images, await quarters(9, 9).png().toBuffer())).toMatchObject({ format: 'jpeg' })
  })

  it('reports a lack of memory after the kernel killed two processes', async () => {
    await using images = new ImageProcesses({ size: 1 })
    const source: PictureSource = { size: 10, send: async () => void process.kill(await started(images), 'SIGKILL') }
    await expect(images.make({ task: THUMB, source, isHeavy: false })).rejects.toMatchObject({ code: 'BUSY' })
  })

  it('is what the kernel ends first when there is no memory left', async () => {
    await using images = new ImageProcesses({ size: 1 })
    await make(images, await quarters(30, 30).jpeg().toBuffer())
    expect(readFileSync(`/proc/${images.pids[0]}/oom_score_adj`, 'utf8')).toBe('1000\n')
  })

  it('is killed when a picture takes too long', async () => {
    await using images = new ImageProcesses({ size: 1, limits: { time: 300 } })
    const source = endless(Buffer.alloc(100))
    await expect(images.make({ task: THUMB, source, isHeavy: false })).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    expect(images.pids).toEqual([])
  })

  it('may wait longer than that for the processor', async () => {
    await using images = new ImageProcesses({ size: 1, limits: { time: 1000 } })
    const bytes = await quarters(9, 9).png().toBuffer()
    await make(images, bytes)
    const [pid = 0] = images.pids
    process.kill(pid, 'SIGSTOP')
    const waiting = make(images, bytes)
    await pause(2000)
    process.kill(pid, 'SIGCONT')
    expect(await waiting).toMatchObject({ format: 'jpeg' })
    expect(images.pids).toEqual([pid])
  })

  it('is killed when a picture takes too much memory', async () => {
    await using images = new ImageProcesses({ size: 1, limits: { memory: 1024 } })
    const source = endless(Buffer.alloc(100))
    await expect(images.make({ task: THUMB, source, isHeavy: false })).rejects.toMatchObject({ code: 'TOO_LARGE' })
  })

  it('is killed when nobody waits for its picture any more', async () => {
    await using images = new ImageProcesses({ size: 1, limits: { grace: 1 } })
    const abort = new AbortController()
    const source: PictureSource = { size: 10, send: async () => abort.abort() }
    const order = { task: THUMB, source, isHeavy: false, signal: abort.signal }
    await expect(images.make(order)).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(images.pids).toEqual([])
  })

  it('fails with the error of the source', async () => {
    await using images = new ImageProcesses({ size: 1 })
    const source: PictureSource = {
      size: 10,
      async send() {
        throw new Error('the disk failed')
      },
    }
    await expect(images.make({ task: THUMB, source, isHeavy: false })).rejects.toThrow('the disk failed')
  })

  it('runs at low priority and may not write files', async () => {
    await using images = new ImageProcesses({ size: 1 })
    await make(images, await quarters(9, 9).png().toBuffer())
    const pid = await started(images)
    expect(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[18]).toBe('10')
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8')
    expect(limits).toMatch(/^Max file size +0 /m)
    expect(limits).toMatch(/^Max data size +\d+ /m)
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('PATH=')
  })

  it('ends after a while without work', async () => {
    await using images = new ImageProcesses({ size: 1, idle: 1 })
    await make(images, await quarters(9, 9).png().toBuffer())
    while (images.pids.length > 0) await pause(1)
  })

  it('takes its memory while it lives, and ends for others who wait for it', async () => {
    const memory = new HeavyMemory({ max: 1024 })
    await using images = new ImageProcesses({ size: 1, memory })
    const bytes = await quarters(9, 9).png().toBuffer()
    await make(images, bytes)
    expect(memory.tryAcquire(1)).toBeUndefined()
    const permit = await memory.acquire(1024)
    expect(images.pids).toEqual([])
    const waiting = make(images, bytes)
    permit[Symbol.dispose]()
    await waiting
    const crashed = make(images, Buffer.from('no picture'))
    await expect(crashed).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    ;(await memory.acquire(1024))[Symbol.dispose]()
  })

  it('decodes one picture of many pixels at a time, and others beside it', async () => {
    await using images = new ImageProcesses({ size: 2 })
    const bytes = await quarters(20, 20).png().toBuffer()
    const gate = Promise.withResolvers<void>()
    const order: string[] = []
    const heavy = (name: string, wait: Promise<void>): PictureSource => ({
      size: bytes.length,
      async send(destination) {
        order.push(name)
        await wait
        await write(destination, bytes)
      },
    })
    const first = images.make({ task: THUMB, source: heavy('first', gate.promise), isHeavy: true })
    const second = images.make({ task: THUMB, source: heavy('second', Promise.resolve()), isHeavy: true })
    await make(images, bytes)
    expect(order).not.toContain('second')
    gate.resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'second'])
  })

  it('serves the owners of waiting pictures in turn', async () => {
    await using images = new ImageProcesses({ size: 1 })
    const bytes = await quarters(20, 20).png().toBuffer()
    const order: string[] = []
    const send = (name: string): PictureSource => ({
      size: bytes.length,
      async send(destination) {
        order.push(name)
        await write(destination, bytes)
      },
    })
    const ask = async (owner: string, name: string) =>
      await images.make({ task: THUMB, source: send(name), isHeavy: false, owner })
    await Promise.all([ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1')])
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  })
})
