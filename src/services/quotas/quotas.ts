import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import type { User } from '../../domain/accounts/user.ts'
import { fail } from '../../domain/errors.ts'
import {
  type Amount,
  excess,
  hasQuota,
  limitOf,
  NOTHING,
  type QuotaUse,
  type QuotaView,
  refuse,
  sum,
} from '../../domain/files/quota.ts'
import { below, cleanVirtualPath, isInside, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Random } from '../../platform/security/random.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { FileChanges } from '../files/file-changes.ts'
import { LimitedScopes } from './limited-scopes.ts'
import { Reservation, type ReservationBook } from './reservation.ts'
import {
  isDoubtful,
  isDue,
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

export interface QuotasDeps extends UsageLedgerDeps {
  readonly store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly changes: Pick<FileChanges, 'subscribe'>
  readonly random: Random
}

/** A user, as far as quotas are concerned. */
type Owner = Pick<User, 'scope' | 'quota' | 'quotaFiles'>

/**
 * Quotas of users. A user may not write more than their quota allows; what others write counts in each scope that contains it.
 * Nothing is counted for scopes of users without a quota.
 */
export interface Quotas extends AsyncDisposable {
  /**
   * Reserves for files that are about to be written. Call it after all other checks and before the first byte, settle the
   * reservation when they are in place, and dispose of it in any case.
   *
   * @param path where it will be, in the user's scope
   * @throws QUOTA_EXCEEDED
   */
  reserve(user: Owner, path: VirtualPath, wanted: Amount): Promise<Reservation>
  /**
   * Keep the result until a move has ended: a count may miss what is moved at both places. Scopes that it enters are counted
   * again. For moves to or from the trash, the other path is the root.
   */
  moving(user: Pick<User, 'scope'>, from: VirtualPath, to: VirtualPath): Promise<AsyncDisposable>
  /** Files have been removed or replaced, other than by an announced change. */
  freed(scope: string, path?: VirtualPath): Promise<void>
  /** Undefined for a user without a quota. Counts first, if needed; for longer than a second only before the first answer. */
  useOf(user: Owner, signal?: AbortSignal): Promise<QuotaUse | undefined>
  /** Of all users that have one, by name. Counts nothing. @throws FORBIDDEN */
  list(actor: Actor): Promise<QuotaView[]>
  /** Counts the files of a user now. @throws FORBIDDEN, NOT_FOUND, CONFLICT for a user without a quota */
  recount(actor: Actor, id: UserId, signal?: AbortSignal): Promise<QuotaView>
}

/** Milliseconds that a request for the usage waits for a count. */
const PATIENCE = 1000
/** Milliseconds after which a reservation that is not renewed ends. */
const RESERVATION_LIFETIME = 5 * 60_000

export function createQuotas({ store, changes, random, ...deps }: QuotasDeps): Quotas {
  const ledger = new UsageLedger(deps)
  /** For what must not fail when the files are in place. */
  const inBackground = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      deps.log.warn({ err: error }, 'what users with a quota use could not be updated')
    }
  }

  const update = async (scopes: readonly VirtualPath[], change: (usage: ScopeUsage) => ScopeUsage): Promise<void> => {
    if (scopes.length === 0) return
    await ledger.change(scopes, (book) => {
      for (const scope of scopes) {
        const usage = book.get(scope)
        // Of an unknown scope nothing has to be corrected.
        if (usage !== undefined) book.set(scope, change(usage))
      }
    })
  }

  const limited = new LimitedScopes(
    store,
    (scopes) => void inBackground(async () => await update(scopes, withoutCount)),
  )

  const hold = (book: UsageBook, scopes: readonly VirtualPath[], id: string, amount: Amount): void => {
    for (const scope of scopes)
      book.set(
        scope,
        withReservation(book.get(scope) ?? UNKNOWN, id, { ...amount, until: book.now + RESERVATION_LIFETIME }),
      )
  }

  /** @param own the user whose quota limits the reservation; undefined if none does */
  const bookOf = (
    scopes: readonly VirtualPath[],
    own?: { readonly scope: VirtualPath; readonly limit: Amount },
  ): ReservationBook => {
    const id = random.token(9)
    let reserved = NOTHING

    const attempt = async (more: Amount): Promise<Attempt> =>
      await ledger.change(scopes, (book) => {
        let isOld = false
        if (own !== undefined) {
          const usage = book.get(own.scope) ?? UNKNOWN
          const used = usedOf(usage, book.now)
          if (used === undefined) return { isUnknown: true }
          const problem = excess({ used, limit: own.limit }, more)
          if (problem !== undefined) return { problem, isDoubtful: isDoubtful(usage, book.now) }
          isOld = isDue(usage, book.now)
        }
        reserved = sum(reserved, more)
        hold(book, scopes, id, reserved)
        return { isOld }
      })

    return {
      async hold(more) {
        for (let counts = 0; ; counts += 1) {
          const { isUnknown, problem, isDoubtful: isOpen, isOld } = await attempt(more)
          if (isOld === true && own !== undefined) void ledger.countLater(own.scope)
          if (own === undefined || (isUnknown !== true && problem === undefined)) return
          if (problem !== undefined && (isOpen !== true || counts === MAX_COUNTS)) refuse(problem)
          if (counts === MAX_COUNTS)
            fail('BUSY', 'the files cannot be counted while they are moved: try again', { retryAfter: 5 })
          await ledger.count(own.scope)
        }
      },
      renew: async () => await ledger.change(scopes, (book) => hold(book, scopes, id, reserved)),
      release: async (written, { isExact }) =>
        // If the database is away, the reservation lapses, and the files are counted.
        await inBackground(
          async () =>
            await update(scopes, (usage) => {
              const settled = withGrowth(withoutReservation(usage, id), written)
              return isExact ? settled : withLoss(settled)
            }),
        ),
    }
  }

  const freed = async (scope: string, path: VirtualPath = ROOT): Promise<void> =>
    await inBackground(async () => await update(limited.around(below(cleanVirtualPath(scope), path)), withLoss))

  const viewOf = async (user: User): Promise<QuotaView> => {
    const scope = cleanVirtualPath(user.scope)
    const { used, at } = await ledger.change([scope], (book) => {
      const usage = book.get(scope) ?? UNKNOWN
      return { used: usedOf(usage, book.now), at: usage.count?.at }
    })
    const { id: userId, username } = user
    const counted = at === undefined ? null : new Date(at).toISOString()
    return { userId, username, scope, limit: limitOf(user), used: used ?? null, counted }
  }

  const unsubscribe = changes.subscribe(async (change) => {
    if (change.kind === 'moved') return
    const { kind, user, path } = change
    if (kind === 'removed') await freed(user.scope, path)
    // Scopes in a folder that was copied or removed.
    await update(limited.below(below(cleanVirtualPath(user.scope), path)), withoutCount)
  })

  return {
    async reserve(owner, path, wanted) {
      const folder = cleanVirtualPath(owner.scope)
      const scopes = new Set(limited.around(below(folder, path)))
      const own = hasQuota(owner) ? { scope: folder, limit: limitOf(owner) } : undefined
      if (own !== undefined) scopes.add(folder)
      return await Reservation.make(scopes.size === 0 ? undefined : bookOf([...scopes], own), wanted)
    },

    async moving({ scope }, from, to) {
      const folder = cleanVirtualPath(scope)
      const [left, reached] = [below(folder, from), below(folder, to)]
      const isLeft = (each: VirtualPath) => isInside(each, left)
      const isReached = (each: VirtualPath) => isInside(each, reached)
      await using held = new AsyncDisposableStack()
      held.defer(async () => {
        const changed = [...limited.around(reached), ...limited.below(left), ...limited.below(reached)]
        await inBackground(async () => {
          await update(
            limited.around(left).filter((each) => !isReached(each)),
            withLoss,
          )
          await update(
            changed.filter((each) => !isLeft(each)),
            withoutCount,
          )
        })
      })
      const both = limited.around(left).filter(isReached)
      if (both.length > 0) held.use(await Reservation.make(bookOf(both), NOTHING))
      return held.move()
    },

    freed,

    async useOf(user, signal) {
      if (!hasQuota(user)) return undefined
      limited.all()
      const scope = cleanVirtualPath(user.scope)
      const look = async () =>
        await ledger.change([scope], (book) => {
          const usage = book.get(scope) ?? UNKNOWN
          return { used: usedOf(usage, book.now), isDue: isDue(usage, book.now) }
        })
      const known = await look()
      if (known.used === undefined) await ledger.count(scope, signal)
      else if (known.isDue) await Promise.race([ledger.countLater(scope), sleep(PATIENCE, undefined, { ref: false })])
      const { used } = await look()
      return used && { used, limit: limitOf(user) }
    },

    async list(actor) {
      requireAdmin(actor, 'quotas.manage')
      const users = store.snapshot().users.filter(hasQuota)
      limited.all()
      const views: QuotaView[] = []
      for (const user of users.toSorted((a, b) => (a.username < b.username ? -1 : 1))) views.push(await viewOf(user))
      return views
    },

    async recount(actor, id, signal) {
      requireAdmin(actor, 'quotas.manage')
      const user = store.snapshot().users.find((each) => each.id === id) ?? fail('NOT_FOUND', 'there is no such user')
      if (!hasQuota(user)) fail('CONFLICT', `${user.username} has no quota`)
      await ledger.count(cleanVirtualPath(user.scope), signal)
      return await viewOf(user)
    },

    async [Symbol.asyncDispose]() {
      unsubscribe()
      await ledger[Symbol.asyncDispose]()
    },
  }
}

interface Attempt {
  /** The files must be counted first. */
  readonly isUnknown?: boolean
  /** Why there is no room. */
  readonly problem?: string
  /** There may be more room than is known. */
  readonly isDoubtful?: boolean
  readonly isOld?: boolean
}

/** Something may be removed while the files are counted. */
const MAX_COUNTS = 2
