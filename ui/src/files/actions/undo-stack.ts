import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'

interface Moved {
  readonly from: VirtualPath
  readonly to: VirtualPath
}

/** What was done, as far as it can be taken back. */
export type Done =
  | { readonly kind: 'trashed'; readonly paths: readonly VirtualPath[] }
  /** Moved or renamed. */
  | { readonly kind: 'moved'; readonly moves: readonly Moved[] }
  /** Copied or newly made: taking it back puts it into the trash. */
  | { readonly kind: 'made'; readonly paths: readonly VirtualPath[] }

const MOST = 50

export interface UndoStack {
  push(done: Done): void
  pop(): Done | undefined
  /** Takes this one out, when it is taken back by its own button. False when that has happened already. */
  take(done: Done): boolean
}

/** The last changes of this page, the latest first. */
export function createUndoStack(): UndoStack {
  let stack: readonly Done[] = []
  return {
    push(done) {
      stack = [done, ...stack].slice(0, MOST)
    },
    pop() {
      const [latest, ...rest] = stack
      stack = rest
      return latest
    },
    take(done) {
      const left = stack.filter((other) => other !== done)
      const found = left.length < stack.length
      stack = left
      return found
    },
  }
}
