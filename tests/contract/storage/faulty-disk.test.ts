import { fstatSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { nodeDisk, type Disk } from '../../../src/storage/local/system/disk.ts'
import { SampleBytes } from '../../helpers/samples/sample-bytes.ts'
import { LocalWorld } from './local-world.ts'
import { codeOf, NEW, path, REPLACE } from './view.ts'

/** Enough that the storage syncs several times while it receives it. */
const LENGTH = 40 * 1024 * 1024
const WHOLE = Buffer.concat([...new SampleBytes(LENGTH).pieces(0)])

/** A disk on which one call fails. Bytes that were not synced before are lost, as the system drops what it could not write. */
class FaultyDisk implements Disk {
  #remaining: number
  readonly #call: 'write' | 'sync'
  readonly #code: string
  #durable = 0
  syncData = this.sync.bind(this)

  constructor(code: string, call: 'write' | 'sync', count: number) {
    this.#code = code
    this.#call = call
    this.#remaining = count
  }

  async write(fd: number, buffers: readonly Buffer[], position: number): Promise<number> {
    if (this.#isDue('write')) this.#fail(fd)
    return await nodeDisk.write(fd, buffers, position)
  }

  async sync(fd: number): Promise<void> {
    if (this.#isDue('sync')) this.#fail(fd)
    // A write that fails during this sync does not make these bytes less durable.
    this.#durable = fstatSync(fd).size
    await nodeDisk.sync(fd)
  }

  #isDue(call: string): boolean {
    return call === this.#call && --this.#remaining === 0
  }

  #fail(fd: number): never {
    const lost = fstatSync(fd).size - this.#durable
    if (lost > 0) writeSync(fd, Buffer.alloc(lost), 0, lost, this.#durable)
    throw Object.assign(new Error(`${this.#code}: fault`), { code: this.#code })
  }
}

const FAULTS = [
  ['EIO', 'write', 1],
  ['EIO', 'write', 6],
  ['EIO', 'sync', 1],
  ['EIO', 'sync', 2],
  ['ENOSPC', 'write', 6],
  ['ENOSPC', 'sync', 2],
] as const
const CODES = { EIO: 'UNAVAILABLE', ENOSPC: 'NO_SPACE' } as const

async function* bodyFrom(start: number): AsyncGenerator<Buffer> {
  for (const piece of new SampleBytes(LENGTH).pieces(start)) yield piece
}

describe('a disk that fails', () => {
  it.each(FAULTS)(
    'with %s at a %s (%i): an upload continues after the bytes that are safely on the disk',
    async (...fault) => {
      await using world = await LocalWorld.open('inside', { disk: new FaultyDisk(...fault) })
      const { staging } = world.scope
      const [target, name, mode] = [path('/a.bin'), staging.newName(), { ...NEW, length: LENGTH }]
      await staging.create(target, name, mode)
      const part = { offset: 0, length: LENGTH }
      expect(await codeOf(staging.append(target, name, Readable.from(bodyFrom(0)), part))).toBe(CODES[fault[0]])
      const { size: offset } = await staging.state(target, name)
      await staging.append(target, name, Readable.from(bodyFrom(offset)), { offset, length: LENGTH })
      await staging.commit(target, name, mode)
      expect(readFileSync(join(world.root, 'a.bin')).equals(WHOLE)).toBe(true)
    },
  )

  it.each(FAULTS)('with %s at a %s (%i): a file that was to be replaced keeps its old content', async (...fault) => {
    await using world = await LocalWorld.open('inside', { disk: new FaultyDisk(...fault) })
    writeFileSync(join(world.root, 'a.bin'), 'old')
    expect(await codeOf(world.scope.write(path('/a.bin'), Readable.from(bodyFrom(0)), REPLACE))).toBe(CODES[fault[0]])
    expect(readFileSync(join(world.root, 'a.bin'), 'utf8')).toBe('old')
    expect(readdirSync(world.root)).toEqual(['a.bin'])
  })
})
