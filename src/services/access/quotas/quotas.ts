import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, requireAdmin } from '../../../domain/accounts/actor.ts'
import { holds, mountOf, type RootFolder, servedFolderOf, servedPathIn } from '../../../domain/server/root.ts'
import { type EffectiveUser, limitGivers } from '../../../domain/accounts/effective-user.ts'
import type { User } from '../../../domain/accounts/user.ts'
import { fail } from '../../../domain/errors.ts'
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
  usedOf,
  withGrowth,
  withReservation,
  withLoss,
  withoutCount,
  withoutReservation,
} from './scope-usage.ts'
import { type UsageBook, UsageLedger, type UsageLedgerDeps } from './usage-ledger.ts'

export interface QuotasDeps extends Omit<UsageLedgerDeps, 'roots'> {
  readonly options: Pick<ServerOptions, 'root' | 'followExternalSymlinks'>
  readonly store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly changes: Pick<FileChanges, 'subscribe'>
  readonly random: Random
}

/** The part of a user that quotas need. */
export type Owner = Pick<User, 'root' | 'scope' | 'quota' | 'quotaFiles'>

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

  /** @param quotas those that can refuse the reservation */
  const bookOf = (scopes: readonly VirtualPath[], quotas: readonly LimitedFolder[] = []): ReservationBook => {
    const id = random.token(9)
    let reserved = NOTHING

    const attempt = async (more: Amount): Promise<Attempt> =>
      await ledger.change(scopes, (book) => {
        const due: VirtualPath[] = []
        for (const { scope, limit, taken, whose } of quotas) {
          const usage = book.get(scope) ?? UNKNOWN
          const used = usedOf(usage, book.now)
          if (used === undefined) return { isUnknown: true }
          const problem = excess({ used, limit }, taken === undefined ? more : shareOf(more, taken), whose)
          if (problem !== undefined) return { problem, mayHaveRoom: mayBeLower(usage, book.now) }
          if (isDue(usage, book.now)) due.push(scope)
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
        while (!(await tryReserve(more, await isLast()))) for (const { scope } of quotas) await ledger.count(scope)
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

  /** The quota of the account, and that of its root. */
  const limitsFor = (owner: Owner): LimitedFolder[] => {
    const root = owner.root === undefined ? undefined : roots.find(owner.root)
    const whose = `the quota of the root "${root?.name}"`
    return [
      ...(hasQuota(owner) ? [{ scope: servedFolderOf(owner), limit: limitOf(owner) }] : []),
      ...(root !== undefined && root.quota > 0
        ? [{ scope: mountOf(root.id), limit: { bytes: root.quota, files: 0 }, whose }]
        : []),
    ]
  }

  /** @param taken by visitors, for an upload of a visitor */
  const bookFor = (owner: Owner, path: VirtualPath, taken?: Amount): ReservationBook | undefined => {
    const folder = servedFolderOf(owner)
    const scopes = new Set(limited.containing(below(folder, path)))
    const quotas = limitsFor(owner).map((limit) => ({ ...limit, taken }))
    for (const { scope } of quotas) scopes.add(scope)
    return scopes.size === 0 ? undefined : bookOf([...scopes], quotas)
  }

  /** Call it after files were removed or replaced, unless `FileChanges` announced that they were removed. */
  const freed = async (folder: VirtualPath, path: VirtualPath = ROOT): Promise<void> =>
    await bestEffort(async () => await update(limited.containing(below(folder, path)), withLoss))

  const viewOf = async (user: EffectiveUser): Promise<QuotaView> => {
    const folder = servedFolderOf(user)
    const { used, at } = await ledger.change([folder], (book) => {
      const usage = book.get(folder) ?? UNKNOWN
      return { used: usedOf(usage, book.now), at: usage.count?.at }
    })
    const { id: userId, username } = user
    const scope = cleanVirtualPath(user.scope)
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
      for (const { scope } of limitsFor(owner)) await ledger.count(scope)
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

    /** Undefined for a user without a quota. Waits for a first count, and up to a second for one that updates an old count. */
    async useOf(user: Owner, signal?: AbortSignal): Promise<QuotaUse | undefined> {
      if (!hasQuota(user)) return undefined
      limited.all()
      const scope = servedFolderOf(user)
      const readUsage = async () =>
        await ledger.change([scope], (book) => {
          const usage = book.get(scope) ?? UNKNOWN
          return { used: usedOf(usage, book.now), isDue: isDue(usage, book.now) }
        })
      const known = await readUsage()
      if (known.used === undefined) await ledger.count(scope, signal)
      else if (known.isDue) await Promise.race([ledger.countLater(scope), sleep(MAX_WAIT, undefined, { ref: false })])
      const { used } = await readUsage()
      return used && { used, limit: limitOf(user) }
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
      await ledger.count(servedFolderOf(user), signal)
      return await viewOf(user)
    },

    async [Symbol.asyncDispose]() {
      unsubscribe()
      await ledger[Symbol.asyncDispose]()
    },
  }
}

export type Quotas = ReturnType<typeof createQuotas>

interface LimitedFolder {
  readonly scope: VirtualPath
  readonly limit: Amount
  /** What unfinished uploads of visitors reserve, for one of a visitor. */
  readonly taken?: Amount | undefined
  /** What a refusal calls the quota, if it is not that of the user. */
  readonly whose?: string | undefined
}

/**
 * What must be free for an upload of a visitor: what is free without all uploads of visitors must be twice as much as they take
 * together. Those that have begun are in use already.
 */
function shareOf(more: Amount, taken: Amount): Amount {
  return sum(sum(more, more), taken)
}

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
