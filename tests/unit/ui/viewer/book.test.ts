import { describe, expect, it } from 'vitest'
import { placeInBook, readMark, writeMark } from '../../../../ui/src/viewer/book/book-path.ts'
import { openZip } from '../../../../ui/src/viewer/book/zip.ts'
import { zipOf } from '../../../helpers/samples/epub.ts'

const blobOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)])

describe('an archive in the browser', () => {
  it('gives its files, stored and deflated', async () => {
    const zip = await openZip(blobOf(zipOf({ stored: 'one', 'a/deflated': 'two '.repeat(1000), ümlaut: 'three' })))
    expect(await zip.text('stored')).toBe('one')
    expect(await zip.text('a/deflated')).toBe('two '.repeat(1000))
    expect(await zip.text('ümlaut')).toBe('three')
    expect(await zip.text('missing')).toBeUndefined()
  })

  it('refuses what unpacks to more than a page can hold, even when its directory lies', async () => {
    const bytes = zipOf({ small: 'x', bomb: Buffer.alloc(40 * 1024 * 1024) })
    await expect((await openZip(blobOf(bytes))).read('bomb')).rejects.toThrow('too large')
    const directory = bytes.lastIndexOf('PK\x01\x02')
    bytes.writeUInt32LE(10, directory + 24)
    await expect((await openZip(blobOf(bytes))).read('bomb')).rejects.toThrow('too large')
  })

  it('refuses what is none, and what is cut off', async () => {
    await expect(openZip(new Blob(['no archive']))).rejects.toThrow('no archive')
    const whole = zipOf({ a: 'x', b: 'y'.repeat(500) })
    const moved = Buffer.concat([whole.subarray(0, 5), whole.subarray(30)])
    await expect(
      (async () => await (await openZip(blobOf(moved))).read('a'))().then((found) => found?.text()),
    ).resolves.toBeUndefined()
  })
})

describe('an address in a book', () => {
  it.each([
    ['c2.xhtml', { path: 'OEBPS/text/c2.xhtml', part: '' }],
    ['../images/a%20b.png', { path: 'OEBPS/images/a b.png', part: '' }],
    ['#here', { path: 'OEBPS/text/c1.xhtml', part: 'here' }],
    ['/top.xhtml#x', { path: 'top.xhtml', part: 'x' }],
    ['../../../../far', { path: 'far', part: '' }],
  ])('leads inside of it: %s', (address, place) => {
    expect(placeInBook('OEBPS/text/c1.xhtml', address)).toEqual(place)
  })

  it.each(['https://example.org/', '//example.org/', 'javascript:alert(1)', 'data:text/html,x', '\\\\host'])(
    'never leads out of it: %s',
    (address) => {
      expect(placeInBook('OEBPS/text/c1.xhtml', address)).toBeNull()
    },
  )

  it('is remembered by chapter and share, and forgotten when it makes no sense', () => {
    const mark = { chapter: 3, share: 0.25 }
    expect(readMark(writeMark(mark), 10)).toEqual(mark)
    for (const kept of [undefined, '', 'x', '11:0', '1:2', '1', '-1:0']) {
      expect(readMark(kept, 10)).toEqual({ chapter: 0, share: 0 })
    }
  })
})
