import { describe, expect, it } from 'vitest'
import { ARCHIVE_LIMITS } from '../../../../../src/domain/files/archives/archives.ts'
import { createTimeFormat } from '../../../../../src/domain/files/file-time.ts'
import { parseVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { ArchiveEntry } from '../../../../../src/platform/archives/read/archive-entry.ts'
import { ArchiveIndex, type ArchiveNode } from '../../../../../src/services/files/archives/archive-index.ts'
import { IndexBuilder } from '../../../../../src/services/files/archives/index-builder.ts'

const { entries: MOST, slowRatio, slowFrom, bytes, depth } = ARCHIVE_LIMITS

const entry = (name: string, more: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
  name,
  kind: name.endsWith('/') ? 'folder' : 'file',
  size: 1,
  modified: 0n,
  at: 0,
  ...more,
})

async function* each(entries: Iterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry> {
  yield* entries
}

const FILE = { size: 1_000_000, isSlow: false }

const indexOf = async (entries: Iterable<ArchiveEntry>, file = FILE) =>
  new ArchiveIndex(await IndexBuilder.pack(each(entries), file, async () => undefined))

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

  it('leaves out what leads out, links, and files where folders are, and says why', async () => {
    const index = await indexOf([
      ...['../up', 'a', 'a/b', 'c/d', 'c', 'x'.repeat(256)].map((name) => entry(name)),
      entry('link', { kind: 'link' }),
      entry('pipe', { kind: 'special' }),
      entry('holes', { kind: 'sparse' }),
    ])
    expect(index.leftOut.map(({ name, reason }) => [name.slice(0, 10), reason])).toEqual([
      ['../up', 'outside'],
      ['a/b', 'taken'],
      ['c', 'taken'],
      ['xxxxxxxxxx', 'name'],
      ['link', 'link'],
      ['pipe', 'special'],
      ['holes', 'sparse'],
    ])
    expect(names(index, '/')).toEqual(['/a', '/c'])
  })

  it('has absolute names without what makes them absolute, and those with control characters, and says so', async () => {
    const index = await indexOf(['/etc/hosts', 'C:/x', 'a\nb'].map((name) => entry(name)))
    expect(index.leftOut).toEqual([
      { name: '/etc/hosts', reason: 'renamed', as: 'etc/hosts' },
      { name: 'C:/x', reason: 'renamed', as: 'x' },
      { name: 'a\nb', reason: 'renamed', as: 'a_b' },
    ])
    expect(names(index, '/')).toEqual(['/a_b', '/etc', '/x'])
  })

  it('has the last of several entries with one name, and reports the others', async () => {
    const index = await indexOf([entry('a', { size: 1 }), entry('./a', { size: 2 })])
    expect(index.find(parseVirtualPath('/a'))?.size).toBe(2)
    expect(index.leftOut).toEqual([{ name: './a', reason: 'older' }])
  })

  it('numbers entries whose different names are one here', async () => {
    const index = await indexOf([
      ...['a\tb.txt', 'a\nb.txt', 'a_b(1).txt', 'a_b.txt'].map((name, size) => entry(name, { size })),
      entry('a\nb.txt', { size: 9 }),
    ])
    expect(nodesIn(index, '/')?.map(({ path, size }) => [path, size])).toEqual([
      ['/a_b(1)(1).txt', 2],
      ['/a_b(1).txt', 9],
      ['/a_b(2).txt', 3],
      ['/a_b.txt', 0],
    ])
    expect(index.leftOut).toContainEqual({ name: 'a_b.txt', reason: 'renamed', as: 'a_b(2).txt' })
    expect(index.leftOut).toContainEqual({ name: 'a\nb.txt', reason: 'older' })
  })

  it('numbers entries whose different bytes are one text', async () => {
    const decoded = (rawName: string, size: number) => entry('é', { rawName, encoding: 'windows-1252', size })
    const index = await indexOf([decoded('1\0', 1), decoded('2\0', 2), entry('é', { size: 3 }), decoded('2\0', 4)])
    expect(nodesIn(index, '/')?.map(({ path, size }) => [path, size])).toEqual([
      ['/é', 1],
      ['/é(1)', 4],
      ['/é(2)', 3],
    ])
    expect(index.encoding).toBe('windows-1252')
  })

  it('keeps the bytes of names that are not UTF-8', async () => {
    const index = await indexOf(['prov\udcedncia', 'prov\udcebncia'].map((name, size) => entry(name, { size })))
    expect(names(index, '/')).toEqual(['/prov\udcebncia', '/prov\udcedncia'])
    expect(index.find(parseVirtualPath('/prov\udcebncia'))?.size).toBe(1)
    expect(index.leftOut).toEqual([])
  })

  it('numbers thousands of names that become one, without trying every number for each', async () => {
    const all = Array.from({ length: 50_000 }, (_, at) =>
      entry(
        [...at.toString(8)]
          .map((digit) => String.fromCharCode(Number(digit) + 1))
          .join('')
          .padStart(6, '\t'),
      ),
    )
    const index = await indexOf(all)
    expect(index.size).toBe(50_001)
    expect(index.leftOut).toHaveLength(100)
  })

  it('has the content of an earlier entry for a hard link, unless that is not there', async () => {
    const link = (name: string, target: string) => entry(name, { kind: 'hardLink', target, size: 0 })
    const index = await indexOf([
      link('early', 'a'),
      entry('a', { at: 5, size: 3 }),
      entry('/a', { at: 9, size: 4 }),
      link('b', './a'),
      link('c', '/a'),
      link('d', '../up'),
      entry('a', { at: 99, size: 8 }),
    ])
    expect(nodesIn(index, '/')?.map(({ path, entry: place }) => [path, place?.at])).toEqual([
      ['/a', 99],
      ['/a(1)', 9],
      ['/b', 5],
      ['/c', 9],
    ])
    expect(index.leftOut.filter(({ reason }) => reason === 'link').map(({ name }) => name)).toEqual(['early', 'd'])
  })

  it('lists first what is missing, then what has another name', async () => {
    const renamed = Array.from({ length: 150 }, (_, at) => entry(`/${at}`))
    const index = await indexOf([...renamed, entry('link', { kind: 'link' })])
    expect([index.leftOut.length, index.leftOut.at(-1)]).toEqual([100, { name: 'link', reason: 'link' }])
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
    const index = await indexOf(all)
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
    await IndexBuilder.pack(each([entry('a')]), FILE, more)
    const few = room
    const outside = Array.from({ length: 100 }, () => entry(`/${'x'.repeat(100_000)}`))
    await IndexBuilder.pack(each(outside), FILE, more)
    expect(room - few).toBeGreaterThan(100 * 100_000 * 2 - 100_000)
    const refusal = new Error('no room')
    const packing = IndexBuilder.pack(each(outside), FILE, async () => await Promise.reject(refusal))
    await expect(packing).rejects.toBe(refusal)
  })

  it('keeps only the beginning of a name that it leaves out', async () => {
    const index = await indexOf([entry(`../${'x'.repeat(100_000)}`)])
    expect(index.leftOut[0]?.name).toHaveLength(200)
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

  it('for the time that it takes to be decompressed, but not for its ratio alone', async () => {
    const [small, slow] = [
      { size: 1000, isSlow: false },
      { size: 1000, isSlow: true },
    ]
    await indexOf([entry('a', { size: slowFrom }), entry('b')], small)
    await indexOf([entry('a', { size: slowFrom })], slow)
    await expect(indexOf([entry('a', { size: slowFrom }), entry('b')], slow)).rejects.toMatchObject(TOO_LARGE)
    const large = { size: (slowFrom * 2) / slowRatio, isSlow: true }
    await indexOf([entry('a', { size: slowFrom * 2 })], large)
    await expect(indexOf([entry('a', { size: slowFrom * 2 + slowRatio })], large)).rejects.toMatchObject(TOO_LARGE)
  })

  it('for the bytes of hard links', async () => {
    const link = (at: number) => entry(`${at}`, { kind: 'hardLink', target: 'a', size: 0 })
    const half = [entry('a', { size: bytes / 2 }), link(1)]
    await indexOf(half)
    await expect(indexOf([...half, link(2)])).rejects.toMatchObject(TOO_LARGE)
  })

  it('for its names, also of what is left out', async () => {
    const name = `/${'x'.repeat(1024 * 1024)}`
    await expect(indexOf(Array.from({ length: 17 }, () => entry(name)))).rejects.toMatchObject(TOO_LARGE)
  })

  it('for its bytes, and for its depth', async () => {
    await expect(indexOf([entry('a', { size: bytes }), entry('b')])).rejects.toMatchObject(TOO_LARGE)
    await indexOf([entry('a/'.repeat(depth))])
    await expect(indexOf([entry('a/'.repeat(depth + 1))])).rejects.toMatchObject(TOO_LARGE)
  })
})
