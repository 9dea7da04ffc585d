import { decodeUnicode } from '../../../../src/domain/text/encodings.ts'

/** What an ID3 tag says about a song. */
export interface SongFacts {
  readonly title?: string | undefined
  readonly artist?: string | undefined
  readonly album?: string | undefined
  readonly cover?: { readonly type: string; readonly bytes: Uint8Array } | undefined
}

const HEADER = 10
/** Covers of other types are not drawn: an SVG can contain scripts. */
const COVER_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
const FRONT_COVER = 3
const NAMES = { TIT2: 'title', TPE1: 'artist', TALB: 'album' } as const
type TextName = (typeof NAMES)[keyof typeof NAMES]
/** The number of the encoding of a frame. */
const LATIN1 = 0

/** The length of an ID3v2 tag including its header, in bytes; 0 without a tag. */
export function id3Length(head: Uint8Array): number {
  if (head.length < HEADER || latin1(head.subarray(0, 3)) !== 'ID3') return 0
  return HEADER + sevenBits(head, 6)
}

/** Decodes texts that the tag says to be in Latin-1, which often are in the encoding of the country instead, all in the same one. */
type DecodeOld = (texts: readonly Uint8Array[]) => Promise<readonly string[]>

/** Reads ID3v2.3 and ID3v2.4 (id3.org). Truncated or invalid frames are left out. */
export async function readId3(bytes: Uint8Array, decodeOld: DecodeOld): Promise<SongFacts> {
  const end = Math.min(id3Length(bytes), bytes.length)
  const version = bytes[3] ?? 0
  if (end === 0 || version < 3 || version > 4) return {}
  const facts: { -readonly [Name in keyof SongFacts]: SongFacts[Name] } = {}
  const old = new Map<TextName, Uint8Array>()
  // The length of an extended header excludes its own four bytes in 2.3 and includes them in 2.4.
  const extended = ((bytes[5] ?? 0) & 0x40) !== 0
  let at = HEADER + (extended ? (version === 4 ? sevenBits(bytes, HEADER) : 4 + eightBits(bytes, HEADER)) : 0)
  while (at + HEADER < end) {
    const id = latin1(bytes.subarray(at, at + 4))
    const size = version === 4 ? sevenBits(bytes, at + 4) : eightBits(bytes, at + 4)
    const start = at + HEADER
    if (!/^[A-Z0-9]{4}$/.test(id) || size <= 0 || start + size > end) break
    const body = bytes.subarray(start, start + size)
    if (id === 'TIT2' || id === 'TPE1' || id === 'TALB') {
      const name = NAMES[id]
      if (body[0] !== LATIN1) facts[name] ??= plain(decode(body[0] ?? LATIN1, body.subarray(1)))
      else if (!old.has(name)) old.set(name, untilZero(body.subarray(1)))
    }
    if (id === 'APIC') facts.cover = coverOf(body) ?? facts.cover
    at = start + size
  }
  const decoded = await decodeOld([...old.values()])
  for (const [index, name] of [...old.keys()].entries()) facts[name] ??= plain(decoded[index] ?? '')
  return facts
}

function plain(text: string): string | undefined {
  return text.split('\0', 1)[0]?.trim() || undefined
}

function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0)
  return end === -1 ? bytes : bytes.subarray(0, end)
}

/** APIC: encoding, MIME type, NUL, kind of picture, description, NUL (two in UTF-16), picture. */
function coverOf(body: Uint8Array): SongFacts['cover'] {
  const encoding = body[0] ?? 0
  const typeEnd = body.indexOf(0, 1)
  if (typeEnd === -1) return undefined
  const named = latin1(body.subarray(1, typeEnd)).toLowerCase()
  const type = named === 'image/jpg' ? 'image/jpeg' : named
  const wide = encoding === 1 || encoding === 2
  let end = typeEnd + 2
  while (end < body.length && (body[end] !== 0 || (wide && body[end + 1] !== 0))) end += wide ? 2 : 1
  const bytes = body.subarray(end + (wide ? 2 : 1))
  const kind = body[typeEnd + 1]
  if (!COVER_TYPES.has(type) || bytes.length === 0 || (kind !== FRONT_COVER && kind !== 0)) return undefined
  return { type, bytes }
}

function decode(encoding: number, bytes: Uint8Array): string {
  if (encoding === 3) return new TextDecoder().decode(bytes)
  const isBig = encoding === 2 || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const text = decodeUnicode(bytes, isBig ? 'utf-16be' : 'utf-16le', { exact: false }) ?? ''
  return text.replace(/^\ufeff/, '')
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

/** A "synchsafe" integer: seven bits per byte, so it never looks like the start of an MPEG frame. */
function sevenBits(bytes: Uint8Array, at: number): number {
  return [0, 1, 2, 3].reduce((sum, offset) => sum * 128 + ((bytes[at + offset] ?? 0) & 0x7f), 0)
}

function eightBits(bytes: Uint8Array, at: number): number {
  return [0, 1, 2, 3].reduce((sum, offset) => sum * 256 + (bytes[at + offset] ?? 0), 0)
}
