import { gzipSync, zstdCompressSync, brotliCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import { paxHeader, renamedInTar, sumOf, tarFile } from '../../../helpers/samples/tar-file.ts'
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
      ['link', 'link', 0],
      ['hard', 'hardLink', 0],
      ['device', 'special', 0],
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
    ['holes', 'sparse'],
    ['b', 'file'],
  ])
})

it('reads the older header for long names', async () => {
  const name = 'x'.repeat(150)
  const tar = tarFile([
    { name: '././@LongLink', type: 'NextFileHasLongPath', content: `${name}\0` },
    { name: 'short', content: 'a' },
  ])
  expect((await entriesOf(tar, 'tar')).map((entry) => entry.name)).toEqual([name])
})

describe('a name that is not UTF-8', () => {
  const named = async (tar: Buffer, encoding?: Encoding) => {
    await using reader = await readerOf(fileOf(tar), 'tar')
    return (await Array.fromAsync(reader.entries(encoding))).map((entry) => entry.name)
  }
  const block = (text: string) => {
    const content = Buffer.alloc(Math.ceil(text.length / 512) * 512)
    content.write(text, 'latin1')
    return content
  }
  /** A header that describes the next entry, with these bytes. */
  const described = (type: 'NextFileHasLongPath' | 'NextFileHasLongLinkpath' | 'ExtendedHeader', text: string) =>
    Buffer.concat([tarFile([{ name: 'x', type, size: text.length }]).subarray(0, 512), block(text)])
  const pax = (key: string, value: string) => {
    const length = key.length + value.length + 3
    return `${length + `${length}`.length} ${key}=${value}\n`
  }

  it('keeps its bytes wherever it stands', async () => {
    const one = tarFile([{ name: 'a.txt' }]).subarray(0, 512)
    const prefix = tarFile([{ name: `${'p'.repeat(60)}/${'n'.repeat(60)}` }]).subarray(0, 512)
    const tar = Buffer.concat([
      renamedInTar(one, 'a', '\xed'),
      renamedInTar(renamedInTar(prefix, 'p', '\xeb'), 'n', '\xec'),
      described('NextFileHasLongPath', `${'x'.repeat(150)}\xff\0`),
      one,
      described('ExtendedHeader', pax('path', 'a\nb\xfe')),
      one,
      Buffer.alloc(1024),
    ])
    expect(await named(tar)).toEqual([
      '\udced.txt',
      `\udceb${'p'.repeat(59)}/\udcec${'n'.repeat(59)}`,
      `${'x'.repeat(150)}\udcff`,
      'a\nb\udcfe',
    ])
    expect((await named(tar, 'windows-1252'))[0]).toBe('í.txt')
  })

  it('is that of the target of a hard link, too', async () => {
    const link = tarFile([{ name: 'b', type: 'Link', linkpath: 'a' }]).subarray(0, 512)
    const tar = Buffer.concat([
      described('NextFileHasLongLinkpath', '\xed\0'),
      link,
      described('ExtendedHeader', pax('linkpath', '\xeb')),
      link,
      Buffer.alloc(1024),
    ])
    expect((await entriesOf(tar, 'tar')).map(({ target }) => target)).toEqual(['\udced', '\udceb'])
  })

  it('is not taken from a name of GNU tar, which has other facts where the prefix would be', async () => {
    const header = Buffer.from(tarFile([{ name: 'a' }]).subarray(0, 512))
    header.write('ustar  \0', 257, 'latin1')
    header.write('00001234567', 345, 'latin1')
    header.write(sumOf(header), 148, 'latin1')
    expect(await named(Buffer.concat([header, Buffer.alloc(1024)]))).toEqual(['a'])
  })
})
