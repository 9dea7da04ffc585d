import type { User } from '../../domain/accounts/user.ts'
import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Logger } from '../../platform/logging/logger.ts'

/** A change to files, with paths as the user sees them. A folder includes its content. */
export type FileChange =
  /** Created, saved or copied. The path may now lead to another inode. */
  | { readonly kind: 'written'; readonly user: User; readonly path: VirtualPath }
  | { readonly kind: 'moved'; readonly user: User; readonly from: VirtualPath; readonly to: VirtualPath }
  /** Deleted permanently or moved to the trash. */
  | { readonly kind: 'removed'; readonly user: User; readonly path: VirtualPath }

type Listener = (change: FileChange) => Promise<void> | void

/** Called before paths are written or moved. Returns a function to call afterwards. */
type Watcher = (user: User, paths: readonly VirtualPath[]) => Promise<(() => Promise<void>) | undefined>

/** Notifies services that keep records about files: shares follow them, previews are dropped, open pages refresh. */
export function createFileChanges({ log }: { readonly log: Logger }) {
  const listeners = new Set<Listener>()
  const watchers: Watcher[] = []

  const attempt = async <T>(facts: object, work: () => Promise<T> | T): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      log.error({ err: error, ...facts }, 'records about a changed file could not be updated')
      return undefined
    }
  }

  return {
    /** @returns a function that unsubscribes */
    subscribe(listener: Listener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Resolves when all listeners have finished. Their errors are only logged, because the change has already happened. */
    async notify(change: FileChange): Promise<void> {
      for (const listener of listeners) await attempt({ kind: change.kind }, async () => await listener(change))
    },

    /** For services that must see the old file before a write replaces its inode. */
    watch: (watcher: Watcher): void => void watchers.push(watcher),

    /** Call it before these paths, or anything inside them, are written or moved. @returns a function to call afterwards */
    async touching(user: User, ...paths: readonly VirtualPath[]): Promise<() => Promise<void>> {
      const facts = { kind: 'touching' }
      const ends = await Promise.all(watchers.map(async (watcher) => await attempt(facts, () => watcher(user, paths))))
      return async () => {
        for (const end of ends) if (end !== undefined) await attempt(facts, end)
      }
    },
  }
}

export type FileChanges = ReturnType<typeof createFileChanges>
