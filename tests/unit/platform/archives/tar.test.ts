import { gzipSync, zstdCompressSync, brotliCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { paxHeader, tarFile } from '../../../helpers/samples/tar-file.ts'
import { contentOf, entriesOf, fileOf, read, readerOf } from '../../../helpers/unit/archive-of.ts'

const LONG = `${'folder/'.repeat(40)}name.txt`
const TEXT = 'The quick brown fox. '.repeat(5000)
const SAMPLE = tarFile([
  { name: './docs/', type: 'Directory' },
  { name: './docs/a.txt', content: TEXT },
  { name: LONG, content: 'long' },
  { name: 'link', type: 'SymbolicLink', linkpath: '/etc/passwd' },
  { name: 'hard', type: 'Link', linkpath: 'docs/a.txt' },
  { name: 'device', type: 'CharacterDevice' },
  { name: 'ß.txt', content: 'ß' },
])
const PACKED = {
  tar: SAMPLE,
  targz: gzipSync(SAMPLE),
  tarzst: zstdCompressSync(SAMPLE),
  tarbr: brotliCompressSync(SAMPLE),
}
const FORMATS = Object.keys(PACKED) as (keyof typeof PACKED)[]
const INVALID = { code: 'INVALID_INPUT' }

describe.each(FORMATS)('a %s', (format) => {
  it('lists its entries from their headers', async () => {
    expect((await entriesOf(PACKED[format], format)).map(({ name, kind, size }) => [name, kind, size])).toEqual([
      ['./docs/', 'folder', 0],
      ['./docs/a.txt', 'file', TEXT.length],
      [LONG, 'file', 4],
      ['link', 'other', 0],
      ['hard', 'other', 0],
      ['device', 'other', 0],
      ['ß.txt', 'file', 2],
    ])
  })

  it('gives the content of files, whole and in part', async () => {
    expect((await read(PACKED[format], format, './docs/a.txt')).toString()).toBe(TEXT)
    expect((await read(PACKED[format], format, './docs/a.txt', 50_000, 50_010)).toString()).toBe(
      TEXT.slice(50_000, 50_010),
    )
    expect((await read(PACKED[format], format, LONG)).toString()).toBe('long')
  })

  it('gives all files one after the other in a single pass', async () => {
    const entries = (await entriesOf(PACKED[format], format)).filter(({ kind }) => kind === 'file')
    const file = fileOf(PACKED[format])
    await using reader = await readerOf(file, format)
    const contents: string[] = []
    for (const entry of entries) contents.push((await contentOf(reader, entry)).toString())
    expect(contents).toEqual([TEXT, 'long', 'ß'])
    // The header of the first frame is read before.
    expect(file.read.bytes).toBeLessThanOrEqual(PACKED[format].length + 18)
  })

  it.each([0, 1, 511, 700, 5000])('is refused if it is cut off after %d bytes', async (length) => {
    await expect(
      entriesOf(PACKED[format].subarray(0, Math.min(length, PACKED[format].length - 50)), format),
    ).rejects.toMatchObject(INVALID)
  })
})

describe('a bad tar is refused', () => {
  it('if a checksum is wrong, or its format is another one', async () => {
    const bad = Buffer.from(SAMPLE)
    bad[0] = 0x41
    await expect(entriesOf(bad, 'tar')).rejects.toMatchObject(INVALID)
    await expect(entriesOf(Buffer.alloc(2000, 'text'), 'tar')).rejects.toMatchObject(INVALID)
    await expect(entriesOf(SAMPLE, 'targz')).rejects.toMatchObject(INVALID)
    await expect(entriesOf(PACKED.targz, 'tarzst')).rejects.toMatchObject(INVALID)
  })

  it('if an entry is longer than the file', async () => {
    await expect(entriesOf(tarFile([{ name: 'a', size: 10_000_000 }]), 'tar')).rejects.toMatchObject(INVALID)
  })

  it('if headers follow each other without end, or one is too long', async () => {
    await expect(entriesOf(Buffer.concat(Array(20).fill(paxHeader('a'))), 'tar')).rejects.toMatchObject(INVALID)
    const endless = tarFile([{ name: 'a', type: 'ExtendedHeader', content: Buffer.alloc(2_000_000) }])
    await expect(entriesOf(endless, 'tar')).rejects.toMatchObject(INVALID)
  })

  it('if its headers are many megabytes, however few entries they describe', async () => {
    const header = tarFile([{ name: 'a', type: 'ExtendedHeader', content: Buffer.alloc(1024 * 1024) }]).subarray(
      0,
      -1024,
    )
    const entry = Buffer.concat([...Array<Buffer>(15).fill(header), tarFile([{ name: 'a' }]).subarray(0, -1024)])
    const packed = gzipSync(Buffer.concat(Array(5).fill(entry)), { level: 1 })
    await expect(entriesOf(packed, 'targz')).rejects.toMatchObject(INVALID)
  })

  it('if a size is not a whole number', async () => {
    const described = (text: string) =>
      Buffer.concat([
        tarFile([{ name: 'h', type: 'ExtendedHeader', content: text }]).subarray(0, -1024),
        tarFile([{ name: 'a', content: 'abc' }]),
      ])
    for (const text of ['12 size=1.5\n', '13 size=1e18\n', '17 size=Infinity\n'])
      await expect(entriesOf(described(text), 'tar'), text).rejects.toMatchObject(INVALID)
    expect((await entriesOf(described('11 size=-9\n'), 'tar')).map(({ size }) => size)).toEqual([3])
  })

  it('if a number in a header is invalid', async () => {
    const bad = Buffer.from(SAMPLE.subarray(0, 512))
    bad.fill(0xff, 100, 108)
    bad[100] = 0x81
    bad.fill(0, 148, 156)
    await expect(entriesOf(bad, 'tar')).rejects.toMatchObject(INVALID)
  })

  it('if it is compressed and its content ends early', async () => {
    const whole = gzipSync(tarFile([{ name: 'a', content: Buffer.alloc(100_000, 'x') }]))
    const [entry] = await entriesOf(whole, 'targz')
    const cut = gzipSync(tarFile([{ name: 'a', content: Buffer.alloc(100_000, 'x') }]).subarray(0, 50_000))
    await using reader = await readerOf(fileOf(cut), 'targz')
    if (entry === undefined) throw new Error('no entry')
    await expect(contentOf(reader, entry)).rejects.toMatchObject(INVALID)
  })
})

it('skips a sparse file, even if its holes need more headers', async () => {
  const sparse = tarFile([{ name: 'holes', type: 'SparseFile', content: 'data' }]).subarray(0, -1024)
  const header = Buffer.from(sparse.subarray(0, 512))
  header[482] = 1
  header.write(sumOf(header), 148, 'latin1')
  const more = Buffer.alloc(1024)
  more[504] = 1
  const tar = Buffer.concat([header, more, sparse.subarray(512), tarFile([{ name: 'b' }])])
  expect((await entriesOf(tar, 'tar')).map(({ name, kind }) => [name, kind])).toEqual([
    ['holes', 'other'],
    ['b', 'file'],
  ])
})

function sumOf(header: Buffer): string {
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0)
  return `${sum.toString(8).padStart(6, '0')}\0 `
}

it('reads the older header for long names', async () => {
  const name = 'x'.repeat(150)
  const tar = tarFile([
    { name: '././@LongLink', type: 'NextFileHasLongPath', content: `${name}\0` },
    { name: 'short', content: 'a' },
  ])
  expect((await entriesOf(tar, 'tar')).map((entry) => entry.name)).toEqual([name])
})
