import type { Rename } from '../../../../../src/domain/files/renames.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'

interface Moved {
  readonly from: VirtualPath
  readonly to: VirtualPath
}

/** A change that can be undone. */
export type Change =
  | { readonly kind: 'trashed'; readonly paths: readonly VirtualPath[] }
  /** Moved, or one renamed. */
  | { readonly kind: 'moved'; readonly moves: readonly Moved[] }
  /** Several renamed at once, perhaps into each other's names. */
  | { readonly kind: 'renamed'; readonly folder: VirtualPath; readonly renames: readonly Rename[] }
  /** Copied or newly made: undoing it moves it to the trash. */
  | { readonly kind: 'made'; readonly paths: readonly VirtualPath[] }

const MAX_CHANGES = 50

export interface UndoStack {
  push(change: Change): void
  pop(): Change | undefined
  /** Removes this one, when its own Undo button is pressed. False when it was undone already. */
  take(change: Change): boolean
}

/** The latest changes of this page, newest first. */
export function createUndoStack(): UndoStack {
  let stack: readonly Change[] = []
  return {
    push(change) {
      stack = [change, ...stack].slice(0, MAX_CHANGES)
    },
    pop() {
      const [latest, ...rest] = stack
      stack = rest
      return latest
    },
    take(change) {
      const left = stack.filter((other) => other !== change)
      const found = left.length < stack.length
      stack = left
      return found
    },
  }
}
