import type { User } from '../domain/user.ts'
import type { VirtualPath } from '../domain/virtual-path.ts'
import type { Logger } from '../platform/logger.ts'

/** What was done to files, with paths as this user sees them. A folder stands for all in it. */
export type FileChange =
  /** Made, saved or copied: the name may lead to another inode from now on. */
  | { readonly kind: 'written'; readonly user: User; readonly path: VirtualPath }
  | { readonly kind: 'moved'; readonly user: User; readonly from: VirtualPath; readonly to: VirtualPath }
  /** Deleted for good or moved to the trash. */
  | { readonly kind: 'removed'; readonly user: User; readonly path: VirtualPath }

type Listener = (change: FileChange) => Promise<void> | void

/** Tells whoever keeps something about files: shares follow them, previews are dropped, open pages list again. */
export interface FileChanges {
  /** @returns the way to hear no more */
  subscribe(listener: Listener): () => void
  /** Resolves when all have heard. What one of them cannot do is logged: the change itself is done. */
  tell(change: FileChange): Promise<void>
}

export function createFileChanges({ log }: { readonly log: Logger }): FileChanges {
  const listeners = new Set<Listener>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async tell(change) {
      for (const listener of listeners) {
        try {
          await listener(change)
        } catch (error) {
          log.error({ err: error, kind: change.kind }, 'a change of files could not be followed')
        }
      }
    },
  }
}
