import type { Actor } from '../../domain/accounts/actor.ts'
import { isFilemgrError } from '../../domain/errors.ts'
import { isSharedPath, SHARED_FOLDER, sharedNameOf, shownPathOf } from '../../domain/shares/shared-folder.ts'
import { nameOf, parseVirtualPath } from '../../domain/files/virtual-path.ts'
import type { Resource } from '../../domain/files/resource.ts'
import { compareBytes } from '../../domain/files/listing-order.ts'
import { listingParts } from '../../platform/files/listing-parts.ts'
import type { AccessService } from '../access/access.ts'

/** Of a folder, as Go writes it: rwxr-xr-x. */
const FOLDER_MODE = 0x80000000 + 0o755

/** Entries that are looked up at the same time. */
const AT_ONCE = 16

/**
 * Folders that are on no disk: the one of all that is shared with a user, and what only takes files, which its recipients see
 * empty.
 */
export function createSharedFolder({ access }: { readonly access: AccessService }) {
  type Granted = ReturnType<AccessService['granted']>[number]

  const entryOf = async (actor: Actor, { grant, name }: Granted): Promise<Resource | undefined> => {
    const path = shownPathOf(name)
    if (grant.allows === 'upload') return folder(path, name, grant.created)
    try {
      using files = await access.at(actor, path)
      return { ...(await files.scope.stat(files.path, { ...files.view(path), sniff: false })), name }
    } catch (error) {
      // It was moved or deleted by others than us, or shared differently meanwhile.
      if (!isFilemgrError(error, 'NOT_FOUND', 'FORBIDDEN')) throw error
      return undefined
    }
  }

  return {
    /** The JSON of its listing. Undefined for any other path. */
    async listing(actor: Actor, text: string): Promise<AsyncIterable<Uint8Array> | undefined> {
      if (!isSharedPath(text)) return undefined
      const path = parseVirtualPath(text)
      const granted = access.granted(actor)
      const own = { ...folder(text, nameOf(path), 0), sorting: { by: 'name', asc: false } }
      if (path !== SHARED_FOLDER) {
        const one = granted.find(({ name }) => name === sharedNameOf(path))
        const isEmpty = one?.grant.allows === 'upload' && path === shownPathOf(one.name)
        return isEmpty ? listingParts<Resource>([], (row) => row, own) : undefined
      }
      const entries: Resource[] = []
      for (let first = 0; first < granted.length; first += AT_ONCE) {
        const some = granted.slice(first, first + AT_ONCE)
        const found = await Promise.all(some.map(async (each) => await entryOf(actor, each)))
        entries.push(...found.filter((entry) => entry !== undefined))
      }
      const sorted = entries.toSorted((a, b) => compareBytes(a.name, b.name))
      return listingParts(sorted, (row) => row, own)
    },
  }
}

/** @param modified Unix seconds */
function folder(path: string, name: string, modified: number): Resource {
  return {
    path,
    name,
    size: 0,
    extension: '',
    modified: new Date(modified * 1000).toISOString(),
    mode: FOLDER_MODE,
    isDir: true,
    isSymlink: false,
    type: '',
  }
}
