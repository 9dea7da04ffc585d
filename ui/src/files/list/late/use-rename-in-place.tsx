import { useEffect, useState, type ReactNode, type RefObject } from 'react'
import { nameOf, parentOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import { lazyPart } from '../../../kit/lazy-part.tsx'
import { useWork } from '../../actions/late-work.tsx'
import type { WorkItem } from '../../actions/work.ts'
import { cellOf } from '../grid/drawn-cells.ts'
import type { Grid } from '../grid/use-grid.ts'
import { LatePart } from '../../actions/late-part.tsx'

const RenameField = lazyPart(async () => (await import('./rename-field.tsx')).RenameField)

/** Renames what is in view where it stands. What is not is asked for in a prompt. */
export function useRenameInPlace(folder: VirtualPath, grid: Grid, scroll: RefObject<HTMLElement | null>): ReactNode {
  const { inPlace } = useWork()
  const [renaming, setRenaming] = useState<{ item: WorkItem; cell: HTMLElement } | null>(null)
  useEffect(() => {
    inPlace.set(() => (item: WorkItem) => {
      const cell = cellOf(scroll.current, nameOf(item.path))
      if (cell === null || parentOf(item.path) !== folder) return false
      cell.scrollIntoView({ block: 'nearest' })
      setRenaming({ item, cell })
      return true
    })
    return () => inPlace.set(() => () => false)
  }, [inPlace, folder, scroll])
  if (renaming === null) return null
  const taken = (name: string): boolean => grid.entryOf(name) !== undefined
  return (
    <LatePart>
      <RenameField key={renaming.item.path} {...renaming} taken={taken} onClose={() => setRenaming(null)} />
    </LatePart>
  )
}
