import type { Actor } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import { isAdministrator, type User, type UserDefaults, UserPatch } from '../../../domain/accounts/user.ts'
import { cleanVirtualPath } from '../../../domain/files/virtual-path.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { PasswordHasher } from '../../../platform/security/password-hasher.ts'
import { type Storage, storagePathOf } from '../../../storage/storage.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import type { UserId } from '../../../domain/ids.ts'
import { isRecord } from '../../../domain/schema/schema-tools.ts'
import { draftAccount, type UserFields } from './account-fields.ts'
import { altered } from './account-change.ts'

/** Exports and imports accounts with their password hashes. For the operator only: hashes are never sent over HTTP. */
export interface UserTransfer {
  /** Ordered by id, in the format that `import` reads. @throws FORBIDDEN */
  export(actor: Actor): readonly ExportedUser[]
  /** What an import would do. @throws as `import` */
  plan(actor: Actor, list: unknown, options: ImportOptions): ImportPlan
  /** Imports the whole list, or nothing. @throws INVALID_INPUT, CONFLICT, FORBIDDEN */
  import(actor: Actor, list: unknown, options: ImportOptions): Promise<ImportPlan>
}

export type ExportedUser = Omit<User, 'updatedAt' | 'credentialsVersion' | 'lastSeenAt'>

export interface UserTransferDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Pick<Storage, 'makeScope'>
  readonly hasher: PasswordHasher
  readonly compile: PatternCompiler
  readonly clock: Clock
}

export function createUserTransfer({ store, storage, hasher, compile, clock }: UserTransferDeps): UserTransfer {
  const planFor = (document: Readonly<StoreDocument>, list: unknown, options: ImportOptions): ImportPlan =>
    planImport(list, options, document, {
      defaults: document.settings.defaults,
      recognises: (hash) => hasher.recognises(hash),
      compile,
      now: clock.now(),
    })

  return {
    export(actor) {
      requireOperator(actor)
      return store
        .snapshot()
        .users.toSorted((a, b) => a.id - b.id)
        .map(({ updatedAt: _time, credentialsVersion: _version, lastSeenAt: _seen, ...user }) => user)
    },

    plan(actor, list, options) {
      requireOperator(actor)
      return planFor(store.snapshot(), list, options)
    },

    async import(actor, list, options) {
      requireOperator(actor)
      for (const { scope } of planFor(store.snapshot(), list, options).added) {
        const folder = cleanVirtualPath(scope)
        if (folder !== '/') await storage.makeScope(storagePathOf(folder))
      }
      return await store.update((draft) => {
        const plan = planFor(draft, list, options)
        const gone = new Set(plan.removed.map(({ id }) => id))
        draft.users = plan.users
        draft.nextUserId = plan.nextUserId
        draft.shares = draft.shares.filter((share) => !gone.has(share.userID))
        draft.tokens = draft.tokens.filter((token) => !gone.has(token.userId))
        return plan
      })
    },
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
}

export interface ImportPlan {
  readonly added: readonly User[]
  readonly changed: readonly User[]
  readonly removed: readonly User[]
  readonly users: User[]
  readonly nextUserId: UserId
}

export interface ImportPlanDeps {
  readonly defaults: UserDefaults
  readonly recognises: (hash: string) => boolean
  readonly compile: PatternCompiler
  readonly now: number
}

/**
 * Plans the import of a list of exported accounts. Accounts are matched by name. They keep their ids, which links refer to,
 * unless an account here had the same id.
 *
 * @throws INVALID_INPUT naming the entry; CONFLICT for an existing account; FORBIDDEN if no administrator would be left
 */
function planImport(
  list: unknown,
  options: ImportOptions,
  document: Readonly<StoreDocument>,
  deps: ImportPlanDeps,
): ImportPlan {
  if (!Array.isArray(list))
    fail('INVALID_INPUT', 'the file must contain a list of accounts, as written by "users export"')
  const entries = list.map((entry: unknown, index) => readEntry(entry, index, deps))
  requireUnique(entries)
  const [added, changed]: [User[], User[]] = [[], []]
  let nextId: number = document.nextUserId
  const reserved = entries.map(({ id }) => id ?? 0).filter((id) => id >= document.nextUserId)
  for (const entry of entries) {
    const existing = document.users.find(({ username }) => username === entry.username)
    if (existing !== undefined) {
      if (!options.overwrite && !options.replace) {
        fail('CONFLICT', `there is a user named "${entry.username}" already; --overwrite changes it`)
      }
      changed.push(overwritten(existing, entry, deps))
      continue
    }
    const keptId = entry.id !== undefined && entry.id >= document.nextUserId ? entry.id : undefined
    while (keptId === undefined && reserved.includes(nextId)) nextId += 1
    const id = keptId ?? nextId
    if (keptId === undefined) nextId += 1
    added.push({ ...created(entry, deps), id: id as UserId })
  }
  const kept = document.users.filter((user) => !changed.some(({ id }) => id === user.id))
  const users = [...(options.replace ? [] : kept), ...changed, ...added].toSorted((a, b) => a.id - b.id)
  if (!users.some(isAdministrator)) {
    fail('FORBIDDEN', 'no administrator would be left; the list must contain one')
  }
  const nextUserId = Math.max(document.nextUserId, ...users.map(({ id }) => id + 1)) as UserId
  return { added, changed, removed: options.replace ? kept : [], users, nextUserId }
}

interface Entry {
  readonly id: number | undefined
  readonly username: string
  readonly fields: UserFields
  /** Undefined keeps the password of an existing account. */
  readonly passwordHash: string | undefined
}

/** Fields by their lower-case names, which File Browser writes in YAML. */
const FIELDS = new Map(Object.keys(UserPatch.properties).map((name) => [name.toLowerCase(), name]))

function readEntry(entry: unknown, index: number, { recognises }: ImportPlanDeps): Entry {
  const label = `entry ${index + 1}`
  if (!isRecord(entry)) return fail('INVALID_INPUT', `${label} is not an account`)
  const folded = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]))
  const [id, username] = [folded.get('id'), folded.get('username')]
  if (typeof username !== 'string') return fail('INVALID_INPUT', `${label} has no username`)
  if (id !== undefined && !(typeof id === 'number' && Number.isSafeInteger(id) && id >= 0)) {
    return fail('INVALID_INPUT', `${label} ("${username}"): id must be a whole number`)
  }
  const hash = folded.get('passwordhash') ?? folded.get('password')
  if (hash !== undefined && hash !== '' && !(typeof hash === 'string' && recognises(hash))) {
    return fail('INVALID_INPUT', `${label} ("${username}"): the password must be a hash, such as "filemgr hash" prints`)
  }
  const fields = [...folded].flatMap(([name, value]) => {
    const field = FIELDS.get(name)
    const isGiven = value !== null && !(field === 'viewMode' && value === '')
    return field === undefined || field === 'password' || !isGiven ? [] : [[field, value] as const]
  })
  return { id: id === 0 ? undefined : id, username, fields: Object.fromEntries(fields), passwordHash: hash }
}

function requireUnique(entries: readonly Entry[]): void {
  for (const [index, { id, username }] of entries.entries()) {
    const twin = entries.slice(0, index).find((other) => other.username === username || (id && other.id === id))
    if (twin) fail('INVALID_INPUT', `"${twin.username}" and "${username}" share their name or id in the list`)
  }
}

function created({ username, fields, passwordHash = '' }: Entry, { defaults, compile, now }: ImportPlanDeps): User {
  return named(username, () => ({ ...altered(draftAccount(defaults, now), scoped(fields), compile), passwordHash }))
}

function overwritten(user: User, { username, fields, passwordHash }: Entry, { compile, now }: ImportPlanDeps): User {
  return named(username, () => {
    const next = { ...altered(user, scoped(fields), compile), updatedAt: now }
    const hasNewPassword = passwordHash !== undefined && passwordHash !== user.passwordHash
    if (hasNewPassword) next.passwordHash = passwordHash
    // As after any such change, users must sign in again.
    if (hasNewPassword || next.perm.admin !== user.perm.admin || next.disabled !== user.disabled)
      next.credentialsVersion += 1
    return next
  })
}

/** An empty scope is the whole served folder. */
function scoped(fields: UserFields): UserFields {
  return fields.scope === '' ? { ...fields, scope: '/' } : fields
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
