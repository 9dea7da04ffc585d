import { randomBytes } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import { encodeText } from '../../../../src/domain/text/text-codec.ts'
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
    expect((await entriesOf(zip, 'zip')).map(({ kind }) => kind)).toEqual(['link', 'file'])
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

describe('a zip with something around it', () => {
  const STUB = Buffer.from('#!/bin/sh\nexit\n')
  const ZIP = zipFile([
    { name: 'a.txt', content: 'alpha' },
    { name: 'b.txt', content: 'beta' },
  ])
  const commented = (comment: string) => {
    const end = Buffer.from(ZIP)
    end.writeUInt16LE(comment.length, end.length - 2)
    return Buffer.concat([end, Buffer.from(comment, 'latin1')])
  }

  it.each<[string, Buffer]>([
    ['a program before it, which its offsets do not know', Buffer.concat([STUB, ZIP])],
    ['a line feed behind it', Buffer.concat([ZIP, Buffer.from('\n')])],
    ['zeros behind it', Buffer.concat([ZIP, Buffer.alloc(100_000)])],
    ['a program before and bytes behind it', Buffer.concat([STUB, ZIP, Buffer.alloc(7, 'x')])],
    ['a comment that looks like its end', commented('hello PK\x05\x06 there'.repeat(3))],
    ['a comment, and bytes behind that', Buffer.concat([commented('hello'), Buffer.alloc(70_000, 'x')])],
  ])('opens with %s', async (_, zip) => {
    expect((await entriesOf(zip, 'zip')).map(({ name }) => name)).toEqual(['a.txt', 'b.txt'])
    expect((await read(zip, 'zip', 'b.txt')).toString()).toBe('beta')
  })

  it('opens with Zip64 records and a program before it', async () => {
    const wide = zipFile([{ name: 'a.txt', content: 'alpha' }], true)
    expect((await read(Buffer.concat([STUB, wide]), 'zip', 'a.txt')).toString()).toBe('alpha')
  })

  it('is refused if there are only signatures, without reading elsewhere for each of them', async () => {
    const record = Buffer.alloc(22)
    record.write('PK\x05\x06', 'latin1')
    record.writeUInt16LE(1, 10)
    const file = fileOf(Buffer.concat(Array<Buffer>(100_000).fill(record)))
    await using reader = await readerOf(file, 'zip')
    await expect(Array.fromAsync(reader.entries())).rejects.toMatchObject(INVALID)
    expect(file.read.calls).toBeLessThan(150)
  })
})

describe('the kind of an entry of a zip', () => {
  it('is a folder if only the attributes of DOS say so', async () => {
    const dos = { stored: true, attributes: 0x10, madeBy: 20 }
    const zip = zipFile([
      { name: 'docs', ...dos },
      { name: 'full', content: 'x', ...dos },
    ])
    expect((await entriesOf(zip, 'zip')).map(({ kind }) => kind)).toEqual(['folder', 'file'])
  })

  it('is a program if a system of Unix says so', async () => {
    const zip = zipFile([
      { name: 'run', type: 0o100755 },
      { name: 'mac', type: 0o100755, madeBy: 0x1315 },
      { name: 'note', type: 0o100644 },
      { name: 'dos', type: 0o100755, madeBy: 20 },
    ])
    expect((await entriesOf(zip, 'zip')).map(({ isExecutable }) => isExecutable)).toEqual([
      true,
      true,
      undefined,
      undefined,
    ])
  })
})

describe('the names of a zip', () => {
  const bytes = (hex: string) => Buffer.from(hex, 'hex')
  const unmarked = (...names: readonly (string | Uint8Array)[]) =>
    zipFile(names.map((name) => ({ name, isUtf8: false })))
  const namesOf = async (zip: Buffer, encoding?: Encoding) => {
    await using reader = await readerOf(fileOf(zip), 'zip')
    return (await Array.fromAsync(reader.entries(encoding))).map(({ name }) => name)
  }
  const encoded = (text: string, encoding: Encoding) => encodeText(text, encoding) ?? Buffer.alloc(0)

  it('are UTF-8 if they are valid, as macOS writes them', async () => {
    const names = ['Franc\u0327ais/e\u0301te\u0301.txt', '中文测试.md']
    expect(await namesOf(unmarked(...names))).toEqual(names)
  })

  it.each<[Encoding, string]>([
    ['gbk', '尤里的陰謀.txt'],
    ['big5', '功能說明/許蓋功.txt'],
    ['shift_jis', '表示/予定ソフト.txt'],
    ['euc-kr', '한국어 문서/보고서.txt'],
    ['ibm866', 'Документы/Отчёт.txt'],
    ['ibm437', 'Ärger/größe.txt'],
    ['ibm437', 'plain.txt'],
  ])('are detected as %s', async (encoding, name) => {
    expect(await namesOf(unmarked(encoded(name, encoding)))).toEqual([name])
  })

  it('are detected from all of them together', async () => {
    const names = ['表.txt', '予定.txt', '能力表示のソフト.txt']
    expect(await namesOf(unmarked(...names.map((name) => encoded(name, 'shift_jis'))))).toEqual(names)
  })

  it('have a backslash as separator only where it is no part of a character', async () => {
    const zip = unmarked('foo\\bar.txt', encoded('表\\予.txt', 'shift_jis'))
    expect(await namesOf(zip, 'shift_jis')).toEqual(['foo/bar.txt', '表/予.txt'])
  })

  it('are those of the field for Unicode if its checksum fits', async () => {
    const field = (name: string, raw: string) => {
      const text = Buffer.from(name)
      const head = Buffer.alloc(9)
      head.writeUInt16LE(0x7075, 0)
      head.writeUInt16LE(5 + text.length, 2)
      head[4] = 1
      head.writeUInt32LE(crc32(raw), 5)
      return Buffer.concat([head, text])
    }
    const zip = zipFile([
      { name: '??.txt', isUtf8: false, extra: field('七个房间.txt', '??.txt') },
      { name: 'new.txt', isUtf8: false, extra: field('旧.txt', 'old.txt') },
    ])
    expect(await namesOf(zip)).toEqual(['七个房间.txt', 'new.txt'])
  })

  it('are detected although the headers say UTF-8, if that is not true', async () => {
    expect(await namesOf(zipFile([{ name: encoded('Документы.txt', 'ibm866') }]))).toEqual(['Документы.txt'])
  })

  it('are read in a chosen encoding, unless they say theirs', async () => {
    const zip = zipFile([{ name: 'größe' }, { name: bytes('93fa967b'), isUtf8: false }])
    expect(await namesOf(zip, 'shift_jis')).toEqual(['größe', '日本'])
    expect(await namesOf(zip, 'windows-1251')).toEqual(['größe', '“ъ–{'])
    // What is invalid in it keeps its bytes.
    expect(await namesOf(zip, 'euc-kr')).toEqual(['größe', expect.not.stringContaining('\ufffd')])
  })

  it('need little memory and time, however long they are', async () => {
    const long = Buffer.alloc(65_000, encoded('表示', 'shift_jis'))
    const zip = unmarked(...Array<Buffer>(100).fill(long))
    expect(new Set(await namesOf(zip)).size).toBe(1)
  })
})
