import { useState, type MouseEvent } from 'react'
import { parentOf, ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useLiveEvent } from '../../api/live-events.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import { FolderTree } from '../../files/actions/prompts/folders/folder-tree-view.tsx'
import { pathsTo, treeRows, type TreeState } from '../../files/actions/prompts/folders/folder-tree.ts'
import { useFolderChildren } from '../../files/actions/prompts/folders/folder-tree-view.tsx'
import styles from './folder-sections.module.css'

const NEVER = (): boolean => false

/** All folders as a tree, loaded as they are expanded. It expands to the open folder. */
export function SidebarTree({ here }: { readonly here: VirtualPath }) {
  const navigateTo = useNavigateTo()
  const [tree, setTree] = useState<TreeState & { readonly followed: VirtualPath | null }>(() => ({
    expanded: new Set([ROOT]),
    focus: here,
    followed: null,
  }))
  if (tree.followed !== here) {
    const expanded = new Set([...tree.expanded, ...pathsTo(parentOf(here))])
    setTree({ expanded, focus: here, followed: here })
  }
  const { known, loading, refresh } = useFolderChildren(tree.expanded)
  useLiveEvent('folder', ({ path }) => {
    if (tree.expanded.has(path as VirtualPath)) void refresh(path as VirtualPath)
  })
  const go = (path: VirtualPath): void => navigateTo(filesHref(path === ROOT ? path : `${path}/`))
  const click = (event: MouseEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-path]') : null
    const path = row?.dataset['path']
    if (path !== undefined) go(path as VirtualPath)
  }
  return (
    <div className={styles['tree']} onClick={click}>
      <FolderTree
        rows={treeRows(known, tree)}
        state={tree}
        loading={loading}
        filtered={false}
        isDisabled={NEVER}
        onChange={(next) => setTree({ ...next, followed: here })}
        onSubmit={() => go(tree.focus)}
      />
    </div>
  )
}
