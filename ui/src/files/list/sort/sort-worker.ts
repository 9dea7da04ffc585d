import type { Sorting } from '../../../../../src/domain/files/sorting.ts'
import { orderOf, type SortKeys } from './sort-entries.ts'

/** Sorts once and is then terminated by the page. */
self.onmessage = ({ data }: MessageEvent<{ readonly keys: SortKeys; readonly sorting: Sorting }>): void => {
  const order = orderOf(data.keys, data.sorting)
  self.postMessage(order, { transfer: [order.buffer] })
}
