import type { Actor } from '../../../domain/accounts/actor.ts'
import type { GivenPlace } from '../../../domain/accounts/place.ts'
import type { RootId } from '../../../domain/ids.ts'
import { FILES_ROOT, homeRootNamed, nameOfRoot, type Root, rootNamed } from '../../../domain/server/root.ts'
import { fail } from '../../../domain/errors.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import { GroupIndex } from '../../../domain/accounts/effective-user.ts'
import { type Group, groupNamed } from '../../../domain/accounts/group.ts'
import { isAdministrator, type User, UserPatch } from '../../../domain/accounts/user.ts'
import { ROOT } from '../../../domain/files/virtual-path.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { PasswordPolicy } from '../auth/passwords.ts'
import type { PasswordHasher } from '../../../platform/security/password-hasher.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { foldName } from '../../../domain/text/fold.ts'
import { isRecord } from '../../../domain/schema/schema-tools.ts'
import { withoutMembers } from '../../stored-users.ts'
import { keepShares, wholeGrants } from '../../kept-shares.ts'
import { isEmptyScope, type UserFields, withoutEmptyScope } from './account-fields.ts'
import { altered } from './account-change.ts'
import { type EnrolAll, type Enrolment, place, type Placed } from './enrol.ts'
import { requireUsablePasswords, withHashes } from './list-passwords.ts'
import { draftAccount, type DraftDeps, type DraftedAccount } from './new-account.ts'

/** Without second factors: whoever reads the list could show them. */
export type ExportedUser = Omit<
  User,
  'root' | 'places' | 'updatedAt' | 'credentialsVersion' | 'lastSeenAt' | 'noticesSeen' | 'factors' | 'factorAskedAt'
> & {
  /** The names of the groups of which the user was made a member by hand. */
  readonly groups: readonly string[]
  /** The name of the root that has the scope; absent in `files`. */
  readonly root?: string
  /** With the names of their roots; absent without any. */
  readonly places?: readonly (Omit<GivenPlace, 'root'> & { readonly root: string })[]
}

export interface UserTransferDeps {
  readonly store: Store<StoreDocument>
  readonly enrolAll: EnrolAll
  readonly hasher: PasswordHasher
  readonly policy: PasswordPolicy
  readonly compile: PatternCompiler
  readonly clock: Clock
}

/** Exports and imports accounts with their password hashes. For the operator only: hashes are never sent over HTTP. */
export function createUserTransfer(deps: UserTransferDeps) {
  const { store, enrolAll, hasher, compile, clock } = deps
  const decideOn = (entries: readonly Entry[], options: ImportOptions) => (now: Readonly<StoreDocument>) =>
    decide(entries, options, now, { compile, now: clock.now() })

  /** The list, if it can be imported into the store as it is now. */
  const checked = async (
    list: unknown,
    options: ImportOptions,
  ): Promise<{ entries: Entry[]; planned: Placed<Decided> }> => {
    const entries = readList(list, options, (hash) => hasher.recognises(hash))
    const now = store.snapshot()
    const planned = place(decideOn(entries, options)(now), now.nextUserId)
    await requireUsablePasswords(entries, deps)
    return { entries, planned }
  }

  return {
    /** Ordered by id, in the format that `import` reads. @throws FORBIDDEN */
    export(actor: Actor): readonly ExportedUser[] {
      requireOperator(actor)
      const { users, groups, roots } = store.snapshot()
      const index = new GroupIndex(groups)
      return users.toSorted((a, b) => a.id - b.id).map((user) => exported(user, index, roots))
    },

    /** What an import would do. @throws as `import` */
    async plan(actor: Actor, list: unknown, options: ImportOptions): Promise<ImportPlan> {
      requireOperator(actor)
      return (await checked(list, options)).planned
    },

    /** Imports the whole list, or nothing. @throws INVALID_INPUT, CONFLICT, FORBIDDEN */
    async import(actor: Actor, list: unknown, options: ImportOptions): Promise<ImportPlan> {
      requireOperator(actor)
      const { entries } = await checked(list, options)
      const existingOf = createFindExisting(store.snapshot().users)
      const hashed = await withHashes(entries, (entry) => existingOf(entry)?.passwordHash, deps)
      return await enrolAll(decideOn(hashed, options), (draft, { removed, added, changed }) => {
        draft.groups = withMembers(draft.groups, hashed, [...added, ...changed])
        if (removed.length === 0) return
        const gone = new Set(removed.map(({ id }) => id))
        const kept = draft.shares.filter((share) => !gone.has(share.userID))
        const { shares, reservedSlugs } = draft
        keepShares(draft, kept, { shares, reservedSlugs }, clock.now())
        draft.grants = wholeGrants(draft, draft.grants)
        draft.tokens = draft.tokens.filter((token) => !gone.has(token.userId))
        draft.groups = withoutMembers(draft.groups, gone)
      })
    },
  }
}

function exported(user: User, index: GroupIndex, roots: readonly Root[]): ExportedUser {
  const { updatedAt: _time, credentialsVersion: _version, lastSeenAt: _used, ...known } = user
  const { noticesSeen: _seen, factors: _factors, factorAskedAt: _asked, root: home, places, ...kept } = known
  const nameOf = (id: RootId) => nameOfRoot(roots, id)
  return {
    ...kept,
    // In a list, an empty scope is none.
    scope: isEmptyScope(kept.scope) ? ROOT : kept.scope,
    ...(home !== undefined && { root: nameOf(home) }),
    ...(places.length > 0 && { places: places.map((place) => ({ ...place, root: nameOf(place.root) })) }),
    groups: index
      .of(user)
      .filter(({ members }) => members.includes(user.id))
      .map(({ name }) => name),
  }
}

function requireOperator(actor: Actor): void {
  if (actor.kind !== 'operator') fail('FORBIDDEN', 'password hashes are only available on the command line')
}

export interface ImportOptions {
  /** Existing accounts with the same names are changed. */
  readonly overwrite: boolean
  /** Accounts that are not in the list are removed with their shares and tokens. */
  readonly replace: boolean
  /** Passwords of the list are in clear text, unless they are complete hashes. */
  readonly clearPasswords?: boolean
  /** Passwords in clear text by user name, for new accounts that have none in the list. */
  readonly passwords?: ReadonlyMap<string, string> | undefined
}

export interface ImportPlan {
  readonly added: readonly User[]
  readonly changed: readonly User[]
  readonly removed: readonly User[]
  /** Names of those added or changed to whom nobody can sign in with a password. */
  readonly withoutPassword: readonly string[]
}

type Decided = Enrolment & Omit<ImportPlan, 'added'>

/**
 * Decides what an import of these entries does. Accounts are matched by name. They keep their ids, which links refer to,
 * unless an account here had the same id.
 *
 * @throws INVALID_INPUT naming the entry; CONFLICT for an existing account; FORBIDDEN if no administrator would be left
 */
function decide(
  entries: readonly Entry[],
  options: ImportOptions,
  now: Readonly<StoreDocument>,
  deps: DraftDeps,
): Decided {
  const [drafts, changed]: [DraftedAccount[], User[]] = [[], []]
  const withoutPassword: string[] = []
  const existingOf = createFindExisting(now.users)
  for (const listed of entries) {
    const entry = { ...listed, fields: named(listed.username, () => withRootIds(listed.fields, now.roots)) }
    named(entry.username, () => entry.groups?.forEach((name) => groupNamed(now.groups, name)))
    const existing = existingOf(entry)
    if (existing !== undefined && !options.overwrite && !options.replace) {
      fail('CONFLICT', `there is a user named "${existing.username}" already; --overwrite changes it`)
    }
    if (existing === undefined) drafts.push(drafted(entry, now, deps))
    else changed.push(overwritten(existing, entry, deps))
    const hash = entry.passwordHash ?? existing?.passwordHash ?? ''
    if (entry.password === undefined && hash === '') withoutPassword.push(entry.username)
  }
  const ids = new Set(changed.map(({ id }) => id))
  const kept = now.users.filter(({ id }) => !ids.has(id))
  const others = [...(options.replace ? [] : kept), ...changed]
  if (![...others, ...drafts.map(({ account }) => account)].some(isAdministrator)) {
    fail('FORBIDDEN', 'no administrator would be left; the list must contain one')
  }
  return { drafts, others, changed, removed: options.replace ? kept : [], withoutPassword }
}

/** By the exact name, otherwise by one that differs only in case or Unicode form. */
function createFindExisting(users: readonly User[]): (entry: Entry) => User | undefined {
  const byName = new Map(users.map((user) => [user.username, user]))
  const alike = Map.groupBy(users, ({ username }) => foldName(username))
  const found = new Map<User, string>()
  return ({ username }) => {
    const [first, ...others] = alike.get(foldName(username)) ?? []
    const exact = byName.get(username)
    if (exact === undefined && others.length > 0) {
      const names = [first, ...others].map((user) => `"${user?.username ?? ''}"`).join(' and ')
      fail(
        'CONFLICT',
        `"${username}" is neither of the users ${names}, but differs only in case; use one of these names`,
      )
    }
    const existing = exact ?? first
    const other = existing && found.get(existing)
    if (other !== undefined) fail('INVALID_INPUT', `"${other}" and "${username}" in the list are the same user`)
    if (existing !== undefined) found.set(existing, username)
    return existing
  }
}

interface Entry {
  readonly id: number | undefined
  readonly username: string
  readonly fields: UserFields
  /** Names of groups; undefined leaves the memberships as they are. */
  readonly groups: readonly string[] | undefined
  /** Undefined keeps the password of an existing account. */
  readonly passwordHash: string | undefined
  /** In clear text, until it is hashed. */
  readonly password?: string | undefined
}

/** Fields by their lower-case names, which File Browser writes in YAML. */
const FIELDS = new Map(Object.keys(UserPatch.properties).map((name) => [name.toLowerCase(), name]))

/** @throws INVALID_INPUT naming the entry */
function readList(list: unknown, options: ImportOptions, recognises: (hash: string) => boolean): Entry[] {
  if (!Array.isArray(list))
    fail('INVALID_INPUT', 'the file must contain a list of accounts, as written by "users export"')
  const entries = list.map((entry: unknown, index) => readEntry(entry, index, options, recognises))
  requireUnique(entries)
  return entries
}

function readEntry(
  entry: unknown,
  index: number,
  { clearPasswords = false, passwords }: ImportOptions,
  recognises: (hash: string) => boolean,
): Entry {
  const label = `entry ${index + 1}`
  if (!isRecord(entry)) return fail('INVALID_INPUT', `${label} is not an account`)
  const folded = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]))
  const [id, username] = [folded.get('id'), folded.get('username')]
  if (typeof username !== 'string') return fail('INVALID_INPUT', `${label} has no username`)
  if (id !== undefined && !(typeof id === 'number' && Number.isSafeInteger(id) && id >= 0)) {
    return fail('INVALID_INPUT', `${label} ("${username}"): id must be a whole number`)
  }
  const [ownHash, clear] = [folded.get('passwordhash'), folded.get('password')]
  const isClear = clearPasswords && typeof clear === 'string' && clear !== '' && !recognises(clear)
  if (isClear && ownHash !== undefined)
    return fail('INVALID_INPUT', `${label} ("${username}") has both a password and a hash`, { field: 'password' })
  const hash = ownHash ?? (isClear ? undefined : clear)
  if (hash !== undefined && hash !== '' && !(typeof hash === 'string' && recognises(hash))) {
    return fail('INVALID_INPUT', `${label} ("${username}"): the password must be a hash, such as "filemgr hash" prints`)
  }
  const fields = [...folded].flatMap(([name, value]) => {
    const field = FIELDS.get(name)
    const isGiven = value !== null && !(field === 'viewMode' && value === '')
    return field === undefined || field === 'password' || !isGiven ? [] : [[field, value] as const]
  })
  const groups = folded.get('groups') ?? undefined
  if (groups !== undefined && !(Array.isArray(groups) && groups.every((name) => typeof name === 'string')))
    return fail('INVALID_INPUT', `${label} ("${username}"): groups must be a list of names`)
  const hasNone = !isClear && (hash === undefined || hash === '')
  const password = isClear ? clear : hasNone ? passwords?.get(username) : undefined
  return {
    id: id === 0 ? undefined : id,
    username,
    fields: Object.fromEntries(fields),
    groups,
    passwordHash: hash,
    password,
  }
}

/** The groups with the members that the list says. Users whose groups it does not name keep theirs. */
function withMembers(groups: readonly Group[], entries: readonly Entry[], users: readonly User[]): Group[] {
  const chosen = new Map(entries.flatMap(({ username, groups: names }) => (names ? [[username, names] as const] : [])))
  if (chosen.size === 0) return [...groups]
  const listed = users.filter(({ username }) => chosen.has(username))
  const gone = new Set(listed.map(({ id }) => id))
  const joining = Map.groupBy(
    listed.flatMap(({ id, username }) => (chosen.get(username) ?? []).map((name) => ({ id, name }))),
    ({ name }) => groupNamed(groups, name).id,
  )
  return withoutMembers(groups, gone).map((group) => {
    const ids = joining.get(group.id)?.map(({ id }) => id) ?? []
    return ids.length === 0 ? group : { ...group, members: [...new Set([...group.members, ...ids])] }
  })
}

/** The fields with the ids of the roots that they name. @throws NOT_FOUND */
function withRootIds({ root, places, ...fields }: UserFields, roots: readonly Root[]): UserFields {
  const files = { id: FILES_ROOT, name: FILES_ROOT as string }
  const idOf = (name: unknown) => (typeof name === 'string' ? rootNamed([files, ...roots], name).id : name)
  // Of another type, they are refused with the account.
  const withId = (place: unknown) => (isRecord(place) ? { ...place, root: idOf(place['root']) } : place)
  return {
    ...fields,
    ...(root !== undefined && { root: typeof root === 'string' ? homeRootNamed(roots, root) : root }),
    ...(places !== undefined && { places: Array.isArray(places) ? places.map(withId) : places }),
  } as UserFields
}

function requireUnique(entries: readonly Entry[]): void {
  for (const [index, { id, username }] of entries.entries()) {
    const twin = entries.slice(0, index).find((other) => other.username === username || (id && other.id === id))
    if (twin) fail('INVALID_INPUT', `"${twin.username}" and "${username}" share their name or id in the list`)
  }
}

function drafted({ id, username, fields, passwordHash }: Entry, now: Readonly<StoreDocument>, deps: DraftDeps) {
  return named(username, () =>
    draftAccount({ by: 'administrator', fields, passwordHash, id, isImported: id !== undefined }, now, deps),
  )
}

function overwritten(user: User, { username, fields, passwordHash }: Entry, { compile, now }: DraftDeps): User {
  return named(username, () => {
    const next = { ...altered(user, withoutEmptyScope(fields), compile), updatedAt: now }
    const hasNewPassword = passwordHash !== undefined && passwordHash !== user.passwordHash
    if (hasNewPassword) next.passwordHash = passwordHash
    // As after any such change, users must sign in again.
    if (hasNewPassword || next.perm.admin !== user.perm.admin || next.disabled !== user.disabled)
      next.credentialsVersion += 1
    return next
  })
}

function named<T>(username: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    return fail(
      'INVALID_INPUT',
      `the account "${username}" is invalid: ${(error as Error).message}`,
      {},
      { cause: error },
    )
  }
}
