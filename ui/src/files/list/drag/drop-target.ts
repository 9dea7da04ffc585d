import {
  childOf,
  isInside,
  parentOf,
  parseVirtualPath,
  type VirtualPath,
} from '../../../../../src/domain/files/virtual-path.ts'
import type { Grid } from '../grid/use-grid.ts'
import { entryNameAt } from '../grid/use-grid-handlers.ts'

/** Where a drop goes. */
export interface DropTarget {
  readonly folder: VirtualPath
  /** The element of that folder in the page; null for the open folder, which takes all other drops. */
  readonly element: HTMLElement | null
}

/** The folder under the pointer: a row of the list, a breadcrumb or a link of the sidebar, else the open folder. */
export function dropTargetAt(target: EventTarget | null, open: VirtualPath, grid?: Grid): DropTarget {
  const name = entryNameAt(target)
  if (!(target instanceof Element)) return { folder: open, element: null }
  if (name !== null && grid?.entryOf(name)?.isDir === true)
    return { folder: childOf(open, name), element: target.closest<HTMLElement>('[data-entry]') }
  const element = target.closest<HTMLElement>('[data-folder], [role="treeitem"][data-path]')
  const path = element?.dataset['folder'] ?? element?.dataset['path']
  return path === undefined ? { folder: open, element: null } : { folder: parseVirtualPath(path), element }
}

/** The link to the trash under the pointer, which takes entries too. */
export function trashAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-trash]') : null
}

const MARK = 'data-drop'

/** Marks the element that takes the drop, or none. Sets an attribute, since state would make React render every row. */
export function markDropTarget(element: HTMLElement | null): void {
  const marked = document.querySelector(`[${MARK}]`)
  if (marked === element) return
  marked?.removeAttribute(MARK)
  element?.setAttribute(MARK, '')
}

interface Dragged {
  readonly path: VirtualPath
  readonly isDir: boolean
}

/**
 * Whether a folder accepts the dragged items. `pointless`: they are already in it. `intoItself`: a folder would move
 * into itself.
 */
export function dropVerdict(
  kind: 'copy' | 'move',
  items: readonly Dragged[],
  target: VirtualPath,
): 'accepted' | 'pointless' | 'intoItself' {
  if (items.some(({ path, isDir }) => isDir && isInside(path, target))) return 'intoItself'
  if (kind === 'move' && items.every(({ path }) => parentOf(path) === target)) return 'pointless'
  return 'accepted'
}

/** True when a drag or paste brings files from outside the page. */
export function carriesFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') ?? false
}
