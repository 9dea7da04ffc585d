import type { SessionFamily, UserId } from '../../domain/ids.ts'
import type { PatternCompiler } from '../../domain/rule-check.ts'
import type { User } from '../../domain/user.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { replaceUser, requireFreeName, requireUser } from './account-change.ts'
import { withFields, type UserFields } from './account-fields.ts'
import { cleanScope } from './home-folder.ts'
import type { SessionBook } from '../sessions.ts'

export interface Alteration {
  readonly fields: UserFields
  /** Undefined leaves the password. */
  readonly passwordHash?: string | undefined
  /** Stays signed in when the password is another one. */
  readonly keptSession?: SessionFamily | undefined
}

/**
 * Changes an account, all of it or nothing. Another password and the administrator's permission, given or taken, sign its
 * devices out.
 *
 * @throws NOT_FOUND, INVALID_INPUT, CONFLICT; FORBIDDEN when nobody would be left who may administer
 */
export type Alter = (id: UserId, alteration: Alteration) => Promise<User>

export interface AlterDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: Pick<SessionBook, 'endOthers'>
  readonly compile: PatternCompiler
  readonly clock: Clock
}

/** The account with the fields changed. @throws INVALID_INPUT */
export function altered(user: User, fields: UserFields, compile: PatternCompiler): User {
  const next = withFields(user, fields, compile)
  return fields.scope === undefined ? next : { ...next, scope: cleanScope(next.scope) }
}

export function createAlter({ store, sessions, compile, clock }: AlterDeps): Alter {
  return async (id, { fields, passwordHash, keptSession }) => {
    const { before, after } = await store.update((draft) => {
      const stored = requireUser(draft, id)
      const next = { ...altered(stored, fields, compile), updatedAt: clock.now() }
      if (passwordHash !== undefined) next.passwordHash = passwordHash
      if (passwordHash !== undefined || next.perm.admin !== stored.perm.admin) next.credentialsVersion += 1
      requireFreeName(draft, next, id)
      replaceUser(draft, stored, next)
      return { before: stored, after: next }
    })
    if (after.credentialsVersion !== before.credentialsVersion) {
      await sessions.endOthers(after, after.perm.admin === before.perm.admin ? keptSession : undefined)
    }
    return after
  }
}
