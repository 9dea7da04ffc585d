import { type Actor, OPERATOR } from '../../../domain/accounts/actor.ts'
import { GroupIndex } from '../../../domain/accounts/effective-user.ts'
import { PlaceList } from '../../../domain/accounts/place-list.ts'
import { fail, unlessFails } from '../../../domain/errors.ts'
import type { StagedEntry, TrashPart } from '../../../domain/files/hidden-entry.ts'
import { FILES_ROOT, mountOf, rootOf } from '../../../domain/server/root.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import { relativeTo, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { RootIndex, RootsInReach } from '../../stored-roots.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { type Storage, storagePathOf } from '../../../storage/storage.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Lease, Leases, LeaseState, Messages, Store } from '../../../store/store.ts'

export interface HiddenFilesDeps {
  readonly store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly storage: Pick<Storage, 'openScope' | 'visitHidden' | 'sweep'>
  readonly options: Pick<ServerOptions, 'readOnly' | 'followExternalSymlinks'>
  readonly leases: Pick<Leases, 'list' | 'tryAcquire'>
  readonly messages: Pick<Messages, 'subscribe'>
  readonly clock: Clock
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
/** Prefix of abandoned leases, before the name of a file of another run that a daemon has left behind. */
export const LEFT_LEASE = 'left/'
/** Milliseconds for which a browser with a signed address may still write such a file, with room for clocks that differ. */
const LATE = 10 * 60_000

interface Taken {
  readonly lease: Lease
  /** The run, or the name of the file. */
  readonly subject: string
  /** When it was given up, in milliseconds since 1970. */
  readonly until: number
}

/** Finds and removes our hidden files in the served folder. */
export function createHiddenFiles({ store, storage, options, leases, messages, clock, log }: HiddenFilesDeps) {
  const roots = new RootIndex(store, options)

  const realPathOf = async (scope: VirtualPath): Promise<string | undefined> => {
    const opening = storage.openScope(storagePathOf(scope), roots.linksAt(scope))
    using opened = await unlessFails(opening, 'NOT_FOUND', 'FORBIDDEN')
    return opened && (opened.localRoot()?.path ?? scope)
  }

  /** Takes the leases of dead daemons and of files that were left behind, to be held until these are removed. */
  const takeLeases = async () => {
    const taken = async (states: readonly LeaseState[], prefix: string): Promise<Taken[]> => {
      const all: Taken[] = []
      for (const { name, until } of states) {
        const lease = await leases.tryAcquire(name)
        if (lease !== undefined) all.push({ lease, subject: name.slice(prefix.length), until })
      }
      return all
    }
    const dead = (await leases.list(RUN_LEASE)).filter(({ isHeld }) => !isHeld)
    return {
      runs: await taken(dead, RUN_LEASE),
      left: await taken(await leases.list(LEFT_LEASE), LEFT_LEASE),
    }
  }

  /** Compares the users' folders by real path if they have one, else by name. */
  const orphanCheck = async (): Promise<(part: TrashPart) => boolean> => {
    const tops = new Map<VirtualPath, string | undefined>()
    // Of a root that is away, nothing is found that could be compared.
    const inReach = new RootsInReach()
    const realPath = async (path: VirtualPath) => await inReach.unlessAway(path, async () => await realPathOf(path))
    for (const { id } of [{ id: FILES_ROOT }, ...store.snapshot().roots])
      tops.set(mountOf(id), await realPath(mountOf(id)))
    const realIn = (served: VirtualPath) => {
      const top = mountOf(rootOf(served))
      return `${tops.get(top) ?? top}${relativeTo(top, served)}`
    }
    const keyOf = (folder: string, owner: string | number) => `${folder}/${owner}`.replaceAll(/\/{2,}/g, '/')
    const owned = new Set<string>()
    const reals = new Map<VirtualPath, string>()
    const { users, groups, roots: named } = store.snapshot()
    const index = new GroupIndex(groups)
    for (const user of users) {
      for (const { folder } of new PlaceList(user, index.of(user), named).all) {
        const real = reals.get(folder) ?? (await realPath(folder)) ?? realIn(folder)
        reals.set(folder, real)
        owned.add(keyOf(real, user.id))
      }
    }
    return ({ scope, owner }) => !owned.has(keyOf(realIn(scope as VirtualPath), owner))
  }

  return {
    /** Removes staged files that a killed daemon left, this one or another, except those of unfinished uploads. */
    async sweep(signal?: AbortSignal): Promise<void> {
      if (options.readOnly) return
      const { runs, left } = await takeLeases()
      let moves = 0
      const count = () => void (moves += 1)
      const unsubscribe = messages.subscribe({ received: (kind) => kind === 'files' && count(), gap: count })
      const begun = clock.now()
      let isComplete = false
      try {
        const [dead = [], names = []] = [runs, left].map((taken) => taken.map(({ subject }) => subject))
        const swept = await storage.sweep({ signal, dead, left: names, movesElsewhere: () => moves })
        isComplete = swept.isComplete
        if (swept.removed > 0) log.info(`removed ${swept.removed} unfinished hidden files or folders of an earlier run`)
      } finally {
        unsubscribe()
        // Without its lease, nobody would look again for what a daemon has left.
        for (const { lease } of runs) await (isComplete ? lease[Symbol.asyncDispose]() : lease.abandon())
        for (const { lease, until } of left)
          await (isComplete && begun - until > LATE ? lease[Symbol.asyncDispose]() : lease.abandon())
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
