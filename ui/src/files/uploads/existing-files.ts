import { getRecursive, getResource } from '../../../../src/api/files.ts'
import { childOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { ApiError } from '../../api/api-error.ts'
import type { Client } from '../../api/client.ts'
import { foldersToLookInto, type Existing } from './conflict-check.ts'
import type { UploadEntry } from './upload-entry.ts'

/** What is at the target already: its entries, and everything beneath those folders that an upload goes into. */
export async function findExisting(
  client: Client,
  target: VirtualPath,
  entries: readonly UploadEntry[],
): Promise<ReadonlyMap<string, Existing>> {
  const found = new Map<string, Existing>()
  const listing = await client.call(getResource, { params: { '*': target } }).catch(nothingWhenMissing)
  if (listing === null || !('items' in listing)) return found
  for (const entry of listing.items) found.set(entry.name, entry)
  for (const folder of foldersToLookInto(entries, found)) {
    const root = childOf(target, folder)
    for (const entry of await client.call(getRecursive, { params: { '*': root } })) {
      found.set(entry.path.slice(root.length - folder.length), entry)
    }
  }
  return found
}

/** The target may be a folder that is only about to be made. */
function nothingWhenMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}
