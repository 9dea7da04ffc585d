import { NO_ROOT } from '../../../domain/accounts/place.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, requireAdmin } from '../../../domain/accounts/actor.ts'
import { holds, mountOf, type RootFolder, servedFolderOf, servedPathIn } from '../../../domain/server/root.ts'
import { type EffectiveUser, limitGivers } from '../../../domain/accounts/effective-user.ts'
import type { User } from '../../../domain/accounts/user.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import {
  type Amount,
  type Excess,
  excess,
  hasQuota,
  limitOf,
  NOTHING,
  type QuotaUse,
  type QuotaView,
  refuse,
  sum,
} from '../../../domain/access/quota.ts'
import { below, cleanVirtualPath, ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import type { Random } from '../../../platform/security/random.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import type { FileChanges } from '../file-changes.ts'
import { RootIndex } from '../../stored-roots.ts'
import { UserIndex } from '../../stored-users.ts'
import { LimitedScopes, limitedUsers } from './limited-scopes.ts'
import { attempts, Reservation, type ReservationBook } from './reservation.ts'
import {
  isDue,
  mayBeLower,
  type ScopeUsage,
  UNKNOWN,
  withGrowth,
  withReservation,
  withLoss,
  withoutCount,
  withoutReservation,
} from './scope-usage.ts'
import { type Limit, shareOf, tighter, usedIn } from './limits.ts'
import { type UsageBook, UsageLedger, type UsageLedgerDeps } from './usage-ledger.ts'

export interface QuotasDeps extends Omit<UsageLedgerDeps, 'roots'> {
  readonly options: Pick<ServerOptions, 'root' | 'followExternalSymlinks'>
  readonly store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly changes: Pick<FileChanges, 'subscribe'>
  readonly random: Random
}

/** The part of a user that quotas need. */
export type Owner = Pick<User, 'root' | 'scope' | 'quota' | 'quotaFiles'> & { readonly id?: UserId }

/** Milliseconds that `useOf` waits for a new count before it returns the known usage. */
const MAX_WAIT = 1000
/** Milliseconds after which a reservation expires unless it is renewed. */
const RESERVATION_LIFETIME = 5 * 60_000

/**
 * Limits how much each user may store in their scope. Users are refused only by their own quota, but what they write counts in
 * every limited scope that contains it. Files in other scopes are not counted.
 */
export function createQuotas({ store, changes, random, ...deps }: QuotasDeps) {
  const roots = new RootIndex(store, deps.options)
  const ledger = new UsageLedger({ ...deps, roots })
  const users = new UserIndex(store)
  /** Only logs failures, because the files have already changed. */
  const bestEffort = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      deps.log.warn({ err: error }, 'the usage of quotas could not be updated')
    }
  }

  const update = async (scopes: readonly VirtualPath[], change: (usage: ScopeUsage) => ScopeUsage): Promise<void> => {
    if (scopes.length === 0) return
    await ledger.change(scopes, (book) => {
      for (const scope of scopes) {
        const usage = book.get(scope)
        // Without a record, the scope is counted when it is needed.
        if (usage !== undefined) book.set(scope, change(usage))
      }
    })
  }

  const limited = new LimitedScopes(store, (scopes) => void bestEffort(async () => await update(scopes, withoutCount)))

  const reserveIn = (book: UsageBook, scopes: readonly VirtualPath[], id: string, amount: Amount): void => {
    for (const scope of scopes)
      book.set(
        scope,
        withReservation(book.get(scope) ?? UNKNOWN, id, { ...amount, until: book.now + RESERVATION_LIFETIME }),
      )
  }

  /**
   * @param scopes in which the files will be
   * @param quotas those that can refuse the reservation
   */
  const bookOf = (scopes: readonly VirtualPath[], quotas: readonly Limit[] = []): ReservationBook => {
    const id = random.token(9)
    const counted = [...new Set(quotas.flatMap((quota) => quota.scopes))]
    /** What cannot be counted now counts as it was last known. */
    let away: ReadonlySet<VirtualPath> = new Set()
    let reserved = NOTHING

    const attempt = async (more: Amount): Promise<Attempt> =>
      await ledger.change([...new Set([...scopes, ...counted])], (book) => {
        const due: VirtualPath[] = []
        for (const quota of quotas) {
          const { limit, taken, whose } = quota
          const used = usedIn(book, quota.scopes, away)
          if (used === undefined) return { isUnknown: true }
          const problem = excess({ used, limit }, taken === undefined ? more : shareOf(more, taken), whose)
          const usages = quota.scopes.map((scope) => [scope, book.get(scope) ?? UNKNOWN] as const)
          if (problem !== undefined)
            return { problem, mayHaveRoom: usages.some(([, usage]) => mayBeLower(usage, book.now)) }
          due.push(...usages.filter(([, usage]) => isDue(usage, book.now)).map(([scope]) => scope))
        }
        reserved = sum(reserved, more)
        reserveIn(book, scopes, id, reserved)
        return { due }
      })

    const tryReserve = async (more: Amount, isLast: boolean): Promise<boolean> => {
      const { isUnknown, problem, mayHaveRoom, due = [] } = await attempt(more)
      for (const scope of due) void ledger.countLater(scope)
      if (isUnknown !== true && problem === undefined) return true
      if (problem !== undefined && (mayHaveRoom !== true || isLast)) refuse(problem)
      if (isLast) fail('BUSY', 'the quota cannot be checked while files are moved; try again', { retryAfter: 5 })
      return false
    }

    return {
      tryReserve,
      async reserve(more) {
        const isLast = attempts()
        while (!(await tryReserve(more, await isLast()))) away = await countEach(counted, scopes)
      },
      renew: async () => await ledger.change(scopes, (book) => reserveIn(book, scopes, id, reserved)),
      release: async (written, { isExact }) =>
        // If the database is away, the reservation expires, and the files are counted.
        await bestEffort(
          async () =>
            await update(scopes, (usage) => {
              const settled = withGrowth(withoutReservation(usage, id), written)
              return isExact ? settled : withLoss(settled)
            }),
        ),
    }
  }

  /**
   * Counts scopes one after another.
   *
   * @param needed those that must not be away
   * @returns those that are
   */
  const countEach = async (
    scopes: readonly VirtualPath[],
    needed: readonly VirtualPath[] = [],
    signal?: AbortSignal,
  ): Promise<Set<VirtualPath>> => {
    const away = new Set<VirtualPath>()
    for (const scope of scopes) {
      try {
        await ledger.count(scope, signal)
      } catch (error) {
        if (needed.includes(scope) || !isFilemgrError(error, 'UNAVAILABLE', 'BUSY')) throw error
        away.add(scope)
      }
    }
    return away
  }

  /** The folders that count in the quota of an account. */
  const foldersOf = (owner: Owner): readonly VirtualPath[] => {
    const folders = owner.id !== undefined && hasQuota(owner) ? limited.ofUser(owner.id) : []
    return folders.length > 0 || owner.root === NO_ROOT ? folders : [servedFolderOf(owner)]
  }

  /** The quota of the account, and that of the root in which it writes. */
  const limitsFor = (owner: Owner): Limit[] => {
    const root = owner.root === undefined ? undefined : roots.find(owner.root)
    const whose = `the quota of the root "${root?.name}"`
    return [
      ...(hasQuota(owner) ? [{ scopes: foldersOf(owner), limit: limitOf(owner) }] : []),
      ...(root !== undefined && root.quota > 0
        ? [{ scopes: [mountOf(root.id)], limit: { bytes: root.quota, files: 0 }, whose }]
        : []),
    ]
  }

  /** @param taken by visitors, for an upload of a visitor */
  const bookFor = (owner: Owner, path: VirtualPath, taken?: Amount): ReservationBook | undefined => {
    const target = servedPathIn(owner, path)
    const scopes = limited.containing(target)
    const quotas = limitsFor(owner).map((limit) => ({ ...limit, taken }))
    const missed = quotas.flatMap((limit) => limit.scopes).filter((scope) => holds(scope, target))
    const all = new Set([...scopes, ...missed])
    return all.size === 0 && quotas.length === 0 ? undefined : bookOf([...all], quotas)
  }

  /** Call it after files were removed or replaced, unless `FileChanges` announced that they were removed. */
  const freed = async (folder: VirtualPath, path: VirtualPath = ROOT): Promise<void> =>
    await bestEffort(async () => await update(limited.containing(below(folder, path)), withLoss))

  const viewOf = async (user: EffectiveUser): Promise<QuotaView> => {
    const folders = foldersOf(user)
    const { used, times } = await ledger.change(folders, (book) => ({
      used: usedIn(book, folders),
      times: folders.map((folder) => book.get(folder)?.count?.at),
    }))
    const { id: userId, username } = user
    const scope = cleanVirtualPath(user.scope)
    const at =
      times.length === 0 || times.includes(undefined)
        ? undefined
        : Math.min(...times.filter((time) => time !== undefined))
    const counted = at === undefined ? null : new Date(at).toISOString()
    const by = limitGivers(user)
    return { userId, username, scope, limit: limitOf(user), used: used ?? null, counted, ...(by.length > 0 && { by }) }
  }

  const unsubscribe = changes.subscribe(async (change) => {
    if (change.kind === 'moved') return
    const { kind, user, path } = change
    if (kind === 'removed') await freed(servedFolderOf(user), path)
    // Limited scopes inside a folder that was copied or removed.
    await update(limited.inside(servedPathIn(user, path)), withoutCount)
  })

  return {
    /** Takes over what the last run of the daemon has counted, before the first request. */
    start: async (): Promise<void> => await ledger.resume(limited.all()),

    /** Whether what is written at this path counts in any quota. */
    appliesTo: (owner: Owner, path: VirtualPath): boolean => bookFor(owner, path) !== undefined,

    /** Whether what is at a path among all served files counts for this owner already, wherever it is moved. */
    counts(owner: Owner, served: VirtualPath): boolean {
      if (holds(servedFolderOf(owner), served)) return true
      const limits = limitsFor(owner)
      return limits.length > 0 && limits.every(({ scopes }) => scopes.some((scope) => holds(scope, served)))
    },

    /**
     * Reserves room for files that are about to be written. Call it after all other checks and before the first byte, settle the
     * reservation when the files are in place, and always dispose of it.
     *
     * @param path where the files will be, in the user's scope
     * @throws QUOTA_EXCEEDED; BUSY while files are moved
     */
    reserve: async (owner: Owner, path: VirtualPath, amount: Amount): Promise<Reservation> =>
      await Reservation.make(bookFor(owner, path), amount),

    /**
     * As `reserve`, for an upload of a visitor: all unfinished ones together may reserve at most half of what the owner has free,
     * so that the other half is left for the owner.
     *
     * @param share `taken` is what the others reserve already; nobody else may begin one meanwhile
     * @returns undefined if the files must be counted first, see `count`; with `isLast`, it fails instead
     */
    tryReserveShare: async (
      owner: Owner,
      path: VirtualPath,
      amount: Amount,
      { taken, isLast }: { readonly taken: Amount; readonly isLast: boolean },
    ): Promise<Reservation | undefined> => await Reservation.tryMake(bookFor(owner, path, taken), amount, isLast),

    /** Counts the files that are limited for a user now. */
    async count(owner: Owner): Promise<void> {
      await countEach(
        limitsFor(owner).flatMap(({ scopes }) => scopes),
        [servedFolderOf(owner)],
      )
    },

    /**
     * Call it before a move, and dispose of the result after it: a count during the move may find the files at neither path.
     * Scopes that the files enter are counted again. For moves to or from the trash, pass the root as the other path.
     *
     * @param toUser whose path the new one is
     */
    async moving(user: RootFolder, from: VirtualPath, to: VirtualPath, toUser = user): Promise<AsyncDisposable> {
      const [source, target] = [servedPathIn(user, from), servedPathIn(toUser, to)]
      const containsSource = (scope: VirtualPath) => holds(scope, source)
      const containsTarget = (scope: VirtualPath) => holds(scope, target)
      // The root stands for the trash, whose folder contains no scope.
      const inside = [...(from === ROOT ? [] : [source]), ...(to === ROOT ? [] : [target])]
      const entered = () =>
        [...limited.containing(target), ...inside.flatMap((each) => limited.inside(each))].filter(
          (each) => !containsSource(each),
        )
      await using cleanup = new AsyncDisposableStack()
      cleanup.use(await ledger.suspendSaving(entered()))
      cleanup.defer(async () => {
        const changed = entered()
        await bestEffort(async () => {
          await update(
            limited.containing(source).filter((each) => !containsTarget(each)),
            withLoss,
          )
          await update(changed, withoutCount)
        })
      })
      const scopesOfBoth = limited.containing(source).filter(containsTarget)
      if (scopesOfBoth.length > 0) cleanup.use(await Reservation.make(bookOf(scopesOfBoth), NOTHING))
      return cleanup.move()
    },

    freed,

    /**
     * Of the quotas of a user and of the root that has the folder, the one with the least room; undefined without any. Waits for a
     * first count, and up to a second for one that updates an old count.
     */
    async useOf(user: Owner, signal?: AbortSignal): Promise<QuotaUse | undefined> {
      limited.all()
      let tightest: QuotaUse | undefined
      for (const { scopes, limit } of limitsFor(user)) {
        const read = async (away?: ReadonlySet<VirtualPath>) =>
          await ledger.change(scopes, (book) => ({
            used: usedIn(book, scopes, away),
            due: scopes.filter((scope) => isDue(book.get(scope) ?? UNKNOWN, book.now)),
          }))
        const known = await read()
        let away: ReadonlySet<VirtualPath> | undefined
        if (known.used === undefined) away = await countEach(scopes, [], signal)
        else if (known.due.length > 0) {
          const counts = known.due.map(async (scope) => await ledger.countLater(scope))
          await Promise.race([Promise.all(counts), sleep(MAX_WAIT, undefined, { ref: false })])
        }
        const { used } = await read(away)
        if (used !== undefined) tightest = tighter(tightest, { used, limit })
      }
      return tightest
    },

    /** As `useOf`, but counts nothing: undefined also if the files were not counted lately. */
    async knownUseOf(user: EffectiveUser): Promise<QuotaUse | undefined> {
      if (!hasQuota(user)) return undefined
      limited.all()
      const { used, limit } = await viewOf(user)
      return used === null ? undefined : { used, limit }
    },

    /** The quotas of all users that have one, ordered by name. Counts nothing. @throws FORBIDDEN */
    async list(actor: Actor): Promise<QuotaView[]> {
      requireAdmin(actor, 'quotas.manage')
      const now = store.snapshot()
      limited.all()
      const views: QuotaView[] = []
      for (const user of limitedUsers(now).toSorted((a, b) => (a.username < b.username ? -1 : 1)))
        views.push(await viewOf(users.of(user, now)))
      return views
    },

    /** Counts the files of a user now. @throws FORBIDDEN, NOT_FOUND, CONFLICT for a user without a quota */
    async recount(actor: Actor, id: UserId, signal?: AbortSignal): Promise<QuotaView> {
      requireAdmin(actor, 'quotas.manage')
      const user = users.find(id) ?? fail('NOT_FOUND', 'there is no such user')
      if (!hasQuota(user)) fail('CONFLICT', `${user.username} has no quota`)
      const folders = foldersOf(user)
      await countEach(folders, folders, signal)
      return await viewOf(user)
    },

    async [Symbol.asyncDispose]() {
      unsubscribe()
      await ledger[Symbol.asyncDispose]()
    },
  }
}

export type Quotas = ReturnType<typeof createQuotas>

interface Attempt {
  /** The files must be counted first. */
  readonly isUnknown?: boolean
  /** Why there is no room. */
  readonly problem?: Excess
  /** A new count may find more room. */
  readonly mayHaveRoom?: boolean
  /** The reservation is made, but these folders should be counted again in the background. */
  readonly due?: readonly VirtualPath[]
}
