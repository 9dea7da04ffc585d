import type { Header } from 'tar'
import { parseSeconds, timeOfMilliseconds } from '../../../domain/files/file-time.ts'

/** The name and the link target of an entry, as the bytes that a tar has. */
export interface TarNames {
  readonly path?: Buffer
  readonly target?: Buffer
}

const NAME = { start: 0, end: 100 }
const TARGET = { start: 157, end: 257 }
const MAGIC = { start: 257, end: 265 }
const PREFIX = { start: 345, end: 500 }
/** Where some programs write times instead of the end of the prefix. */
const SHORT_PREFIX = { start: 345, end: 475 }
/** POSIX; GNU tar, which has another magic, keeps other facts where the prefix would be. */
const USTAR = 'ustar\x0000'
const SLASH = 0x2f
const SPACE = 0x20
const EQUALS = 0x3d
/** Decimal digits of the length of a record. */
const MAX_DIGITS = 10
const PAX_TIME = /^\d+ mtime=([-.\d]+)$/gm

/** The names in a header, without those of headers before it. */
export function namesIn(block: Buffer): Required<TarNames> {
  const target = upToNul(block.subarray(TARGET.start, TARGET.end))
  const name = upToNul(block.subarray(NAME.start, NAME.end))
  if (block.toString('latin1', MAGIC.start, MAGIC.end) !== USTAR) return { path: name, target }
  const isLong = block[SHORT_PREFIX.end] !== 0
  const prefix = upToNul(isLong ? slice(block, PREFIX) : slice(block, SHORT_PREFIX))
  return { path: prefix.length === 0 ? name : Buffer.concat([prefix, Buffer.of(SLASH), name]), target }
}

/** The names in a pax header. The last of several counts; what follows a malformed record is ignored, as other programs do. */
export function namesInPax(records: Buffer): TarNames {
  const found = new Map<string, Buffer>()
  for (let at = 0; at < records.length;) {
    const space = records.indexOf(SPACE, at)
    const equals = records.indexOf(EQUALS, space)
    if (space < 0 || space > at + MAX_DIGITS || equals < 0) break
    const end = at + Number(records.toString('latin1', at, space))
    if (!(end > equals) || end > records.length) break
    // A name may contain a line feed, so only the length says where it ends.
    found.set(records.toString('latin1', space + 1, equals), upToNul(records.subarray(equals + 1, end - 1)))
    at = end
  }
  // The path of a sparse file is one for programs that do not know these.
  const [path, target] = [found.get('GNU.sparse.name') ?? found.get('path'), found.get('linkpath')]
  return { ...(path && { path }), ...(target && { target }) }
}

export function upToNul(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

function slice(block: Buffer, { start, end }: { readonly start: number; readonly end: number }): Buffer {
  return block.subarray(start, end)
}

/** Of a tar, whose header has whole seconds. */
export function timeInHeader({ mtime }: Header): bigint {
  const milliseconds = mtime?.getTime() ?? 0
  return timeOfMilliseconds(Number.isFinite(milliseconds) ? milliseconds : 0)
}

/** The last time among records such as "30 mtime=1350244992.023960108". Undefined if there is none. */
export function timeInPax(text: string): bigint | undefined {
  const last = [...text.matchAll(PAX_TIME)].at(-1)?.[1]
  return last === undefined ? undefined : parseSeconds(last)
}
