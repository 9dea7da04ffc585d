import { type Actor, requireAdmin } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { UserId } from '../../../domain/ids.ts'
import { isRecord } from '../../../domain/schema/schema-tools.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import { isSensitive, type User, type UserView, viewOf } from '../../../domain/accounts/user.ts'
import type { PasswordHasher } from '../../../platform/security/password-hasher.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { StoreDocument } from '../../../store/document.ts'
import { keepShares, wholeGrants } from '../../kept-shares.ts'
import type { Store } from '../../../store/store.ts'
import {
  type Alter,
  altered,
  isAdmin,
  namesOf,
  requireFreeRename,
  requireOwnFields,
  requireSelfOrAdmin,
} from './account-change.ts'
import { replaceUser, requireUser, UserIndex } from '../../stored-users.ts'
import type { UserFields } from './account-fields.ts'
import { accountsNamed } from './account-names.ts'
import { type ConfirmPassword, hashOf, type PasswordPolicy, requireUsable } from '../auth/passwords.ts'
import type { SessionBook } from '../sessions/sessions.ts'
import type { Enrol } from './enrol.ts'
import { readCurrentPassword, readSelection, readUserData, readUserWrite, selectedFields } from './user-write.ts'

/** The actor's password, not that of the changed user. The operator needs none. */
export interface CurrentPassword {
  readonly currentPassword?: string | undefined
}

export interface CreateOptions extends CurrentPassword {
  /** A hash instead of a password, as printed by `filemgr hash`. */
  readonly passwordHash?: string | undefined
  /** Creates a home folder even if the settings do not; an explicit scope takes precedence. */
  readonly ownHome?: boolean
  /** Ignores the defaults for new users: missing fields are empty and missing permissions denied, as API clients expect. */
  readonly bare?: boolean
}

export interface UpdateOptions extends CurrentPassword {
  readonly passwordHash?: string | undefined
}

/** Accounts. Users who are not administrators see and change only their own. */
export interface Users {
  list(actor: Actor): Promise<UserView[]>
  /** @throws FORBIDDEN, NOT_FOUND */
  get(actor: Actor, id: UserId): Promise<UserView>
  /**
   * Finds a user by name, in any case if only one can be meant, by id as "id:7", or by a number that is not a user name.
   *
   * @throws NOT_FOUND
   */
  find(nameOrId: string): UserView
  /** @throws INVALID_INPUT, FORBIDDEN, CONFLICT */
  create(actor: Actor, fields: UserFields, options?: CreateOptions): Promise<UserView>
  /** Changes the given fields, all of them or none. @throws INVALID_INPUT, FORBIDDEN, NOT_FOUND, CONFLICT */
  update(actor: Actor, id: UserId, fields: UserFields, options?: UpdateOptions): Promise<UserView>
  setPassword(actor: Actor, id: UserId, password: string, options?: CurrentPassword): Promise<void>
  /** Also removes the user's shares, tokens and sessions. @throws INVALID_INPUT, FORBIDDEN, NOT_FOUND */
  remove(actor: Actor, id: UserId, options?: CurrentPassword): Promise<void>
  /** `create` with a request body in the format of File Browser: what, which, current_password, data. */
  createFromWire(actor: Actor, body: unknown): Promise<UserView>
  updateFromWire(actor: Actor, id: UserId, body: unknown): Promise<UserView>
  removeFromWire(actor: Actor, id: UserId, body: unknown): Promise<void>
}

export interface UsersDeps {
  readonly store: Store<StoreDocument>
  readonly sessions: SessionBook
  /** When each account was last used, in milliseconds since 1970. */
  readonly lastSeen: () => ReadonlyMap<UserId, number>
  readonly alter: Alter
  readonly enrol: Enrol
  readonly hasher: PasswordHasher
  readonly policy: PasswordPolicy
  readonly confirm: ConfirmPassword
  readonly compile: PatternCompiler
  readonly clock: Clock
}

export function createUsers(deps: UsersDeps): Users {
  const { store, sessions, lastSeen, enrol, alter, hasher, confirm, compile, clock } = deps
  const index = new UserIndex(store)
  /** Only of those for whom it is anything: a list may have a hundred thousand accounts. */
  const whatGroupsChange = (user: User): Pick<UserView, 'groups' | 'effective'> => {
    const names = index.groupsOf(user).map(({ id, name }) => ({ id, name }))
    if (names.length === 0 && user.denied.length === 0) return {}
    const { perm, quota, quotaFiles } = index.of(user)
    return { ...(names.length > 0 && { groups: names }), effective: { perm, quota, quotaFiles } }
  }
  /** What was saved while the account had one folder is in its own one. */
  const savedFolders = (user: User): Pick<UserView, 'favourites' | 'recent'> => {
    const { favourites, recent } = user
    if (favourites.length + recent.length === 0) return {}
    const { allPlaces } = index.of(user)
    const shown = (paths: string[]) => paths.map((path) => allPlaces.withPlace(path as VirtualPath))
    return {
      ...(favourites.length > 0 && { favourites: shown(favourites) }),
      ...(recent.length > 0 && { recent: shown(recent) }),
    }
  }
  const fullView = (user: User, seen: number | undefined): UserView => ({
    ...viewOf(user, seen),
    ...savedFolders(user),
    ...whatGroupsChange(user),
  })
  const seenView = (user: User) => fullView(user, lastSeen().get(user.id))

  const add = async (
    actor: Actor,
    fields: UserFields,
    { passwordHash, ownHome = false, bare = false }: CreateOptions,
  ): Promise<UserView> => {
    if (passwordHash === undefined && (fields.password ?? '') === '')
      fail('INVALID_INPUT', 'password is empty', { field: 'password' })
    await requireUsable({ password: fields.password, passwordHash }, deps)
    const hash = async () => await hashOf({ password: fields.password, passwordHash }, hasher)
    const accept = (now: Readonly<StoreDocument>) => requireAdmin(actor, 'users.manage', now)
    return viewOf(await enrol({ by: 'administrator', fields, ownHome, bare, accept }, hash))
  }

  const change = async (actor: Actor, id: UserId, fields: UserFields, options: UpdateOptions): Promise<UserView> => {
    const target = requireUser(store.snapshot(), id)
    const names = [...namesOf(fields), ...(options.passwordHash === undefined ? [] : ['password'])]
    requireOwnFields(actor, target, names)
    const password = { password: fields.password, passwordHash: options.passwordHash }
    await requireUsable(password, deps)
    requireFreeRename(store.snapshot().users, target, altered(target, fields, compile))
    const hash = await hashOf(password, hasher, target.passwordHash)
    // Users who change their own password stay signed in on this device.
    const keptSession = actor.kind === 'user' && actor.id === id ? actor.session?.family : undefined
    const accept = (stored: User, now: Readonly<StoreDocument>) => {
      requireSelfOrAdmin(actor, id, now)
      requireOwnFields(actor, stored, names, now)
    }
    return seenView(await alter(id, { fields, passwordHash: hash, keptSession, accept }))
  }

  const drop = async (actor: Actor, id: UserId): Promise<void> => {
    await store.update((draft, now) => {
      requireSelfOrAdmin(actor, id, now)
      replaceUser(draft, now, requireUser(now, id), undefined)
      const kept = now.shares.filter((share) => share.userID !== id)
      keepShares(draft, kept, now, clock.now())
      draft.grants = wholeGrants(draft, now.grants)
      draft.tokens = now.tokens.filter((token) => token.userId !== id)
    })
    await sessions.endAllOf(id)
  }

  const users: Users = {
    async list(actor) {
      requireAdmin(actor, 'users.manage')
      const seen = lastSeen()
      return store
        .snapshot()
        .users.map((user) => fullView(user, seen.get(user.id)))
        .toSorted((a, b) => a.id - b.id)
    },

    async get(actor, id) {
      requireSelfOrAdmin(actor, id)
      const view = seenView(requireUser(store.snapshot(), id))
      if (isAdmin(actor)) return view
      // Users need not know where their files are on the server, nor what the groups are called.
      const { root: _root, groups: _names, ...own } = view
      return { ...own, scope: '' }
    },

    find(nameOrId) {
      const all = store.snapshot().users
      const id = /^(?:id:)?(\d{1,15})$/.exec(nameOrId)?.[1]
      const [named, ...others] = accountsNamed(all, nameOrId)
      if (others.length > 0) {
        const names = [named, ...others].map((user) => `"${user?.username ?? ''}"`).join(' and ')
        fail('NOT_FOUND', `there is no user "${nameOrId}", but there are ${names}; type the name exactly`)
      }
      const found = named ?? (id === undefined ? undefined : all.find((user) => user.id === Number(id)))
      return seenView(found ?? fail('NOT_FOUND', `there is no user "${nameOrId}"`))
    },

    async create(actor, fields, options = {}) {
      requireAdmin(actor, 'users.manage')
      await confirm(actor, options.currentPassword)
      return await add(actor, fields, options)
    },

    async update(actor, id, fields, options = {}) {
      requireSelfOrAdmin(actor, id)
      if (isSensitive(namesOf(fields)) || options.passwordHash !== undefined)
        await confirm(actor, options.currentPassword)
      return await change(actor, id, fields, options)
    },

    async setPassword(actor, id, password, options = {}) {
      await users.update(actor, id, { password }, options)
    },

    async remove(actor, id, options = {}) {
      requireSelfOrAdmin(actor, id)
      await confirm(actor, options.currentPassword)
      await drop(actor, id)
    },

    async createFromWire(actor, body) {
      requireAdmin(actor, 'users.manage')
      const { currentPassword, which, data } = readUserWrite(body)
      await confirm(actor, currentPassword)
      if (which.length > 0) fail('INVALID_INPUT', 'which must be empty for a new user', { terse: true })
      // An id in the record is ignored: it would overwrite that user.
      return await add(actor, selectedFields(readUserData(data), { kind: 'all' }), {
        bare: true,
        ownHome: isRecord(data) && data['createUserDir'] === true,
      })
    },

    async updateFromWire(actor, id, body) {
      requireSelfOrAdmin(actor, id)
      const { currentPassword, which, data } = readUserWrite(body)
      const selection = readSelection(which)
      // As in File Browser, callers who may not write a whole record are refused before the password is checked.
      if (which.length === 0) requireAdmin(actor, 'users.manage')
      if (selection.kind === 'all' || isSensitive(selection.names)) await confirm(actor, currentPassword)
      const record = readUserData(
        data,
        store.snapshot().users.find((user) => user.id === id),
      )
      if (record.id !== id)
        fail('INVALID_INPUT', 'the id of the record differs from the id in the path', { terse: true, field: 'id' })
      if (selection.kind === 'all') requireAdmin(actor, 'users.manage')
      return await change(actor, id, selectedFields(record, selection), {})
    },

    async removeFromWire(actor, id, body) {
      const currentPassword = isRecord(body) ? readCurrentPassword(body['current_password']) : undefined
      await users.remove(actor, id, { currentPassword })
    },
  }
  return users
}
