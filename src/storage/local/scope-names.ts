import { fail } from '../../domain/errors.ts'
import { segmentsOf, type VirtualPath } from '../../domain/virtual-path.ts'
import { isOwnName } from './own-names.ts'

/** @throws NOT_FOUND for the storage's own files, INVALID_INPUT for what is no text */
export function reachable(path: VirtualPath): string[] {
  const segments = segmentsOf(path)
  if (segments.some(isOwnName)) fail('NOT_FOUND', 'there is nothing at this path')
  requireText(path)
  return segments
}

/** @throws FORBIDDEN for names that the storage keeps for itself, INVALID_INPUT for what is no text */
export function makeable(path: VirtualPath): string[] {
  const segments = segmentsOf(path)
  if (segments.some(isOwnName)) fail('FORBIDDEN', 'this name is reserved')
  requireText(path)
  return segments
}

function requireText(path: VirtualPath): void {
  // Half a character would be written as U+FFFD, which is another name.
  if (!path.isWellFormed()) fail('INVALID_INPUT', 'a path must be valid text')
}
