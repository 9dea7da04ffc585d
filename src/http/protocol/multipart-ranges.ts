import { Readable } from 'node:stream'
import type { ByteRange } from './ranges.ts'

export interface RangeSource {
  readonly size: number
  stream(start: number, end: number): Readable
}

export interface MultipartBody {
  readonly type: string
  readonly length: number
  readonly body: Readable
}

/** A multipart/byteranges body (RFC 9110, 14.6), streamed part by part, with its exact length. */
export function multipartRanges(
  file: RangeSource,
  ranges: readonly ByteRange[],
  partType: string,
  boundary: string,
): MultipartBody {
  const heads = ranges.map(({ start, end }, index) => {
    const opening = `${index === 0 ? '' : '\r\n'}--${boundary}\r\n`
    return `${opening}Content-Range: bytes ${start}-${end}/${file.size}\r\nContent-Type: ${partType}\r\n\r\n`
  })
  const tail = `\r\n--${boundary}--\r\n`
  const bytes = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0)
  const frame = [...heads, tail].reduce((sum, text) => sum + Buffer.byteLength(text), 0)

  async function* parts(): AsyncGenerator<Uint8Array> {
    for (const [index, { start, end }] of ranges.entries()) {
      yield Buffer.from(heads[index] ?? '')
      yield* file.stream(start, end) as AsyncIterable<Uint8Array>
    }
    yield Buffer.from(tail)
  }

  return {
    type: `multipart/byteranges; boundary=${boundary}`,
    length: bytes + frame,
    body: Readable.from(parts(), { objectMode: false }),
  }
}
