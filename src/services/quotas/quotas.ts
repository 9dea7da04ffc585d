import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import type { User } from '../../domain/accounts/user.ts'
import { fail } from '../../domain/errors.ts'
import {
  type Amount,
  excess,
  hasQuota,
  limitOf,
  type QuotaUse,
  type QuotaView,
  refuse,
} from '../../domain/files/quota.ts'
import { below, cleanVirtualPath, isInside, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Random } from '../../platform/security/random.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { FileChanges } from '../files/file-changes.ts'
import { LimitedScopes } from './limited-scopes.ts'
import { Room, type RoomBook } from './room.ts'
import {
  isDoubtful,
  isDue,
  type ScopeUsage,
  UNKNOWN,
  usedOf,
  withGrowth,
  withHeld,
  withLoss,
  withoutHeld,
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
 * Quotas of users. A user may not write more than the own quota allows; what anybody writes counts in each scope that contains it.
 * Nothing is counted for scopes of users without a quota.
 */
export interface Quotas extends AsyncDisposable {
  /**
   * Room for something that is about to be written. Whoever writes files calls it after all other checks and before the first byte,
   * settles the room when they are in place, and disposes of it in any case.
   *
   * @param path where it will be, in the user's scope
   * @throws QUOTA_EXCEEDED
   */
  reserve(user: Owner, path: VirtualPath, wanted: Amount): Promise<Room>
  /** Files have been removed, other than by an announced change. */
  freed(scope: string, path?: VirtualPath): Promise<void>
  /** Something has come to a path, from another one of the same user, by a rename. */
  moved(user: Owner, from: VirtualPath, to: VirtualPath): Promise<void>
  /** Undefined for a user without a quota. Counts first, if needed; for longer than a second only before the first answer. */
  useOf(user: Owner, signal?: AbortSignal): Promise<QuotaUse | undefined>
  /** Of all users that have one, by name. Counts nothing. @throws FORBIDDEN */
  list(actor: Actor): Promise<QuotaView[]>
  /** Counts the files of a user now. @throws FORBIDDEN, NOT_FOUND, CONFLICT for a user without a quota */
  recount(actor: Actor, id: UserId, signal?: AbortSignal): Promise<QuotaView>
}

/** Milliseconds for which somebody who looks waits for a count. */
const PATIENCE = 1000
/** Milliseconds for which a room is held without being renewed. */
const HELD = 5 * 60_000

export function createQuotas({ store, changes, random, ...deps }: QuotasDeps): Quotas {
  const limited = new LimitedScopes(store)
  const ledger = new UsageLedger(deps)

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

  const hold = (book: UsageBook, scopes: readonly VirtualPath[], id: string, amount: Amount): void => {
    for (const scope of scopes)
      book.set(scope, withHeld(book.get(scope) ?? UNKNOWN, id, { ...amount, until: book.now + HELD }))
  }

  /** @param own the scope whose quota limits the room; undefined if none does */
  const bookOf = (scopes: readonly VirtualPath[], owner: Owner, own: VirtualPath | undefined): RoomBook => {
    const id = random.token(9)
    let held: Amount = { bytes: 0, files: 0 }

    /** @returns why there is no room; undefined if it is held */
    const attempt = async (more: Amount) =>
      await ledger.change(scopes, (book) => {
        const usage = own === undefined ? undefined : (book.get(own) ?? UNKNOWN)
        if (usage !== undefined) {
          const used = usedOf(usage, book.now)
          if (used === undefined) return { problem: 'the files are not counted yet', isDoubtful: true }
          const problem = excess({ used, limit: limitOf(owner) }, more)
          if (problem !== undefined) return { problem, isDoubtful: isDoubtful(usage, book.now) }
        }
        const all = { bytes: held.bytes + more.bytes, files: held.files + more.files }
        hold(book, scopes, id, all)
        held = all
        return usage !== undefined && isDue(usage, book.now) ? { isOld: true } : {}
      })

    return {
      async hold(more) {
        for (let counts = 0; ; counts += 1) {
          const { problem, isDoubtful: isOpen = false, isOld = false } = await attempt(more)
          if (isOld && own !== undefined) void ledger.countLater(own)
          if (problem === undefined) return
          if (!isOpen || counts === MAX_COUNTS || own === undefined) refuse(problem)
          await ledger.count(own)
        }
      },
      renew: async () => await ledger.change(scopes, (book) => hold(book, scopes, id, held)),
      release: async (written, { isExact }) =>
        await update(scopes, (usage) => {
          const settled = withGrowth(withoutHeld(usage, id), written)
          return isExact ? settled : withLoss(settled)
        }),
    }
  }

  const freed = async (scope: string, path: VirtualPath = ROOT): Promise<void> =>
    await update(limited.touching(below(cleanVirtualPath(scope), path)), withLoss)

  const moved = async ({ scope }: Owner, from: VirtualPath, to: VirtualPath): Promise<void> => {
    const folder = cleanVirtualPath(scope)
    const reached = limited.around(below(folder, to)).filter((each) => !isInside(each, below(folder, from)))
    if (reached.length === 0) return
    const amount = await ledger.measure(folder, to)
    await update(reached, (usage) => withGrowth(usage, amount))
  }

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
    if (change.kind === 'written') return
    const { user } = change
    if (change.kind === 'removed') return await freed(user.scope, change.path)
    await freed(user.scope, change.from)
    await moved(user, change.from, change.to)
  })

  return {
    async reserve(owner, path, wanted) {
      const folder = cleanVirtualPath(owner.scope)
      const scopes = new Set(limited.around(below(folder, path)))
      const own = hasQuota(owner) ? folder : undefined
      if (own !== undefined) scopes.add(own)
      return await Room.take(scopes.size === 0 ? undefined : bookOf([...scopes], owner, own), wanted)
    },

    freed,
    moved,

    async useOf(user, signal) {
      if (!hasQuota(user)) return undefined
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

/** Something may be removed while the files are counted. */
const MAX_COUNTS = 2
