import { useEffect } from 'react'
import type { Resource } from '../../../src/domain/resource.ts'
import { parentOf, type VirtualPath } from '../../../src/domain/virtual-path.ts'
import type { ViewerAction } from '../viewer/viewed-file.ts'
import { useStore } from '../lib/create-store.ts'
import { useWork } from '../files/actions/late-work.tsx'
import type { WorkAction, WorkItem } from '../files/actions/work.ts'

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

/** What can be done with files everywhere, for the one that is shown. */
export function useViewerActions({ file, path, onRenamed, onGone }: ViewerActionsOptions): ViewerAction[] {
  const work = useWork()
  const actionsOf = useStore(work.actions)
  useEffect(() => void work.prepare(), [work])
  const item: WorkItem = { ...file, path }
  const folder = parentOf(path)
  /** What leaves nothing to be shown here, or leaves it under another name. */
  const own: Readonly<Record<string, () => Promise<void>>> = {
    rename: async () => {
      const renamed = await work.rename(item)
      if (renamed !== undefined) onRenamed(renamed)
    },
    delete: async () => {
      if (await work.remove([item])) onGone()
    },
    deleteForGood: async () => {
      if (await work.removeForGood([item])) onGone()
    },
  }
  const runOf = ({ id, run }: WorkAction): (() => void) | undefined => {
    const ownRun = own[id]
    return ownRun === undefined ? run : () => void ownRun()
  }
  const place = ({ id }: ViewerAction) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length)
  return actionsOf({ folder, count: 1, items: () => [item], all: false })
    .flatMap((action): ViewerAction[] => {
      const run = runOf(action)
      if (run === undefined || ELSEWHERE.has(action.id)) return []
      const { id, label, icon, keys, danger } = action
      return [{ id, label, icon, keys: keys || undefined, danger, run }]
    })
    .toSorted((one, other) => place(one) - place(other))
}
