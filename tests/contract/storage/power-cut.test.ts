import { fstatSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { nodeDisk, type Disk } from '../../../src/storage/local/system/disk.ts'
import { SampleBytes } from '../../helpers/samples/sample-bytes.ts'
import { LocalWorld } from './local-world.ts'
import { codeOf, NEW, path } from './view.ts'

const PART = 100_000
const LENGTH = 4 * PART
const WHOLE = Buffer.concat([...new SampleBytes(LENGTH).pieces(0)])

/** A disk that keeps only what was synced when the power fails, and whose n-th sync fails. */
class ForgetfulDisk implements Disk {
  readonly #faultAt: number
  readonly #durable = new Map<number, number>()
  #syncs = 0
  write = nodeDisk.write.bind(nodeDisk)
  syncData = this.sync.bind(this)

  constructor(faultAt: number) {
    this.#faultAt = faultAt
  }

  get hadFault(): boolean {
    return this.#syncs >= this.#faultAt
  }

  async sync(fd: number): Promise<void> {
    this.#syncs += 1
    if (this.#syncs === this.#faultAt) throw Object.assign(new Error('EIO: fault'), { code: 'EIO' })
    const { ino, size } = fstatSync(fd)
    this.#durable.set(ino, size)
    await nodeDisk.sync(fd)
  }

  cutPower(folder: string): void {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name)
      const { ino, size } = statSync(file)
      const durable = this.#durable.get(ino) ?? 0
      if (size > durable) truncateSync(file, durable)
    }
  }
}

const bytesFrom = (start: number, end: number) => Readable.from([WHOLE.subarray(start, end)])

describe('when the power fails after each part', () => {
  it.each([Infinity, 1, 2, 3, 4, 5])(
    'no part that was acknowledged is lost, also if sync %d fails',
    async (faultAt) => {
      const disk = new ForgetfulDisk(faultAt)
      await using world = await LocalWorld.open('inside', { disk })
      const { staging } = world.scope
      const [target, name, mode] = [path('/a.bin'), staging.newName(), { ...NEW, length: LENGTH }]
      await staging.create(target, name, mode)
      let acknowledged = 0
      while (acknowledged < LENGTH) {
        const { size: offset } = await staging.state(target, name)
        const part = { offset, length: LENGTH }
        const sent = staging.append(target, name, bytesFrom(offset, Math.min(LENGTH, offset + PART)), part)
        acknowledged = await sent.catch(() => acknowledged)
        disk.cutPower(world.root)
        const { size: kept } = await staging.state(target, name)
        expect(kept).toBeGreaterThanOrEqual(acknowledged)
        expect(readFileSync(join(world.root, name)).equals(WHOLE.subarray(0, kept))).toBe(true)
      }
      const isFaultLeft = faultAt !== Infinity && !disk.hadFault
      expect(await codeOf(staging.commit(target, name, mode))).toBe(isFaultLeft ? 'UNAVAILABLE' : 'no error')
      if (isFaultLeft) await staging.commit(target, name, mode)
      disk.cutPower(world.root)
      expect(readFileSync(join(world.root, 'a.bin')).equals(WHOLE)).toBe(true)
    },
  )

  it('a file that was saved in one piece is whole', async () => {
    const disk = new ForgetfulDisk(Infinity)
    await using world = await LocalWorld.open('inside', { disk })
    await world.scope.write(path('/a.bin'), bytesFrom(0, LENGTH), NEW)
    disk.cutPower(world.root)
    expect(readFileSync(join(world.root, 'a.bin')).equals(WHOLE)).toBe(true)
  })
})
