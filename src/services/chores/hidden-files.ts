import { type Actor, OPERATOR } from '../../domain/accounts/actor.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { StagedEntry, TrashPart } from '../../domain/files/hidden-entry.ts'
import type { ServerOptions } from '../../domain/settings/server-options.ts'
import { cleanVirtualPath, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { type Storage, storagePathOf } from '../../storage/storage.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Lease, Leases, Messages } from '../../store/store.ts'

export interface HiddenFilesDeps {
  readonly users: () => StoreDocument['users']
  readonly storage: Pick<Storage, 'openScope' | 'visitHidden' | 'sweep'>
  readonly options: Pick<ServerOptions, 'readOnly' | 'followExternalSymlinks'>
  readonly leases: Pick<Leases, 'list' | 'acquire'>
  readonly messages: Pick<Messages, 'subscribe'>
  readonly log: Logger
}

/** Hidden files of filemgr in the served folder. */
export interface HiddenFiles {
  /** Staged files that belong neither to an unfinished upload nor to an operation that may still run. */
  readonly abandoned: readonly StagedEntry[]
  /** Trash whose user was deleted or has another scope now. */
  readonly orphaned: readonly TrashPart[]
  /** False if the search was stopped early. */
  readonly isComplete: boolean
}

/** Prefix of the leases of daemons. The name of the run follows. */
export const RUN_LEASE = 'run/'
/** Prefix of abandoned leases: another daemon has left a file of this run behind, so once that is over, its files must be swept. */
export const LEFT_LEASE = 'left/'

/** Finds and removes our hidden files in the served folder. */
export function createHiddenFiles({ users, storage, options, leases, messages, log }: HiddenFilesDeps) {
  const realPathOf = async (scope: VirtualPath): Promise<string | undefined> => {
    try {
      using opened = await storage.openScope(storagePathOf(scope), options.followExternalSymlinks ? 'follow' : 'inside')
      return opened.localRoot()?.path ?? scope
    } catch (error) {
      if (isFilemgrError(error, 'NOT_FOUND') || isFilemgrError(error, 'FORBIDDEN')) return undefined
      throw error
    }
  }

  /** Takes the leases of dead daemons, to be held until their leftovers are removed. */
  const findDead = async (): Promise<{ runs: string[]; held: Lease[] }> => {
    const runs = await leases.list(RUN_LEASE)
    const alive = new Set(runs.filter(({ isHeld }) => isHeld).map(({ name }) => name.slice(RUN_LEASE.length)))
    const dead = new Map<string, Lease[]>()
    for (const [prefix, found] of [
      [RUN_LEASE, runs],
      [LEFT_LEASE, await leases.list(LEFT_LEASE)],
    ] as const)
      for (const { name } of found) {
        const run = name.slice(prefix.length)
        const lease = alive.has(run) ? undefined : await leases.acquire(name)
        if (lease !== undefined) dead.set(run, [...(dead.get(run) ?? []), lease])
      }
    return { runs: [...dead.keys()], held: [...dead.values()].flat() }
  }

  /** Compares the users' folders by real path if they have one, else by name. */
  const orphanCheck = async (): Promise<(part: TrashPart) => boolean> => {
    const top = await realPathOf(ROOT)
    const keyOf = (folder: string, owner: string | number) => `${folder}/${owner}`.replaceAll(/\/{2,}/g, '/')
    const owned = new Set<string>()
    for (const { id, scope } of users()) {
      const path = cleanVirtualPath(scope)
      owned.add(keyOf((await realPathOf(path)) ?? `${top}${path}`, id))
    }
    return ({ scope, owner }) => !owned.has(keyOf(`${top}${scope}`, owner))
  }

  return {
    /** Removes staged files that a killed daemon left, this one or another, except those of unfinished uploads. */
    async sweep(signal?: AbortSignal): Promise<void> {
      if (options.readOnly) return
      const dead = await findDead()
      let moves = 0
      const count = () => void (moves += 1)
      const unsubscribe = messages.subscribe({ received: (kind) => kind === 'files' && count(), gap: count })
      let isComplete = false
      try {
        const swept = await storage.sweep({ signal, dead: dead.runs, movesElsewhere: () => moves })
        isComplete = swept.isComplete
        if (swept.removed > 0) log.info(`removed ${swept.removed} unfinished hidden files or folders of an earlier run`)
      } finally {
        unsubscribe()
        // Without its lease, nobody would look again for what a daemon has left.
        for (const lease of dead.held) await (isComplete ? lease[Symbol.asyncDispose]() : lease.abandon())
      }
    },

    async find(signal?: AbortSignal): Promise<HiddenFiles> {
      const isOrphan = await orphanCheck()
      const abandoned: StagedEntry[] = []
      const orphaned: TrashPart[] = []
      const isStopped = await storage
        .visitHidden((entry) => {
          if (entry.kind === 'trash') orphaned.push(...[entry].filter(isOrphan))
          else if (!entry.isAlive) abandoned.push(entry)
          return false
        }, signal)
        .then(
          () => false,
          (error: unknown) => {
            if (signal?.aborted === true) return true
            throw error
          },
        )
      return { abandoned, orphaned, isComplete: !isStopped }
    },

    /** Permanently deletes orphaned trash. @param paths from `find`; skips those that belong to a user by now */
    async removeOrphaned(actor: Actor, paths: readonly string[], signal?: AbortSignal): Promise<number> {
      if (actor.kind !== OPERATOR.kind) fail('FORBIDDEN', 'only the operator may do that')
      const isOrphan = await orphanCheck()
      let removed = 0
      const isWhole = await storage.visitHidden((entry) => {
        const isChosen = entry.kind === 'trash' && paths.includes(entry.path) && isOrphan(entry)
        if (isChosen) removed += 1
        return isChosen
      }, signal)
      if (!isWhole) fail('CONFLICT', 'not everything could be deleted: unmount disks in it, or check its permissions')
      return removed
    },
  }
}

export type HiddenFilesService = ReturnType<typeof createHiddenFiles>
