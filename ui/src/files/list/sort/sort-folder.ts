import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../../../src/domain/files/sorting.ts'
import { inOrder, keysOf, sortEntries } from './sort-entries.ts'

/** Up to this many entries are sorted here without a noticeable delay; more go to a worker. */
const MAX_IN_PAGE = 5000

/** Sorts a folder of any size without blocking the page. */
export async function sortFolder(entries: readonly Resource[], sorting: Sorting): Promise<Resource[]> {
  if (entries.length <= MAX_IN_PAGE) return sortEntries(entries, sorting)
  const worker = new Worker(new URL('./sort-worker.ts', import.meta.url), { type: 'module', name: 'sort' })
  try {
    const order = await new Promise<Uint32Array>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Uint32Array>) => resolve(data)
      worker.onerror = (event) => reject(new Error(`The folder could not be sorted: ${event.message}`))
      worker.postMessage({ keys: keysOf(entries), sorting })
    })
    return inOrder(entries, order)
  } finally {
    worker.terminate()
  }
}
