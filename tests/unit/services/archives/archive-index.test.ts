import { describe, expect, it } from 'vitest'
import { ARCHIVE_LIMITS } from '../../../../src/domain/files/archives.ts'
import { createTimeFormat } from '../../../../src/domain/files/file-time.ts'
import { parseVirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { ArchiveEntry } from '../../../../src/platform/archives/archive-entry.ts'
import { ArchiveIndex, type ArchiveNode } from '../../../../src/services/archives/archive-index.ts'
import { IndexBuilder } from '../../../../src/services/archives/index-builder.ts'

const { entries: MOST, ratio, ratioFrom, bytes, depth } = ARCHIVE_LIMITS

const entry = (name: string, more: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
  ...{ name, kind: name.endsWith('/') ? 'folder' : 'file', size: 1, modified: 0n, at: 0 },
  ...more,
})

async function* each(entries: Iterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry> {
  yield* entries
}

const indexOf = async (entries: Iterable<ArchiveEntry>, packed = 1_000_000) =>
  new ArchiveIndex(await IndexBuilder.pack(each(entries), packed, async () => undefined))

const nodesIn = (index: ArchiveIndex, text: string): ArchiveNode[] | undefined => {
  const folder = parseVirtualPath(text)
  return index.rowsIn(folder)?.map((row) => index.nodeIn(folder, row))
}
const names = (index: ArchiveIndex, folder: string) => nodesIn(index, folder)?.map(({ path }) => path)

describe('the index of an archive', () => {
  it('has folders that occur only in the names of files', async () => {
    const index = await indexOf([entry('a/b/c.txt'), entry('./a/', { at: 7 }), entry('d')])
    expect([names(index, '/'), names(index, '/a'), names(index, '/a/b')]).toEqual([
      ['/a', '/d'],
      ['/a/b'],
      ['/a/b/c.txt'],
    ])
    expect(names(index, '/none')).toBeUndefined()
    expect(index.find(parseVirtualPath('/a'))?.entry?.at).toBe(7)
    expect(index.find(parseVirtualPath('/a/b'))?.entry).toBeUndefined()
  })

  it('leaves out what cannot be a path, links, and files where folders are', async () => {
    const index = await indexOf([
      ...['../up', '/root', 'a\nb', 'C:/x', 'a', 'a/b', 'c/d', 'c'].map((name) => entry(name)),
      entry('link', { kind: 'other' }),
    ])
    expect(index.leftOut).toEqual(['../up', '/root', 'a\nb', 'C:/x', 'a/b', 'c', 'link'])
    expect(names(index, '/')).toEqual(['/a', '/c'])
  })

  it('has the last of several entries with one name', async () => {
    const index = await indexOf([entry('a', { size: 1 }), entry('a', { size: 2 })])
    expect(index.find(parseVirtualPath('/a'))?.size).toBe(2)
  })

  it('has times that can be written down, whatever the headers say', async () => {
    const times = [-62_167_219_200_000_000_001n, -1n, 10n ** 30n, 1_234_567_891n]
    const index = await indexOf(times.map((modified, at) => entry(`${at}`, { modified })))
    expect(nodesIn(index, '/')?.map(({ modified }) => createTimeFormat()(modified))).toEqual([
      '0000-01-01T00:00:00Z',
      '1969-12-31T23:59:59.999999999Z',
      '9999-12-31T23:59:59.999999999Z',
      '1970-01-01T00:00:01.234567891Z',
    ])
  })

  it('gives a folder with all that is in it, folders before their content', async () => {
    const index = await indexOf([entry('a/b/c'), entry('a/d'), entry('e')])
    const [top] = nodesIn(index, '/') ?? []
    const found = (top === undefined ? [] : [...index.within(top)]).map(({ path }) => path as string)
    expect(found.toSorted()).toEqual(['/a', '/a/b', '/a/b/c', '/a/d'])
    expect(found.indexOf('/a/b')).toBeLessThan(found.indexOf('/a/b/c'))
  })

  it('finds every node of a large folder, and what is needed to read it', async () => {
    const zip = { method: 8, isEncrypted: true, packed: 7, crc: 0xffffffff }
    const all = Array.from({ length: 1000 }, (_, at) => entry(`ü/${at}é`, { at, size: at * 1_000_000, zip }))
    const index = await indexOf(all, 2 ** 40)
    for (const { name, at, size } of all)
      expect(index.find(parseVirtualPath(`/${name}`))?.entry).toEqual({ at, size, zip })
    expect(index.find(parseVirtualPath('/ü/1000é'))).toBeUndefined()
    expect(index.find(parseVirtualPath('/ü/1é/2é'))).toBeUndefined()
  })

  it('takes little more memory than its names', async () => {
    const name = (at: number) => `${at}`.padStart(150, 'x')
    const index = await indexOf(Array.from({ length: 10_000 }, (_, at) => entry(name(at))))
    expect(index.weight).toBeLessThan(10_000 * (150 + 64))
  })

  it('asks for memory before it uses it, also for what is left out', async () => {
    let room = 0
    const more = async (bytes: number) => void (room += bytes)
    await IndexBuilder.pack(each([entry('a')]), 1, more)
    const few = room
    const outside = Array.from({ length: 100 }, () => entry(`/${'x'.repeat(100_000)}`))
    await IndexBuilder.pack(each(outside), 1, more)
    expect(room - few).toBeGreaterThan(100 * 100_000 * 2 - 100_000)
    const refusal = new Error('no room')
    const packing = IndexBuilder.pack(each(outside), 1, async () => await Promise.reject(refusal))
    await expect(packing).rejects.toBe(refusal)
  })

  it('keeps only the beginning of a name that it leaves out', async () => {
    const index = await indexOf([entry(`../${'x'.repeat(100_000)}`)])
    expect(index.leftOut[0]).toHaveLength(200)
  })
})

describe('a bomb is refused', () => {
  const TOO_LARGE = { code: 'TOO_LARGE' }

  function* numbered(count: number, name = (index: number) => `f${index}`) {
    for (let index = 0; index < count; index += 1) yield entry(name(index))
  }

  it('for its entries, also those left out, and for folders that occur only in names', async () => {
    const half = (index: number) => (index % 2 === 0 ? '../up' : `f${index}`)
    await expect(indexOf(numbered(MOST + 1, half))).rejects.toMatchObject(TOO_LARGE)
    await expect(indexOf(numbered(MOST / 4 + 1, (index) => `${index}/a/b/c`))).rejects.toMatchObject(TOO_LARGE)
  })

  it('for its ratio, from some size on', async () => {
    const packed = 1000
    await indexOf([entry('a', { size: ratioFrom })], packed)
    await expect(indexOf([entry('a', { size: ratioFrom }), entry('b')], packed)).rejects.toMatchObject(TOO_LARGE)
    const large = ratioFrom * 2
    await indexOf([entry('a', { size: large })], large / ratio)
    await expect(indexOf([entry('a', { size: large + ratio })], large / ratio)).rejects.toMatchObject(TOO_LARGE)
  })

  it('for its names, also of what is left out', async () => {
    const name = `/${'x'.repeat(1024 * 1024)}`
    await expect(indexOf(Array.from({ length: 17 }, () => entry(name)))).rejects.toMatchObject(TOO_LARGE)
  })

  it('for its bytes, and for its depth', async () => {
    await expect(indexOf([entry('a', { size: bytes }), entry('b')], bytes)).rejects.toMatchObject(TOO_LARGE)
    await indexOf([entry('a/'.repeat(depth))])
    await expect(indexOf([entry('a/'.repeat(depth + 1))])).rejects.toMatchObject(TOO_LARGE)
  })
})
