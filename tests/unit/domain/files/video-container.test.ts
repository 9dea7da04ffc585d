import { expect, it } from 'vitest'
import { videoContainer } from '../../../../src/domain/files/media/video-container.ts'
const head = (text: string) => Buffer.from(text.padEnd(512, '\0'), 'latin1')

function packets(start: number, length: number): Buffer {
  const bytes = Buffer.alloc(512)
  for (let at = start; at < bytes.length; at += length) bytes[at] = 0x47
  return bytes
}

it.each([
  ['mov', head('\0\0\0\x20ftypisom')],
  ['mov', head('\0\0\0\x08wide\0\0\x10\0mdat')],
  ['matroska', head('\x1a\x45\xdf\xa3')],
  ['avi', head('RIFF\x10\n\0\0AVI LIST')],
  ['ogg', head('OggS\0\x02')],
  ['flv', head('FLV\x01\x05')],
  ['asf', head('\x30\x26\xb2\x75\x8e\x66\xcf\x11')],
  ['mpeg', head('\0\0\x01\xba')],
  ['mpegts', packets(0, 188)],
  ['mpegts', packets(4, 192)],
] as const)('a container is known by its first bytes: %s', (expected, bytes) => {
  expect(videoContainer(bytes)).toBe(expected)
})

it.each([
  '#EXTM3U\n#EXTINF:1,\n/etc/passwd\n',
  'ffconcat version 1.0\nfile /etc/passwd\n',
  '<?xml version="1.0"?><MPD><BaseURL>http://host/</BaseURL></MPD>',
  'v=0\no=- 0 0 IN IP4 127.0.0.1\n',
  '[playlist]\nFile1=http://host/\n',
  'G',
  '',
])('a text that names other files is not taken for a container: %j', (text) => {
  expect(videoContainer(Buffer.from(text))).toBeUndefined()
})
