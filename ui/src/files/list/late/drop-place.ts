import { childOf, parseVirtualPath, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import type { Grid } from '../grid/use-grid.ts'
import { entryNameAt } from '../grid/use-grid-handlers.ts'

/** Where a drop goes. */
export interface DropPlace {
  readonly folder: VirtualPath
  /** What stands for that folder in the page; null for the open folder, which is wherever nothing else is. */
  readonly element: HTMLElement | null
}

/** The folder under the pointer: a row of the listing, a place of the breadcrumbs or the sidebar, else the open one. */
export function dropPlaceAt(target: EventTarget | null, open: VirtualPath, grid?: Grid): DropPlace {
  const name = entryNameAt(target)
  if (!(target instanceof Element)) return { folder: open, element: null }
  if (name !== null && grid?.entryOf(name)?.isDir === true)
    return { folder: childOf(open, name), element: target.closest<HTMLElement>('[data-entry]') }
  const element = target.closest<HTMLElement>('[data-folder], [role="treeitem"][data-path]')
  const path = element?.dataset['folder'] ?? element?.dataset['path']
  return path === undefined ? { folder: open, element: null } : { folder: parseVirtualPath(path), element }
}

const MARK = 'data-drop'

/** Marks one element of the page as the place of a drop, or none. Rows are many, so they are not drawn again for it. */
export function markDropPlace(element: HTMLElement | null): void {
  const marked = document.querySelector(`[${MARK}]`)
  if (marked === element) return
  marked?.removeAttribute(MARK)
  element?.setAttribute(MARK, '')
}
