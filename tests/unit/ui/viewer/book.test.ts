import { describe, expect, it } from 'vitest'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import { encodeText } from '../../../../src/domain/text/text-codec.ts'
import { readDocument } from '../../../../ui/src/api/text-file.ts'
import { detectingClient } from '../../../helpers/unit/detecting-client.ts'
import { resolveInBook, parseBookmark, formatBookmark } from '../../../../ui/src/viewer/book/book-location.ts'
import { openZip } from '../../../../ui/src/viewer/book/zip.ts'
import { zipOf } from '../../../helpers/samples/epub.ts'
import { zipFile } from '../../../helpers/samples/zip-file.ts'

const decode = async (bytes: Uint8Array): Promise<string> => await readDocument(detectingClient(), bytes)
const blobOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)])

describe('an archive in the browser', () => {
  it('reads stored and deflated files', async () => {
    const zip = await openZip(
      blobOf(zipOf({ stored: 'one', 'a/deflated': 'two '.repeat(1000), ümlaut: 'three' })),
      decode,
    )
    expect(await zip.text('stored')).toBe('one')
    expect(await zip.text('a/deflated')).toBe('two '.repeat(1000))
    expect(await zip.text('ümlaut')).toBe('three')
    expect(await zip.text('missing')).toBeUndefined()
  })

  it.each<[Encoding, string]>([
    ['windows-1251', '<?xml version="1.0" encoding="windows-1251"?><p>Я</p>'],
    ['windows-1252', '<?xml version="1.0" encoding="ISO-8859-1"?><p>é</p>'],
    ['gbk', '<html><head><meta charset="gb2312"></head><p>测</p></html>'],
    ['utf-16le-bom', '<?xml version="1.0" encoding="utf-16"?><p>é</p>'],
    ['utf-8', '<?xml version="1.0" encoding="iso-8859-1"?><p>é, in truth UTF-8</p>'],
    ['koi8-r', '<p>Глава первая, без объявления</p>'],
  ])('reads a chapter in %s', async (encoding, chapter) => {
    const zip = await openZip(blobOf(zipOf({ chapter: Buffer.from(encodeText(chapter, encoding) ?? []) })), decode)
    expect(await zip.text('chapter')).toBe(chapter)
  })

  it('finds files by their names in Unicode, whatever the encoding in the archive', async () => {
    const rawName = (name: string, encoding: Encoding) => Buffer.from(encodeText(name, encoding) ?? [])
    const files = [
      { name: rawName('第一章.xhtml', 'gbk'), content: 'one' },
      { name: rawName('表紙.png', 'shift_jis'), content: 'two' },
      { name: 'Pre\u0301face.xhtml', content: 'three' },
    ]
    const zip = await openZip(blobOf(zipFile(files)), decode)
    expect(await zip.text('第一章.xhtml')).toBe('one')
    expect(await zip.text('表紙.png')).toBe('two')
    expect(await zip.text('Pr\u00e9face.xhtml')).toBe('three')
    expect(await zip.text('第二章.xhtml')).toBeUndefined()
    const address = resolveInBook('book.opf', '%B5%DA%D2%BB%D5%C2.xhtml')
    expect(await zip.text(address?.path ?? '')).toBe('one')
  })

  it('rejects zip bombs, even when the directory lies about the size', async () => {
    const bytes = zipOf({ small: 'x', bomb: Buffer.alloc(40 * 1024 * 1024) })
    await expect((await openZip(blobOf(bytes), decode)).read('bomb')).rejects.toThrow('too large')
    const directory = bytes.lastIndexOf('PK\x01\x02')
    bytes.writeUInt32LE(10, directory + 24)
    await expect((await openZip(blobOf(bytes), decode)).read('bomb')).rejects.toThrow('too large')
  })

  it('rejects other files and truncated archives', async () => {
    await expect(openZip(new Blob(['no archive']), decode)).rejects.toThrow('not a zip archive')
    const whole = zipOf({ a: 'x', b: 'y'.repeat(500) })
    const moved = Buffer.concat([whole.subarray(0, 5), whole.subarray(30)])
    await expect(
      (async () => await (await openZip(blobOf(moved), decode)).read('a'))().then((found) => found?.text()),
    ).resolves.toBeUndefined()
  })
})

describe('an address in a book', () => {
  it.each([
    ['c2.xhtml', { path: 'OEBPS/text/c2.xhtml', fragment: '' }],
    ['../images/a%20b.png', { path: 'OEBPS/images/a b.png', fragment: '' }],
    ['#here', { path: 'OEBPS/text/c1.xhtml', fragment: 'here' }],
    ['/top.xhtml#x', { path: 'top.xhtml', fragment: 'x' }],
    ['../../../../far', { path: 'far', fragment: '' }],
  ])('resolves within the book: %s', (address, place) => {
    expect(resolveInBook('OEBPS/text/c1.xhtml', address)).toEqual(place)
  })

  it.each(['https://example.org/', '//example.org/', 'javascript:alert(1)', 'data:text/html,x', '\\\\host'])(
    'never leads out of the book: %s',
    (address) => {
      expect(resolveInBook('OEBPS/text/c1.xhtml', address)).toBeNull()
    },
  )

  it('is saved as chapter and fraction, and ignored when it is invalid', () => {
    const mark = { chapter: 3, fraction: 0.25 }
    expect(parseBookmark(formatBookmark(mark), 10)).toEqual(mark)
    for (const kept of [undefined, '', 'x', '11:0', '1:2', '1', '-1:0']) {
      expect(parseBookmark(kept, 10)).toEqual({ chapter: 0, fraction: 0 })
    }
  })
})
