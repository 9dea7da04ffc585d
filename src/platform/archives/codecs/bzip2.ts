import { BitWriter } from './bzip2/bit-writer.ts'
import { writeSymbols } from './bzip2/code-tables.ts'
import { frontSymbols } from './bzip2/front-symbols.ts'
import { LastColumn } from './bzip2/last-column.ts'

/** Bytes of one stream, which are one block of the format unless short runs make them more. */
export const BZIP2_BLOCK = 899_000
/** The format allows 900,000 in a block, but the original program leaves some of them. */
const MAX_BLOCK = 900_000 - 19
/** Symbols need nine bits at most, and short runs make a quarter more of them. */
const ROOM = Math.ceil(1.5 * BZIP2_BLOCK) + 64 * 1024
/** A run is four equal bytes and how many more follow. */
const [RUN_HEAD, RUN_MAX] = [4, 255]

/** Makes each block a complete stream; a file may contain many streams. */
export function createBzip2(): (block: Uint8Array) => Uint8Array {
  const writer = new BitWriter(ROOM)
  const room = new Uint8Array(MAX_BLOCK)
  const column = new LastColumn(MAX_BLOCK)
  return (content) => {
    writer.start()
    put(writer, 'BZh9')
    let sums = 0
    for (let start = 0; start < content.length;) {
      const { end, length } = packRuns(content, start, room)
      const sum = crc32(content, start, end)
      sums = ((sums << 1) | (sums >>> 31)) ^ sum
      put(writer, '1AY&SY')
      put32(writer, sum)
      column.find(room.subarray(0, length))
      writeBlock(writer, column)
      start = end
    }
    put(writer, '\x17rE8P\x90')
    put32(writer, sums)
    return writer.finish()
  }
}

function writeBlock(writer: BitWriter, { bytes, row }: LastColumn): void {
  const symbols = frontSymbols(bytes)
  // Blocks are not randomised.
  writer.put(1, 0)
  writer.put(24, row)
  // Which of sixteen ranges of bytes occur, then which bytes of these.
  const ranges = new Uint16Array(16)
  for (const byte of symbols.used) ranges[byte >> 4] = (ranges[byte >> 4] ?? 0) | (0x8000 >> (byte & 15))
  writer.put(
    16,
    ranges.reduce((map, range, index) => (range === 0 ? map : map | (0x8000 >> index)), 0),
  )
  for (const range of ranges) if (range !== 0) writer.put(16, range)
  writeSymbols(writer, symbols)
}

/** Shortens runs, until the content or the room ends. */
function packRuns(content: Uint8Array, start: number, room: Uint8Array): { end: number; length: number } {
  let [at, length] = [start, 0]
  while (at < content.length && length <= room.length - RUN_HEAD - 1) {
    const byte = content[at] ?? 0
    const from = at
    const most = Math.min(from + RUN_MAX, content.length)
    do at += 1
    while (at < most && content[at] === byte)
    const run = at - from
    for (let written = Math.min(run, RUN_HEAD); written > 0; written -= 1) room[length++] = byte
    if (run >= RUN_HEAD) room[length++] = run - RUN_HEAD
  }
  return { end: at, length }
}

function put(writer: BitWriter, text: string): void {
  for (let at = 0; at < text.length; at += 1) writer.put(8, text.charCodeAt(at))
}

function put32(writer: BitWriter, value: number): void {
  writer.put(16, value >>> 16)
  writer.put(16, value & 0xffff)
}

const POLYNOMIAL = 0x04c11db7

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24
  for (let bit = 0; bit < 8; bit += 1) sum = (sum << 1) ^ ((sum >>> 31) * POLYNOMIAL)
  return sum
})

/** Highest bit first, unlike the sums of Node. */
function crc32(bytes: Uint8Array, start: number, end: number): number {
  let sum = -1
  for (let at = start; at < end; at += 1) sum = (TABLE[(sum >>> 24) ^ (bytes[at] ?? 0)] ?? 0) ^ (sum << 8)
  return ~sum
}
