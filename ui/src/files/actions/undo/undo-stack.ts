import type { Rename } from '../../../../../src/domain/files/renames/renames.ts'
import type { VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'

interface Moved {
  readonly from: VirtualPath
  readonly to: VirtualPath
}

/** A change that can be undone. */
export type Change =
  | { readonly kind: 'trashed'; readonly paths: readonly VirtualPath[] }
  /** Moved entries, or a single renamed one. */
  | { readonly kind: 'moved'; readonly moves: readonly Moved[] }
  /** Entries renamed at once. They may have swapped names. */
  | { readonly kind: 'renamed'; readonly folder: VirtualPath; readonly renames: readonly Rename[] }
  /** Copied or new entries: Undo moves them to the trash. */
  | { readonly kind: 'made'; readonly paths: readonly VirtualPath[] }

const MAX_CHANGES = 50

/** The latest changes of this page, newest first. */
export function createUndoStack() {
  let stack: readonly Change[] = []
  return {
    push(change: Change) {
      stack = [change, ...stack].slice(0, MAX_CHANGES)
    },
    pop(): Change | undefined {
      const [latest, ...rest] = stack
      stack = rest
      return latest
    },
    /** Removes a change because its own Undo button was pressed. False if it was undone before. */
    remove(change: Change): boolean {
      const remaining = stack.filter((other) => other !== change)
      const found = remaining.length < stack.length
      stack = remaining
      return found
    },
  }
}

export type UndoStack = ReturnType<typeof createUndoStack>
