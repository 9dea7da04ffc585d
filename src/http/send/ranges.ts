import { Readable } from 'node:stream'

/** Positions in bytes, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** `whole`: answer 200 with everything; `unsatisfiable` and `malformed`: 416, the former with the size. */
export type RangeDecision =
  | { readonly kind: 'whole' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'unsatisfiable' }
  | { readonly kind: 'parts'; readonly ranges: readonly ByteRange[] }

/** For more or overlapping ranges the whole file is sent: they would multiply the work and size of a reply (CVE-2011-3192). */
const MAX_RANGES = 8

const WHOLE: RangeDecision = { kind: 'whole' }
const MALFORMED: RangeDecision = { kind: 'malformed' }

/** Reads a Range header (RFC 9110, 14.2) for a file of `size` bytes. */
export function decideRange(header: string | undefined, size: number): RangeDecision {
  if (header === undefined) return WHOLE
  const list = /^bytes=(.+)$/.exec(header)?.[1]
  if (list === undefined) return MALFORMED
  const specs = list.split(',').map((spec) => spec.trim())
  const found: ByteRange[] = []
  for (const spec of specs.filter((text) => text !== '')) {
    const range = readRange(spec, size)
    if (range === 'malformed') return MALFORMED
    if (range !== 'outside') found.push(range)
  }
  // Some clients send a Range with every request, even for an empty file.
  if (size === 0) return WHOLE
  if (found.length === 0) return { kind: 'unsatisfiable' }
  return found.length > MAX_RANGES || overlap(found) ? WHOLE : { kind: 'parts', ranges: found }
}

function readRange(spec: string, size: number): ByteRange | 'malformed' | 'outside' {
  const [, first, last] = /^(\d*)-(\d*)$/.exec(spec) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'malformed'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'malformed'
  return start >= size ? 'outside' : { start, end }
}

function overlap(ranges: readonly ByteRange[]): boolean {
  const sorted = ranges.toSorted((a, b) => a.start - b.start)
  return sorted.some((range, index) => range.start <= (sorted[index - 1]?.end ?? -1))
}

/** A multipart/byteranges body (RFC 9110, 14.6), streamed part by part, with its exact length. */
export function multipartRanges(
  file: { readonly size: number; stream(start: number, end: number): Readable },
  ranges: readonly ByteRange[],
  partType: string,
  boundary: string,
) {
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
