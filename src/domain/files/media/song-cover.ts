import type { RawPreview } from './raw-preview.ts'

/** The bytes of a file, at any position. */
export interface SongBytes {
  readonly size: number
  /** Returns fewer bytes than requested only at the end. */
  read(position: number, length: number): Promise<Uint8Array>
}

type Part = Pick<RawPreview, 'start' | 'length'>

/** Frames, blocks and boxes that are looked at: the attack is a file with millions of empty ones. */
const MAX_STEPS = 500
/** Kinds of pictures: other, and the front cover. */
const COVERS: readonly number[] = [0, 3]
/** Bytes of a description before a picture. */
const MAX_DESCRIPTION = 1024

/** Where the cover of an MP3, FLAC or MPEG-4 file is in it; undefined without one. */
export async function findSongCover(bytes: SongBytes): Promise<RawPreview | undefined> {
  const head = latin1(await bytes.read(0, 8))
  let part: Part | undefined
  if (head.startsWith('ID3')) part = await inId3(bytes)
  else if (head.startsWith('fLaC')) part = await inFlac(bytes)
  else if (head.slice(4) === 'ftyp') part = await inBoxes(bytes)
  return part && part.length > 0 && part.start + part.length <= bytes.size ? { ...part, orientation: 1 } : undefined
}

const ID3_HEAD = 10
const PLAIN_ID3 = 0

/** ID3v2.3 and ID3v2.4 (id3.org). Frames that are compressed or changed in another way are left out. */
async function inId3(bytes: SongBytes): Promise<Part | undefined> {
  const head = await bytes.read(0, ID3_HEAD + 4)
  const version = head[3] ?? 0
  const flags = head[5] ?? 0
  if (version < 3 || version > 4 || (flags & 0x80) !== 0) return undefined
  const end = ID3_HEAD + number(head, 6, 4, 7)
  const hasMore = (flags & 0x40) !== 0
  // The length of an extended header excludes its own four bytes in 2.3 and includes them in 2.4.
  const extended = version === 4 ? number(head, ID3_HEAD, 4, 7) : 4 + number(head, ID3_HEAD, 4)
  let at = ID3_HEAD + (hasMore ? extended : 0)
  for (let step = 0; step < MAX_STEPS && at + ID3_HEAD < end; step += 1) {
    const frame = await bytes.read(at, ID3_HEAD + MAX_DESCRIPTION)
    const size = number(frame, 4, 4, version === 4 ? 7 : 8)
    if (size === 0) return undefined
    if (latin1(frame.subarray(0, 4)) === 'APIC' && frame[9] === PLAIN_ID3) {
      const skipped = beforePicture(frame.subarray(ID3_HEAD))
      if (skipped !== undefined) return { start: at + ID3_HEAD + skipped, length: size - skipped }
    }
    at += ID3_HEAD + size
  }
  return undefined
}

/** APIC: encoding, MIME type, NUL, kind of picture, description, NUL (two in UTF-16), picture. */
function beforePicture(body: Uint8Array): number | undefined {
  const typeEnd = body.indexOf(0, 1)
  if (typeEnd === -1 || !COVERS.includes(body[typeEnd + 1] ?? -1)) return undefined
  const width = body[0] === 1 || body[0] === 2 ? 2 : 1
  for (let at = typeEnd + 2; at + width <= body.length; at += width)
    if (body[at] === 0 && (width === 1 || body[at + 1] === 0)) return at + width
  return undefined
}

const FLAC_PICTURE = 6

/** See "metadata block" in RFC 9639. */
async function inFlac(bytes: SongBytes): Promise<Part | undefined> {
  let at = 4
  for (let step = 0; step < MAX_STEPS && at < bytes.size; step += 1) {
    const block = await bytes.read(at, 12)
    const kind = block[0] ?? 0
    if ((kind & 0x7f) === FLAC_PICTURE && COVERS.includes(number(block, 4, 4))) {
      // Type, description, four numbers about the picture, its length.
      const typeEnd = at + 12 + number(block, 8, 4)
      const numbers = typeEnd + 4 + number(await bytes.read(typeEnd, 4), 0, 4) + 16
      return { start: numbers + 4, length: number(await bytes.read(numbers, 4), 0, 4) }
    }
    if ((kind & 0x80) !== 0) return undefined
    at += 4 + number(block, 1, 3)
  }
  return undefined
}

/** Boxes that lead to the cover, and the bytes before those inside. */
const BOXES = [
  ['moov', 0],
  ['udta', 0],
  ['meta', 4],
  ['ilst', 0],
  ['covr', 0],
  ['data', 8],
] as const

/** See "Object structured file organization" in ISO/IEC 14496-12. */
async function inBoxes(bytes: SongBytes): Promise<Part | undefined> {
  let [at, end, depth] = [0, bytes.size, 0]
  for (let step = 0; step < MAX_STEPS && at + 8 <= end; step += 1) {
    const head = await bytes.read(at, 16)
    const short = number(head, 0, 4)
    const [headSize, size] = short === 1 ? [16, number(head, 8, 8)] : [8, short === 0 ? end - at : short]
    if (size < headSize) return undefined
    const [name, skipped] = BOXES[depth] ?? ['', 0]
    if (latin1(head.subarray(4, 8)) !== name) {
      at += size
      continue
    }
    end = Math.min(end, at + size)
    at += headSize + skipped
    depth += 1
    if (depth === BOXES.length) return { start: at, length: end - at }
  }
  return undefined
}

/** Big-endian. @param bits that count of each byte */
function number(bytes: Uint8Array, at: number, length: number, bits: 7 | 8 = 8): number {
  return bytes.subarray(at, at + length).reduce((sum, byte) => sum * 2 ** bits + (byte & (2 ** bits - 1)), 0)
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
