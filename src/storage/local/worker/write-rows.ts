import { extensionOf } from '../../../domain/files/media/media-type.ts'
import { sortListing } from '../../../domain/files/listing-order.ts'
import type { Resource } from '../../../domain/files/resource.ts'
import type { Sorting } from '../../../domain/files/sorting.ts'
import { createPartsFormat } from '../../../domain/files/file-time.ts'
import type { Lend } from '../../../platform/workers/worker-host.ts'
import type { Rows } from './rows.ts'
import type { SubtitlesOf } from './subtitles.ts'
import { type NameBytes, textOf } from './sync-calls.ts'

interface WrittenListing {
  readonly rows: Rows
  readonly names: readonly NameBytes[]
  readonly order: readonly number[]
  readonly pathPrefix: string
  readonly sorting: Sorting
  /** The folder itself. */
  readonly own: Resource
  readonly subtitlesOf: SubtitlesOf
}

/** Bytes of one part of the response. */
const PART = 128 * 1024
/** Upper estimate for the bytes of a row, so that a short listing needs less than a part. */
const ROW = 512
/** Characters between two steps. */
const STEP = 8 * 1024

const utf8 = new TextEncoder()

/** Writes the wire JSON as text, which takes half the time and a fraction of the memory of building objects. */
export function* writeListing(listing: WrittenListing, lend: Lend): Generator<Uint8Array | undefined, void, void> {
  const size = Math.min(PART, (1 + listing.order.length) * ROW)
  let part = lend(size)
  let used = 0
  function* put(text: string): Generator<Uint8Array | undefined, void, void> {
    for (let rest = text; ;) {
      const { read, written } = utf8.encodeInto(rest, part.subarray(used))
      used += written
      rest = rest.slice(read)
      if (rest === '') break
      yield part.subarray(0, used)
      part = lend(size)
      used = 0
    }
    yield
  }
  const writeRow = createRowWriter(listing)
  let text = '{"items":['
  let folders = 0
  let comma = ''
  for (const index of listing.order) {
    text += comma + writeRow(index)
    comma = ','
    if (listing.rows.isDir(index)) folders += 1
    if (text.length < STEP) continue
    yield* put(text)
    text = ''
  }
  const counts = `"numDirs":${folders},"numFiles":${listing.order.length - folders}`
  const own = JSON.stringify(listing.own).slice(1)
  yield* put(`${text}],${counts},"sorting":${JSON.stringify(listing.sorting)},${own}`)
  yield part.subarray(0, used)
}

function createRowWriter({ rows, names, pathPrefix, subtitlesOf }: WrittenListing): (index: number) => string {
  const timeOf = createPartsFormat()
  // Without the closing quote, because a name follows.
  const prefix = quote(pathPrefix).slice(0, -1)
  return (index) => {
    const bytes = names[index] ?? ''
    const name = textOf(bytes)
    const quoted = quote(name)
    const isDir = rows.isDir(index)
    const type = rows.type(index)
    const subtitles = type === 'video' ? subtitlesOf(bytes) : []
    const tail = subtitles.length > 0 ? `,"subtitles":${JSON.stringify(subtitles)}}` : '}'
    return (
      `{"path":${prefix}${quoted.slice(1)},"name":${quoted},"size":${rows.size(index)},` +
      `"extension":${quote(extensionOf(name))},"modified":"${timeOf(rows.seconds(index), rows.nanos(index))}",` +
      `"mode":${rows.mode(index)},"isDir":${isDir},"isSymlink":${rows.isSymlink(index)},"type":"${type}"${tail}`
    )
  }
}

const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}

/** The indexes of the visible rows, in the requested order. */
export function orderOf(rows: Rows, names: readonly NameBytes[], sorting: Sorting): number[] {
  const shown: number[] = []
  for (let index = 0; index < rows.count; index += 1) if (rows.isShown(index)) shown.push(index)
  const columns = {
    name: (index: number) => textOf(names[index] ?? NO_NAME),
    isDir: (index: number) => rows.isDir(index),
    size: (index: number) => rows.size(index),
    compareTimes: (one: number, other: number) =>
      rows.seconds(one) - rows.seconds(other) || rows.nanos(one) - rows.nanos(other),
    compareNames: (one: number, other: number) => compare(names[one] ?? NO_NAME, names[other] ?? NO_NAME),
  }
  return sortListing(shown, columns, sorting)
}

const NO_NAME = '' as NameBytes

function compare(one: NameBytes, other: NameBytes): number {
  return one < other ? -1 : Number(one > other)
}
