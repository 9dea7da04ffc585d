import type { Resource } from '../../../src/domain/resource.ts'
import { parentOf, type VirtualPath } from '../../../src/domain/virtual-path.ts'
import type { ViewerAction } from '../viewer/file/viewed-file.ts'
import { useFileActions } from '../files/actions/file-actions-context.tsx'
import type { FileItem } from '../files/actions/model.ts'
import { isOffered, useSelectionActions } from '../files/actions/menus/selection-actions.ts'

interface ViewerActionsOptions {
  readonly file: Resource
  readonly path: VirtualPath
  readonly onRenamed: (path: VirtualPath) => void
  readonly onGone: () => void
}

/** Those have buttons of their own, in this order; the others are in the menu. */
const FIRST: readonly string[] = ['share', 'rename', 'download', 'delete']
/** The clipboard belongs to the listing, where what is copied is seen. */
const ELSEWHERE: ReadonlySet<string> = new Set(['copy', 'cut', 'paste'])

/** The actions on files everywhere, for the one that is shown. */
export function useViewerActions({ file, path, onRenamed, onGone }: ViewerActionsOptions): ViewerAction[] {
  const files = useFileActions()
  const actionsOf = useSelectionActions()
  const item: FileItem = { ...file, path }
  const leavingAfter = async (removing: Promise<boolean>): Promise<boolean> => {
    const gone = await removing
    if (gone) onGone()
    return gone
  }
  const here = {
    ...files,
    rename: async () => {
      const renamed = await files.rename(item)
      if (renamed !== undefined) onRenamed(renamed)
    },
    remove: async () => await leavingAfter(files.remove([item])),
    removeForGood: async () => await leavingAfter(files.removeForGood([item])),
  }
  const place = ({ id }: ViewerAction) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length)
  return actionsOf({ folder: parentOf(path), count: 1, items: () => [item], all: false }, here)
    .filter(isOffered)
    .filter(({ id }) => !ELSEWHERE.has(id))
    .map(({ id, label, icon, keys, danger, run }) => ({ id, label, icon, keys: keys || undefined, danger, run }))
    .toSorted((one, other) => place(one) - place(other))
}
