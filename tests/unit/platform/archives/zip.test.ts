import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { zipFile } from '../../../helpers/samples/zip-file.ts'
import { contentOf, entriesOf, fileOf, read, readerOf } from '../../../helpers/unit/archive-of.ts'

const TEXT = 'The quick brown fox. '.repeat(20_000)
const NOISE = randomBytes(300_000)
const SAMPLE = zipFile([
  { name: 'docs/', stored: true },
  { name: 'docs/text.txt', content: TEXT },
  { name: 'noise.bin', content: NOISE, stored: true },
  { name: 'empty', stored: true },
  { name: 'größe/ß.txt', content: 'ß' },
])
const INVALID = { code: 'INVALID_INPUT' }

describe('a zip', () => {
  it('lists its entries from the directory at its end, without reading the rest', async () => {
    const file = fileOf(SAMPLE)
    await using reader = await readerOf(file, 'zip')
    const entries = await Array.fromAsync(reader.entries())
    expect(entries.map(({ name, kind, size }) => [name, kind, size])).toEqual([
      ['docs/', 'folder', 0],
      ['docs/text.txt', 'file', TEXT.length],
      ['noise.bin', 'file', NOISE.length],
      ['empty', 'file', 0],
      ['größe/ß.txt', 'file', 2],
    ])
    expect(file.read.bytes).toBeLessThan(200_000)
  })

  it('gives the content of each file, whole and in part', async () => {
    expect((await read(SAMPLE, 'zip', 'docs/text.txt')).toString()).toBe(TEXT)
    expect((await read(SAMPLE, 'zip', 'noise.bin')).equals(NOISE)).toBe(true)
    expect((await read(SAMPLE, 'zip', 'empty')).length).toBe(0)
    for (const [start, end] of [
      [0, 1],
      [100_000, 100_010],
      [TEXT.length - 5, TEXT.length],
    ] as const)
      expect((await read(SAMPLE, 'zip', 'docs/text.txt', start, end)).toString()).toBe(TEXT.slice(start, end))
    expect((await read(SAMPLE, 'zip', 'noise.bin', 1000, 1010)).equals(NOISE.subarray(1000, 1010))).toBe(true)
  })

  it('reads only the requested part of a stored file', async () => {
    const file = fileOf(SAMPLE)
    const entry = (await entriesOf(SAMPLE, 'zip'))[2]
    await using reader = await readerOf(file, 'zip')
    if (entry !== undefined) await contentOf(reader, entry, 200_000, 200_100)
    expect(file.read.bytes).toBeLessThan(150_000)
  })

  it('may have more entries than 65,535, with the records of Zip64', async () => {
    const many = Array.from({ length: 70_000 }, (_, index) => ({ name: `f${index}`, stored: true }))
    const file = fileOf(zipFile(many, true))
    await using reader = await readerOf(file, 'zip')
    expect((await Array.fromAsync(reader.entries())).length).toBe(70_000)
    expect(file.read.calls).toBeLessThan(60)
  })

  it('distinguishes links from files', async () => {
    const zip = zipFile([
      { name: 'link', content: '/etc/passwd', stored: true, type: 0o120777 },
      { name: 'a', type: 0o100644 },
    ])
    expect((await entriesOf(zip, 'zip')).map(({ kind }) => kind)).toEqual(['other', 'file'])
  })
})

describe('a bad zip is refused', () => {
  it.each([0, 1, 21, 22, 100])('if only %d bytes of it are left', async (length) => {
    await expect(entriesOf(SAMPLE.subarray(0, length), 'zip')).rejects.toMatchObject(INVALID)
    await expect(entriesOf(SAMPLE.subarray(-length - 1), 'zip')).rejects.toMatchObject(INVALID)
  })

  it('if entries share their content', async () => {
    const zip = zipFile([
      { name: 'a', content: TEXT },
      { name: 'b', content: TEXT, offset: 0 },
    ])
    await expect(entriesOf(zip, 'zip')).rejects.toMatchObject(INVALID)
  })

  it('if an entry goes beyond the end', async () => {
    await expect(entriesOf(zipFile([{ name: 'a', packed: 1_000_000 }]), 'zip')).rejects.toMatchObject(INVALID)
    await expect(entriesOf(zipFile([{ name: 'a', offset: 0xfffffff0 }]), 'zip')).rejects.toMatchObject(INVALID)
  })

  it.each([
    ['the checksum is wrong', { crc: 1 }],
    ['the checksum of a stored file is wrong', { crc: 1, stored: true }],
    ['a file is longer than it says', { size: 10 }],
    ['a stored file is longer than it says', { size: 10, stored: true }],
    ['a file is shorter than it says', { size: TEXT.length + 1 }],
  ])('when %s', async (_, lie) => {
    await expect(read(zipFile([{ name: 'a', content: TEXT, ...lie }]), 'zip', 'a')).rejects.toMatchObject(INVALID)
  })

  it('when uncompressed content claims to be compressed', async () => {
    await expect(
      read(zipFile([{ name: 'a', content: NOISE, stored: true, method: 8 }]), 'zip', 'a'),
    ).rejects.toMatchObject(INVALID)
  })

  it('when no local header is where the directory says', async () => {
    const zip = zipFile([{ name: 'a', content: 'abc', stored: true, offset: 5 }])
    await expect(read(zip, 'zip', 'a')).rejects.toMatchObject(INVALID)
  })

  it('when a file is encrypted, or compressed in another way', async () => {
    const UNSUPPORTED = { code: 'UNSUPPORTED' }
    await expect(read(zipFile([{ name: 'a', flags: 1 }]), 'zip', 'a')).rejects.toMatchObject(UNSUPPORTED)
    await expect(read(zipFile([{ name: 'a', method: 14 }]), 'zip', 'a')).rejects.toMatchObject(UNSUPPORTED)
  })

  it('or gives the right content, whichever byte is changed', async () => {
    const zip = zipFile([
      { name: 'a', content: 'some text '.repeat(50) },
      { name: 'b', content: 'other', stored: true },
    ])
    const right = new Set(['some text '.repeat(50), 'other'])
    for (let at = 0; at < zip.length; at += 1) {
      const bad = Buffer.from(zip)
      bad[at] = (bad[at] ?? 0) ^ 0xff
      const found = await everyContent(bad).catch((error: unknown) => {
        expect(['INVALID_INPUT', 'UNSUPPORTED'], `byte ${at}`).toContain((error as { code?: unknown }).code)
        return []
      })
      expect(
        found.every((text) => right.has(text)),
        `byte ${at}`,
      ).toBe(true)
    }
  })
})

/** The content of all entries that are files: a changed byte may turn a file into a link or folder. */
async function everyContent(zip: Buffer): Promise<string[]> {
  await using reader = await readerOf(fileOf(zip), 'zip')
  const entries = await Array.fromAsync(reader.entries())
  const contents: string[] = []
  for (const entry of entries) if (entry.kind === 'file') contents.push((await contentOf(reader, entry)).toString())
  return contents
}

it('unpacks no more of a zip bomb than the size that it declares', async () => {
  const bomb = deflateRawSync(Buffer.alloc(50_000_000))
  const zip = zipFile([{ name: 'bomb', content: bomb, stored: true, method: 8, size: 1000 }])
  await expect(read(zip, 'zip', 'bomb')).rejects.toMatchObject(INVALID)
})
