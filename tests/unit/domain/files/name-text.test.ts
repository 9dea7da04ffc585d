import { describe, expect, it } from 'vitest'
import {
  bytesOfText,
  decodeName,
  encodeName,
  isNameText,
  markedText,
  textOfBytes,
  unmarkedText,
} from '../../../../src/domain/files/name-text.ts'
import { storedJson, parseStored } from '../../../../src/store/postgres/stored-json.ts'

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
const NAMES = {
  ASCII: latin1('a b.txt'),
  'UTF-8': Uint8Array.from(Buffer.from('\ufeffÄ 😀\ufffd\ufdd0E9', 'utf8')),
  'latin-1': latin1('caf\xe9.txt'),
  'a cut character': latin1('\xf0\x9f\x98'),
  'a cut character before a whole one': latin1('\xf0\x9f\xc3\xa9'),
  'overlong slashes': latin1('\xc0\xaf\xe0\x80\xaf'),
  'encoded surrogates': latin1('\xed\xb2\x80'),
  'only such bytes': latin1('\x80\xfe\xff\xbf'),
  'beyond Unicode': latin1('\xf4\x90\x80\x80\xf8'),
}

describe.each(Object.entries(NAMES))('a name of %s', (_, bytes) => {
  const text = textOfBytes(bytes)

  it('gives its bytes again', () => {
    expect(bytesOfText(text)).toEqual(bytes)
    expect(isNameText(text)).toBe(true)
  })

  it('survives an address', () => {
    expect(encodeName(text)).toMatch(/^(?:[\w.!~*'()-]|%[0-9A-F]{2})*$/)
    expect(decodeName(encodeName(text))).toBe(text)
    expect(decodeName([...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))).toBe(text)
  })

  it('survives texts that must be well-formed', () => {
    expect(markedText(text).isWellFormed()).toBe(true)
    expect(unmarkedText(markedText(text))).toBe(text)
    const stored = storedJson({ [text]: `\\${text}\\udce9"` })
    expect(stored).not.toMatch(/[^\\](?:\\\\)*\\ud[89a-f]/)
    expect(parseStored(stored)).toEqual({ [text]: `\\${text}\\udce9"` })
  })
})

it('every sequence of two bytes has a text of its own', () => {
  const texts = new Set<string>()
  for (let pair = 0; pair < 65_536; pair += 1) {
    const bytes = Uint8Array.of(pair >> 8, pair & 255)
    const text = textOfBytes(bytes)
    if (Buffer.compare(bytesOfText(text), bytes) !== 0) throw new Error(`lost ${pair.toString(16)}`)
    texts.add(text)
  }
  expect(texts.size).toBe(65_536)
})

it.each(['\udcc3\udca9', '\ud800', '\udc2f', 'a\udc00', '\udfff'])('%j is the text of no bytes', (text) => {
  expect(isNameText(text)).toBe(false)
})

it.each(['%', '%zz', '%E9%', 'a%4'])('%s is no encoded name', (text) => {
  expect(() => decodeName(text)).toThrow(URIError)
})
