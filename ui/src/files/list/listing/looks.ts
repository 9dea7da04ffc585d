import type { UserView } from '../../../../../src/domain/accounts/user.ts'
import { parentOf, ROOT, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import type { Sorting } from '../../../../../src/domain/files/sorting.ts'
import { keep, readKept } from '../../../lib/kept-list.ts'
import type { Column } from '../grid/columns/columns.ts'
import type { Grouping } from '../sort/sort-order.ts'

/** How a folder is shown. */
export interface Look {
  readonly mode: UserView['viewMode']
  readonly sorting: Sorting
  readonly grouping: Grouping
  readonly columns: readonly Column[]
}

/** The default has mode and sorting in the account, on every device. */
type KeptLook = readonly [folder: string, look: Partial<Look>]

export const USUAL_COLUMNS: readonly Column[] = [
  { id: 'size', width: 104 },
  { id: 'modified', width: 152 },
]

const MAX_FOLDERS = 500
const ALL_FOLDERS = ''

/**
 * What a user has chosen for folders in this browser: each choice applies also below its folder, down to the next one. Of too many,
 * those that changed last are kept.
 *
 * @param user users who share a browser do not see each other's
 */
export function createLooks(storage: Storage, user: number | undefined) {
  const key = `filemgr:looks:${user}`
  const all = () => readKept(storage, key).filter(Array.isArray) as unknown as KeptLook[]
  const replace = (folder: VirtualPath, ...looks: readonly KeptLook[]): void => {
    const kept = all()
    const defaults = kept.filter(([name]) => name === ALL_FOLDERS)
    const others = kept.filter(([name]) => name !== folder && name !== ALL_FOLDERS)
    keep(storage, key, [...defaults, ...looks, ...others].slice(0, MAX_FOLDERS))
  }
  return {
    /** What applies to the folder, as far as this browser knows; `own` if it was chosen there. */
    of(folder: VirtualPath): { readonly own: boolean; readonly look: Partial<Look> } {
      const kept = new Map(all())
      let from = folder
      while (from !== ROOT && !kept.has(from)) from = parentOf(from)
      return { own: kept.has(folder), look: { ...kept.get(ALL_FOLDERS), ...kept.get(from) } }
    },
    keep: (folder: VirtualPath, look: Look) => replace(folder, [folder, look]),
    forget: (folder: VirtualPath) => replace(folder),
    /** All folders lose their own. */
    keepForAll: (look: Partial<Look>) => keep(storage, key, [[ALL_FOLDERS, look]]),
  }
}
