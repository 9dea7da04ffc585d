import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import { NO_ROOT } from '../../../domain/accounts/place.ts'
import { servedFolderOf } from '../../../domain/server/root.ts'
import type { User } from '../../../domain/accounts/user.ts'
import { auditText } from '../../../domain/server/audit.ts'
import { fail, isFilemgrError } from '../../../domain/errors.ts'
import { cleanVirtualPath, ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { type Storage, storagePathOf } from '../../../storage/storage.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { makeHome } from '../../access/quotas/folder-room.ts'
import type { Quotas } from '../../access/quotas/quotas.ts'
import { createNameTaker, failTaken, requireFreeName } from './account-names.ts'
import { LookAlikeIndex } from './look-alike-index.ts'
import { requireKnownPlaces, requireKnownRoot } from '../../stored-roots.ts'
import { createTakenFolders, numberedHomes } from './home-folder.ts'
import { draftAccount, type DraftedAccount, type NewAccount } from './new-account.ts'

/** New accounts, and all others that there will be. */
export interface Enrolment {
  readonly drafts: readonly DraftedAccount[]
  readonly others: readonly User[]
}

/** The new accounts with their ids and folders. */
export type Placed<E extends Enrolment> = E & { readonly added: readonly User[] }

/**
 * Gives each new account an id, and a home folder that no user has. Scopes that are given count before homes, wherever in the
 * list they are.
 *
 * @param occupied homes with content, which are not for those who need an empty one
 * @throws CONFLICT if a name is taken, or a home folder and a hundred numbered ones
 */
export function place<E extends Enrolment>(
  enrolment: E,
  nextUserId: UserId,
  occupied: ReadonlySet<VirtualPath> = new Set(),
): Placed<E> {
  const { drafts, others } = enrolment
  const isHome = ({ home }: DraftedAccount) => home !== undefined
  const scopes = [...others, ...drafts.filter((draft) => !isHome(draft)).map(({ account }) => account)]
  const taken = drafts.some(isHome) ? createTakenFolders(scopes.map(servedFolderOf)) : undefined
  // For one account, folding all names once costs less than a table of them.
  const takeName = drafts.length > 1 ? createNameTaker(others) : (name: string) => requireFreeName(others, name)
  const idOf = createIds(drafts, nextUserId)
  const added = drafts.map((draft): User => {
    const { account, home } = draft
    takeName(account.username)
    const user = { ...account, id: idOf(draft) }
    if (home === undefined || taken === undefined) return user
    const served = (scope: VirtualPath) => servedFolderOf({ root: account.root, scope })
    const isFree = (scope: VirtualPath) =>
      !taken.has(served(scope)) && !(home === 'empty' && occupied.has(served(scope)))
    const preferred = cleanVirtualPath(account.scope)
    const refusal = `no home folder named ${preferred} is free; choose another name`
    const scope =
      numberedHomes(preferred).find(isFree) ?? fail('CONFLICT', refusal, { field: 'username', reason: 'homeTaken' })
    taken.add(served(scope))
    return { ...user, scope }
  })
  return { ...enrolment, added }
}

/** Ids that were used before are not given again: links and tokens may refer to them. */
function createIds(drafts: readonly DraftedAccount[], nextUserId: UserId): (draft: DraftedAccount) => UserId {
  const kept = new Set(drafts.map(({ id }) => id ?? 0).filter((id) => id >= nextUserId))
  let next: number = nextUserId
  return ({ id }) => {
    if (id !== undefined && kept.has(id)) return id as UserId
    while (kept.has(next)) next += 1
    next += 1
    return (next - 1) as UserId
  }
}

/**
 * Stores a new account, and creates its folder; or finds the one that the person has.
 *
 * @param hash of its password; called once it is certain that the account is valid, because it takes long
 * @throws INVALID_INPUT; CONFLICT if the name is taken, or the home folder and a hundred numbered ones; MAINTENANCE
 */
export type Enrol = (known: NewAccount, hash?: () => Promise<string | undefined>) => Promise<User>

/**
 * Stores all new accounts that `decide` finds, and creates their folders, or stores none.
 *
 * @param decide may be called several times
 * @param change changes the rest of the document with them
 * @throws CONFLICT and what `decide` and `change` throw
 */
export type EnrolAll = <E extends Enrolment>(
  decide: (now: Readonly<StoreDocument>) => E,
  change?: (draft: StoreDocument, enrolment: Placed<E>) => void,
) => Promise<Placed<E>>

export interface EnrolDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Storage
  readonly quotas: Quotas
  readonly compile: PatternCompiler
  readonly clock: Clock
  readonly log: Logger
}

export function createEnrol(deps: EnrolDeps): { enrol: Enrol; enrolAll: EnrolAll } {
  const { store, storage, quotas, compile, clock, log } = deps
  let index: LookAlikeIndex | undefined

  /** Loaded when a stranger comes, because the table of letters takes a while. */
  const loadIndex = async (): Promise<LookAlikeIndex> => {
    const { looksOf } = await import('../../../platform/validation/look-alikes.ts')
    return (index ??= new LookAlikeIndex(looksOf))
  }

  const enrolAll: EnrolAll = async (decide, change) => {
    const [ready, occupied] = [new Set<VirtualPath>(), new Set<VirtualPath>()]
    const planOn = (now: Readonly<StoreDocument>) => {
      const plan = decide(now)
      for (const { account } of plan.drafts) {
        requireKnownRoot(now, account.root)
        requireKnownPlaces(now, account.places)
      }
      return place(plan, now.nextUserId, occupied)
    }
    // The root itself needs no folder.
    const needsFolder = (user: User) =>
      user.root !== NO_ROOT && cleanVirtualPath(user.scope) !== ROOT && !ready.has(servedFolderOf(user))
    const isReady = ({ added }: Placed<Enrolment>) => !added.some(needsFolder)

    const makeFolders = async ({ added, drafts }: Placed<Enrolment>): Promise<void> => {
      for (const [index, user] of added.entries()) {
        const folder = servedFolderOf(user)
        if (!needsFolder(user)) continue
        if (drafts[index]?.home === 'empty' && !(await isEmpty(storage, folder))) {
          occupied.add(folder)
          continue
        }
        await makeHome(quotas, storage, user)
        ready.add(folder)
      }
    }

    // Each further round follows a change that somebody else has made, or a home that turned out to have content.
    for (let seen = store.snapshot(); ;) {
      const plan = planOn(seen)
      await makeFolders(plan)
      if (!isReady(plan)) continue
      const stored = await store.update((draft, now) => {
        // Decided again inside the write: two concurrent requests could both have found the name or the home free
        // (CVE-2026-72836), and the settings may have changed since.
        seen = now
        const newest = planOn(now)
        if (!isReady(newest)) return undefined
        draft.users = [...newest.others, ...newest.added].sort((a, b) => a.id - b.id)
        draft.nextUserId = newest.added.reduce((next, { id }) => Math.max(next, id + 1) as UserId, now.nextUserId)
        change?.(draft, newest)
        return newest
      })
      if (stored !== undefined) return stored
    }
  }

  const enrol: Enrol = async (known, hash) => {
    const lookAlikes = known.by === 'administrator' ? undefined : await loadIndex()
    const twinIn = (users: readonly User[], name: string) => lookAlikes?.find(users, name)
    const decide = (now: Readonly<StoreDocument>, passwordHash?: string) => {
      known.accept?.(now)
      const existing = known.existing?.(now)
      if (existing !== undefined) return { drafts: [], others: now.users, existing }
      const draft = draftAccount({ ...known, passwordHash }, now, { compile, now: clock.now() })
      // The attack: to sign up under a name that others take for that of somebody they know.
      const { username } = draft.account
      if (known.by === 'sign-up' && twinIn(now.users, username) !== undefined) failTaken(username)
      return { drafts: [draft], others: now.users, existing }
    }
    const before = store.snapshot()
    for (const { account } of decide(before).drafts) requireFreeName(before.users, account.username)
    const passwordHash = (await hash?.()) ?? ''
    const { added, others, existing } = await enrolAll((now) => decide(now, passwordHash))
    if (existing !== undefined) return existing
    const [user = fail('INTERNAL', 'no account was stored')] = added
    const isProven = known.by === 'provider' || known.by === 'single sign-on'
    const twin = isProven ? twinIn(others, user.username) : undefined
    if (twin !== undefined) {
      const names = { user: user.id, name: auditText(user.username), other: auditText(twin.username) }
      log.warn(names, 'a new account has a name that looks like that of another account')
    }
    return user
  }

  return { enrol, enrolAll }
}

/** Whether the folder is empty or missing. */
async function isEmpty(storage: EnrolDeps['storage'], folder: VirtualPath): Promise<boolean> {
  try {
    using scope = await storage.openScope(storagePathOf(folder), 'inside')
    for await (const _entries of scope.walk(ROOT, { rules: [], rulePrefix: ROOT, hideDotfiles: false })) return false
  } catch (error) {
    if (!isFilemgrError(error, 'NOT_FOUND')) throw error
  }
  return true
}
