import type { Listing, Resource } from '../../../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../../../src/domain/files/sorting.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { Client } from '../../../api/client.ts'
import { readToken } from '../../../api/token.ts'
import { createLooks, type Look } from '../listing/looks.ts'
import { lazyGroups } from './use-groups.ts'
import { inOrder, keysOf, sortEntries } from './sort-entries.ts'
import { sameSorting } from './sort-order.ts'

/** A listing from the server, in the order that its user has chosen for the folder. */
export async function arrangeListing(listing: Listing, folder: VirtualPath, client: Client): Promise<Listing> {
  const token = client.authHeaders()['X-Auth'] ?? ''
  const { look } = createLooks(localStorage, readToken(token)?.user.id).of(folder)
  const { sorting = listing.sorting, grouping = 'none' } = look
  if (sameSorting(sorting, listing.sorting))
    return grouping === 'none' ? listing : { ...listing, items: await grouped(listing.items, { sorting, grouping }) }
  return await reorder(listing, { sorting, grouping })
}

type Order = Pick<Look, 'sorting' | 'grouping'>

/** The groups count too, so that the viewer walks through the files as the list shows them. */
export async function reorder(listing: Listing, order: Order): Promise<Listing> {
  const items = await sortFolder(listing.items, order.sorting)
  return { ...listing, sorting: order.sorting, items: await grouped(items, order) }
}

async function grouped(items: Resource[], { sorting, grouping }: Order): Promise<Resource[]> {
  if (grouping === 'none') return items
  const { groupEntries } = await lazyGroups.load()
  return groupEntries(items, grouping, sorting, new Date(), document.documentElement.lang).entries
}

/** Up to this many entries are sorted here without a noticeable delay; more go to a worker. */
const MAX_IN_PAGE = 5000

/** Sorts a folder of any size without blocking the page. */
async function sortFolder(entries: readonly Resource[], sorting: Sorting): Promise<Resource[]> {
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
