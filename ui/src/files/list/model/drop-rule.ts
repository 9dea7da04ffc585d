import { isInside, parentOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'

interface Dragged {
  readonly path: VirtualPath
  readonly isDir: boolean
}

/**
 * Whether a folder takes what is dragged over it. `pointless` is a move to where it is already, `intoItself` a folder
 * that would go into itself.
 */
export function dropVerdict(
  kind: 'copy' | 'move',
  items: readonly Dragged[],
  target: VirtualPath,
): 'taken' | 'pointless' | 'intoItself' {
  if (items.some(({ path, isDir }) => isDir && isInside(path, target))) return 'intoItself'
  if (kind === 'move' && items.every(({ path }) => parentOf(path) === target)) return 'pointless'
  return 'taken'
}
