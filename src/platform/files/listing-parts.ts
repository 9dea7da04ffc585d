import { setImmediate as otherWork } from 'node:timers/promises'
import type { Resource } from '../../domain/files/resource.ts'

/** Items in one part. Other requests are served between two parts. */
const PART = 500

/**
 * The JSON of a listing. Made part by part, because encoding a hundred thousand items at once would block the event loop.
 *
 * @param describe makes an item
 * @param rest further fields, after the items and their counts
 */
export async function* listingParts<Row>(
  rows: readonly Row[],
  describe: (row: Row) => Resource,
  rest: object,
): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from('{"items":[')
  let numDirs = 0
  for (let start = 0; start < rows.length; start += PART) {
    const items = rows.slice(start, start + PART).map(describe)
    numDirs += items.filter(({ isDir }) => isDir).length
    const part = JSON.stringify(items).slice(1, -1)
    yield Buffer.from(start === 0 ? part : `,${part}`)
    await otherWork()
  }
  const counts = { numDirs, numFiles: rows.length - numDirs }
  yield Buffer.from(`],${JSON.stringify({ ...counts, ...rest }).slice(1)}`)
}
