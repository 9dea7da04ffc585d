import { type Accounts, type Actor, requireSignedIn } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import type { SessionFamily, UserId } from '../../../domain/ids.ts'
import { mayDo, requireRight } from '../../../domain/access/permissions.ts'
import { OWN_FIELDS, type User } from '../../../domain/accounts/user.ts'
import type { StoreDocument } from '../../../store/document.ts'
import { requireFreeName } from './account-names.ts'
import { requireNewUsername, type UserFields, withFields } from './account-fields.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Store } from '../../../store/store.ts'
import { cleanScope } from './home-folder.ts'
import type { SessionBook } from '../sessions/sessions.ts'
import { requireKnownPlaces, requireKnownRoot } from '../../stored-roots.ts'
import { requireUser, replaceUser } from '../../stored-users.ts'

/** @throws FORBIDDEN for a token, and unless the caller is that user or an administrator, even if there is no such user */
export function requireSelfOrAdmin(actor: Actor, id: UserId, at?: Accounts): void {
  requireSignedIn(actor)
  if (actor.kind === 'operator') return
  const { perm } = actor.user(at)
  if (actor.id !== id) requireRight(perm, 'users.manage')
}

/** The operator may do what administrators may. */
export function isAdmin(actor: Actor, at?: Accounts): boolean {
  return actor.kind === 'operator' || mayDo(actor.user(at).perm, 'users.manage')
}

/** @throws FORBIDDEN for fields that only administrators may change */
export function requireOwnFields(actor: Actor, target: User, fields: readonly string[], at?: Accounts): void {
  if (isAdmin(actor, at)) return
  const isAllowed = (name: string) => OWN_FIELDS.includes(name) || (name === 'password' && !target.lockPassword)
  const refused = fields.find((name) => !isAllowed(name))
  if (refused !== undefined) fail('FORBIDDEN', `only an administrator may change ${refused}`, { field: refused })
}

/** The names of the fields that are given. */
export function namesOf(fields: UserFields): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
}

/**
 * An account may keep a name that differs from another one only in case, as stores of older versions have them.
 *
 * @throws CONFLICT
 */
export function requireFreeRename(users: readonly User[], before: User, { username }: Pick<User, 'username'>): void {
  if (username !== before.username) {
    requireFreeName(
      users.filter(({ id }) => id !== before.id),
      username,
    )
  }
}

export interface Alteration {
  readonly fields: UserFields
  /** Undefined keeps the password. */
  readonly passwordHash?: string | undefined
  /** The device that stays signed in when the password changes. */
  readonly keptSession?: SessionFamily | undefined
  /** Throws to refuse, inside the write. @param stored the account as it is now */
  readonly accept?: (stored: User, now: Readonly<StoreDocument>) => void
}

/**
 * Changes all given fields of an account, or none. A new password, a change of the administrator's permission, and disabling
 * the account sign its devices out.
 *
 * @throws NOT_FOUND, INVALID_INPUT, CONFLICT; FORBIDDEN if no administrator would remain
 */
export type Alter = (id: UserId, alteration: Alteration) => Promise<User>

export interface AlterDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: SessionBook
  readonly compile: PatternCompiler
  readonly clock: Clock
}

/** The account with the fields changed. @throws INVALID_INPUT */
export function altered(user: User, fields: UserFields, compile: PatternCompiler): User {
  const next = withFields(user, fields, compile)
  if (next.username !== user.username) requireNewUsername(next.username)
  return fields.scope === undefined ? next : { ...next, scope: cleanScope(next.scope) }
}

export function createAlter({ store, sessions, compile, clock }: AlterDeps): Alter {
  return async (id, { fields, passwordHash, keptSession, accept }) => {
    const { before, after } = await store.update((draft, now) => {
      const stored = requireUser(now, id)
      accept?.(stored, now)
      const next = { ...altered(stored, fields, compile), updatedAt: clock.now() }
      if (passwordHash !== undefined) next.passwordHash = passwordHash
      const changesRights = next.perm.admin !== stored.perm.admin || next.disabled !== stored.disabled
      if (passwordHash !== undefined || changesRights) next.credentialsVersion += 1
      if (next.root !== stored.root) requireKnownRoot(now, next.root)
      if (fields.places !== undefined) requireKnownPlaces(now, next.places)
      requireFreeRename(now.users, stored, next)
      replaceUser(draft, now, stored, next)
      return { before: stored, after: next }
    })
    if (after.credentialsVersion !== before.credentialsVersion) {
      const keeps = after.perm.admin === before.perm.admin && !after.disabled
      await sessions.endOthers(after, keeps ? keptSession : undefined)
    }
    return after
  }
}
