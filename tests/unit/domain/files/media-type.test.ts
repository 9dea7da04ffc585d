import { describe, expect, it } from 'vitest'
import {
  extensionOf,
  looksBinary,
  mediaTypeOf,
  resourceTypeOf,
  sniff,
} from '../../../../src/domain/files/media/media-type.ts'
import { MAX_TEXT_BYTES } from '../../../../src/domain/files/resource-type.ts'
const bytes = (text: string) => Buffer.from(text, 'latin1')
const no = () => false
const yes = () => true

/** The class that API clients expect for each extension. */
const CLASSES = {
  video: 'asf avi divx dv flv m1v m2v m4v mkv mov mp4 mpe mpeg mpg ogv opus qt rv webm',
  audio: 'aac aif aifc aiff amr au caf flac it kar m2a m3u m4a mod mp2 mp3 mpa mpga oga ogg ra ram s3m snd voc wav xm',
  image:
    'art bmp gif ico jfif jpe jpeg jpg pbm pcx pgm pic pict png ppm rgb svg tif tiff wbmp webp xbm xpm apng avif heic ' +
    'heif jxl jp2 cr2 nef',
  text: 'c cc conf cpp css csv def h htm html ics java js list log m mjs pas pl py rtf sgml sh tcl tsv txt vcf vue xml ts',
  pdf: 'pdf',
}

describe('the media type of a name', () => {
  it.each(Object.entries(CLASSES))('is of the class %s', (type, extensions) => {
    const types = extensions.split(' ').map((extension) => {
      return [extension, resourceTypeOf(mediaTypeOf(`name.${extension}`) ?? 'none', 1, no)]
    })
    expect(types).toEqual(extensions.split(' ').map((extension) => [extension, type]))
  })

  it('follows the last extension in any case', () => {
    expect(mediaTypeOf('PHOTO.JPG')).toBe('image/jpeg')
    expect(mediaTypeOf('a.png.zip')).toBe('application/zip')
    expect(mediaTypeOf('.png')).toBe('image/png')
  })

  it('is unknown without a known extension', () => {
    for (const name of ['png', 'name.', 'name.unknown', '', 'name.constructor'])
      expect(mediaTypeOf(name)).toBeUndefined()
  })
})

describe('the extension', () => {
  it.each([
    ['archive.tar.gz', '.gz'],
    ['name.', '.'],
    ['.hidden', '.hidden'],
    ['name', ''],
    ['Photo.JPG', '.JPG'],
  ])('of %s is "%s"', (name, extension) => expect(extensionOf(name)).toBe(extension))
})

describe('the type of a resource', () => {
  it('is text up to the longest text, then a blob', () => {
    expect(resourceTypeOf('text/plain', MAX_TEXT_BYTES, no)).toBe('text')
    expect(resourceTypeOf('text/plain', MAX_TEXT_BYTES + 1, yes)).toBe('blob')
  })

  it('is text for any type whose bytes look like it', () => {
    expect(resourceTypeOf('application/json', 1, yes)).toBe('text')
    expect(resourceTypeOf('application/json', 1, no)).toBe('blob')
  })

  it('marks text that must not be changed', () => {
    expect(resourceTypeOf('text/plain', 1, no, false)).toBe('textImmutable')
    expect(resourceTypeOf('image/png', 1, no, false)).toBe('image')
  })
})

describe('whether bytes look binary', () => {
  it.each([
    ['a control character', bytes('text\x00'), true],
    ['the last of these control characters', bytes('\x08'), true],
    ['a tab', bytes('a\tb'), false],
    ['nothing', bytes(''), false],
    ['a byte that is not UTF-8', bytes('caf\xe9 and more'), false],
    ['a byte that is not UTF-8, and a control character that no text contains', bytes('caf\xe9 and \x0e more'), true],
    ['a control character that UTF-8 may contain', Buffer.from('café and \x0e more'), false],
    ['GBK', bytes('{"\xb2\xe2\xca\xd4": 1}'), false],
    ['UTF-16 with a byte order mark', Buffer.from('\ufeff{"größe": 1}', 'utf16le'), false],
    ['UTF-16 without a byte order mark', Buffer.from('{"größe": 1}', 'utf16le'), false],
    ['UTF-16 cut within a character', Buffer.from(`\ufeff${'x'.repeat(254)}😀`, 'utf16le'), false],
    ['numbers of 16 bits', Buffer.from(Uint16Array.from([1, 2, 300, 5]).buffer), true],
    ['the byte order mark of UTF-16 before no text', bytes('\xff\xfe\x01\x00\x02\x00'), true],
    ['an invalid UTF-8 byte, among the last four', bytes('caf\xe9abc'), false],
    ['a character cut by the end of the sample', Buffer.from(`${'x'.repeat(510)}😀😀`), false],
    ['a NUL beyond the sample', bytes(`${'x'.repeat(512)}\0`), false],
  ])('%s', (_, sample, expected) => expect(looksBinary(sample)).toBe(expected))
})

describe('sniffing', () => {
  const SAMPLES: [string, string][] = [
    ['\x89PNG\r\n\x1a\n....', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a', 'image/gif'],
    ['BM....', 'image/bmp'],
    ['RIFF....WEBPVP8 ', 'image/webp'],
    ['RIFF....WAVEfmt', 'audio/wave'],
    ['RIFF....AVI LIST', 'video/avi'],
    ['ID3\x04', 'audio/mpeg'],
    ['OggS\0', 'application/ogg'],
    ['%PDF-1.7', 'application/pdf'],
    ['PK\x03\x04', 'application/zip'],
    ['\x1f\x8b\x08', 'application/gzip'],
    ['\x1a\x45\xdf\xa3', 'video/webm'],
    ['\0\0\0\x14ftypmp42....mp41', 'video/mp4'],
    ['\0\0\0\x14ftypisom....mp41', 'video/mp4'],
    ['\0\0\0\x14ftypqt  ....qt  ', 'application/octet-stream'],
    ['\0\0\0\x10ftypisommp41', 'application/octet-stream'],
    ['  \n<!doctype html>', 'text/html'],
    ['<!-- a page -->', 'text/html'],
    ['<body>', 'text/html'],
    ['<bodyguard', 'text/plain'],
    ['\n<?xml version="1.0"?>', 'text/xml'],
    ['\xef\xbb\xbfhello', 'text/plain'],
    ['\xff\xfeh\0i\0', 'text/plain'],
    ['hello', 'text/plain'],
    ['', 'text/plain'],
    ['a\x01b', 'application/octet-stream'],
  ]

  it.each(SAMPLES)('%j is %s', (sample, type) => expect(sniff(bytes(sample))).toBe(type))
})
