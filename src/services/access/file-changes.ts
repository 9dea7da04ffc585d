import type { User } from '../../domain/accounts/user.ts'
import { servedFolderOf, servedPathIn } from '../../domain/server/root.ts'
import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Logger } from '../../platform/logging/logger.ts'

/** A change to files, with paths as the user sees them. A folder includes its content. */
export type FileChange =
  /** Created, saved or copied. The path may now lead to another inode. */
  | { readonly kind: 'written'; readonly user: User; readonly path: VirtualPath }
  | {
      readonly kind: 'moved'
      readonly user: User
      readonly from: VirtualPath
      readonly to: VirtualPath
      /** The same user where the new path is, if that is another place. */
      readonly into?: User
    }
  /** Deleted permanently or moved to the trash. */
  | { readonly kind: 'removed'; readonly user: User; readonly path: VirtualPath }

type Listener = (change: FileChange) => Promise<void> | void

/** A path of a user. */
interface PathOf {
  readonly user: User
  readonly path: VirtualPath
}

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

  /** Resolves when all listeners have finished. Their errors are only logged, because the change has already happened. */
  const notify = async (change: FileChange): Promise<void> => {
    for (const listener of listeners) await attempt({ kind: change.kind }, async () => await listener(change))
  }

  /** Call it before these paths, or anything inside them, are written or moved. @returns a function to call afterwards */
  const touching = async (user: User, ...paths: readonly VirtualPath[]): Promise<() => Promise<void>> => {
    const facts = { kind: 'touching' }
    const ends = await Promise.all(watchers.map(async (watcher) => await attempt(facts, () => watcher(user, paths))))
    return async () => {
      for (const end of ends) if (end !== undefined) await attempt(facts, end)
    }
  }

  return {
    /** @returns a function that unsubscribes */
    subscribe(listener: Listener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    notify,

    /**
     * The same for a move to a path of another user, if it is one. Then records do not follow: they are deleted, since the file has
     * left those who made them.
     *
     * @param isWhole false if something has stayed
     */
    async notifyMoved(from: PathOf, to: PathOf, isWhole: boolean): Promise<void> {
      if (from.user.id === to.user.id) {
        const into = isOneFolder(from, to) ? {} : { into: to.user }
        await notify({ kind: 'moved', user: from.user, from: from.path, to: to.path, ...into })
      } else {
        await notify({ kind: isWhole ? 'removed' : 'written', ...from })
        await notify({ kind: 'written', ...to })
      }
    },

    /** For services that must see the old file before a write replaces its inode. */
    watch: (watcher: Watcher): void => void watchers.push(watcher),

    touching,

    /** The same for a move. */
    async touchingBoth(from: PathOf, to: PathOf): Promise<() => Promise<void>> {
      if (from.user.id === to.user.id && isOneFolder(from, to)) return await touching(from.user, from.path, to.path)
      const ends = [await touching(from.user, from.path), await touching(to.user, to.path)]
      return async () => {
        for (const end of ends) await end()
      }
    },
  }
}

function isOneFolder(from: PathOf, to: PathOf): boolean {
  return servedFolderOf(from.user) === servedFolderOf(to.user)
}

/** The paths that a change concerns, among all served files. */
export function servedPathsOf(change: FileChange): VirtualPath[] {
  if (change.kind !== 'moved') return [servedPathIn(change.user, change.path)]
  return [servedPathIn(change.user, change.from), servedPathIn(change.into ?? change.user, change.to)]
}

export type FileChanges = ReturnType<typeof createFileChanges>
