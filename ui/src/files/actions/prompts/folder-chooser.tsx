import { useState } from 'react'
import { parseVirtualPath, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { useFoundFolders } from '../../../api/use-found-folders.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { FilterField } from '../../../kit/fields/text-field.tsx'
import { FolderTree } from './folder-tree-view.tsx'
import { treeRows, withFound, type TreeState } from './folder-tree.ts'
import { useFolderChildren } from './use-folder-children.ts'

/** The tree of folders of a prompt, and what is typed above it. The focus of the tree is what is chosen. */
export function useFolderChooser(start: TreeState) {
  const [tree, setTree] = useState(start)
  const [filter, setFilter] = useState('')
  const { known, loading, failed, refresh } = useFolderChildren(tree.expanded)
  const found = useFoundFolders(filter.trim()).map((path) => parseVirtualPath(path))
  const rows = treeRows(filter.trim() === '' ? known : withFound(known, found), tree, filter)
  return { tree, setTree, filter, setFilter, rows, loading, failed, refresh }
}

interface FolderChooserProps {
  readonly chooser: ReturnType<typeof useFolderChooser>
  /** See `FolderTree`. */
  readonly current?: VirtualPath | undefined
  readonly isDisabled?: (path: VirtualPath) => boolean
  readonly onChange?: () => void
  readonly onSubmit: () => void
}

/** Folders as a tree, with a filter that also finds those which were not opened yet. */
export function FolderChooser({ chooser, current, isDisabled, onChange, onSubmit }: FolderChooserProps) {
  const t = useText()
  const { tree, setTree, filter, setFilter, rows, loading } = chooser
  return (
    <>
      <FilterField label={t('pick.filter')} value={filter} onChange={setFilter} />
      <FolderTree
        rows={rows}
        state={tree}
        loading={loading}
        filtered={filter.trim() !== ''}
        isDisabled={isDisabled ?? nothing}
        current={current}
        onChange={(next) => {
          onChange?.()
          setTree(next)
        }}
        onSubmit={onSubmit}
      />
    </>
  )
}

function nothing(): boolean {
  return false
}
