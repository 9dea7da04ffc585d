import { chmod, mkdir, readdir, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DiskCache } from '../../../../src/platform/cache/disk-cache.ts'
import { memoryCache } from '../../../../src/platform/cache/byte-cache.ts'
import { systemRandom } from '../../../../src/platform/security/random.ts'
import { tempFolder } from '../../../helpers/temp-folder.ts'

const clock = { now: () => Date.now() }
const key = (group: string, name: string) => ({ group: group.repeat(32), name: name.repeat(32) })
const bytes = (length: number) => Buffer.alloc(length, 7)

function onDisk(folder: string, limit = 1_000_000): DiskCache {
  return new DiskCache({ folder: join(folder, 'cache'), limit, clock, random: systemRandom })
}

async function files(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'cache'), { recursive: true, withFileTypes: true })
  return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

describe.each(['disk', 'memory'])('a cache in %s', (kind) => {
  const open = (folder: string, limit?: number) => (kind === 'disk' ? onDisk(folder, limit) : memoryCache(limit ?? 1e6))

  it('returns what was put, by both parts of the key', async () => {
    await using folder = await tempFolder()
    const cache = open(folder.path)
    expect(await cache.get(key('a', '1'))).toBeUndefined()
    await cache.put(key('a', '1'), Buffer.from('one'))
    await cache.put(key('a', '2'), bytes(100_000))
    await cache.put(key('a', '1'), Buffer.from('uno'))
    expect(Buffer.from((await cache.get(key('a', '1'))) ?? []).toString()).toBe('uno')
    expect((await cache.get(key('a', '2')))?.length).toBe(100_000)
    expect(await cache.get(key('b', '1'))).toBeUndefined()
  })

  it('forgets one group, and everything', async () => {
    await using folder = await tempFolder()
    const cache = open(folder.path)
    for (const group of ['a', 'b']) for (const name of ['1', '2']) await cache.put(key(group, name), bytes(10))
    await cache.drop(new Set([key('a', '').group]))
    expect(await cache.get(key('a', '2'))).toBeUndefined()
    expect(await cache.get(key('b', '2'))).toBeDefined()
    expect((await cache.size()).entries).toBe(2)
    expect((await cache.clear()).entries).toBe(2)
    expect(await cache.size()).toEqual({ entries: 0, bytes: 0 })
  })

  it('stays below its limit', async () => {
    await using folder = await tempFolder()
    const cache = open(folder.path, 1000)
    for (const name of '123456789abcdef') await cache.put(key('a', name), bytes(200))
    expect((await cache.size()).bytes).toBeLessThanOrEqual(1000)
    expect(await cache.get(key('a', 'f'))).toBeDefined()
  })
})

describe('a cache on the disk', () => {
  it('stays below its limit when many entries are put at the same time', async () => {
    await using folder = await tempFolder()
    const cache = onDisk(folder.path, 1000)
    await Promise.all(Array.from('123456789abcdef').map(async (name) => await cache.put(key('a', name), bytes(200))))
    expect((await cache.size()).bytes).toBeLessThanOrEqual(1000)
  })

  it('removes the least recently used first', async () => {
    await using folder = await tempFolder()
    const cache = onDisk(folder.path, 1000)
    for (const name of '1234') await cache.put(key('a', name), bytes(200))
    const long = new Date('2020-01-01')
    for (const path of await files(folder.path)) await utimes(path, long, long)
    await cache.get(key('a', '1'))
    await cache.put(key('a', '5'), bytes(200))
    expect(await cache.get(key('a', '1'))).toBeDefined()
    expect(await cache.get(key('a', '5'))).toBeDefined()
    expect((await cache.size()).entries).toBe(4)
  })

  it.each([
    ['cut off', async (path: string) => await truncate(path, 50)],
    ['empty', async (path: string) => await truncate(path, 0)],
    ['changed', async (path: string) => await writeFile(path, Buffer.alloc(108, 1))],
  ])('ignores a file that is %s', async (_damage, spoil) => {
    await using folder = await tempFolder()
    const cache = onDisk(folder.path)
    await cache.put(key('a', '1'), bytes(100))
    await spoil((await files(folder.path))[0] ?? '')
    expect(await cache.get(key('a', '1'))).toBeUndefined()
  })

  it('survives that another process clears it, and counts existing files when it starts', async () => {
    await using folder = await tempFolder()
    const [one, other] = [onDisk(folder.path, 1000), onDisk(folder.path, 1000)]
    await one.put(key('a', '1'), bytes(600))
    await other.clear()
    expect(await one.get(key('a', '1'))).toBeUndefined()
    await one.put(key('a', '2'), bytes(600))
    const third = onDisk(folder.path, 1000)
    await third.put(key('a', '3'), bytes(100))
    await third.put(key('a', '4'), bytes(600))
    expect((await one.size()).bytes).toBeLessThanOrEqual(1000)
  })

  it('counts a folder again after a change, even by another process', async () => {
    await using folder = await tempFolder()
    const [one, other] = [onDisk(folder.path), onDisk(folder.path)]
    const settle = async () => {
      const path = join(folder.path, 'cache', 'aa')
      await utimes(path, new Date(), new Date(Date.now() - 60_000))
    }
    await one.put(key('a', '1'), bytes(100))
    await settle()
    const size = await one.size()
    expect(size).toEqual({ entries: 1, bytes: 108 })
    const [path = ''] = await files(folder.path)
    await truncate(path, 8)
    expect(await one.size()).toEqual(size)
    await other.put(key('a', '2'), bytes(100))
    expect(await one.size()).toEqual({ entries: 2, bytes: 116 })
    await settle()
    await one.size()
    await other.clear()
    expect(await one.size()).toEqual({ entries: 0, bytes: 0 })
  })

  it('is readable only by its owner, and removes the leftovers of a killed writer', async () => {
    await using folder = await tempFolder()
    const cache = onDisk(folder.path)
    await cache.put(key('a', '1'), bytes(10))
    const [path = ''] = await files(folder.path)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder.path, 'cache'))).mode & 0o777).toBe(0o700)
    const leftover = `${path}.x.tmp`
    await writeFile(leftover, 'half')
    await cache.size()
    expect(await files(folder.path)).toContain(leftover)
    await utimes(leftover, new Date(0), new Date(0))
    await cache.size()
    expect(await files(folder.path)).toEqual([path])
  })

  it('refuses a folder that other accounts may write to: they could plant their own pictures', async () => {
    await using folder = await tempFolder()
    await mkdir(join(folder.path, 'cache'))
    await chmod(join(folder.path, 'cache'), 0o777)
    const cache = onDisk(folder.path)
    await expect(cache.put(key('a', '1'), bytes(1))).rejects.toThrow('other accounts can write')
    await expect(cache.get(key('a', '1'))).rejects.toThrow('other accounts can write')
  })
})
