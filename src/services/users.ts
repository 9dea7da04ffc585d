import type { Actor } from '../domain/actor.ts'
import type { UserId } from '../domain/ids.ts'
import type { UserPatch, UserView } from '../domain/user.ts'

/** Of the one who acts, not of the one who is changed. The operator needs none. */
export interface CurrentPassword {
  readonly currentPassword?: string | undefined
}

export interface CreateHow extends CurrentPassword {
  /** In place of `password`: a hash that `filemgr hash` printed. */
  readonly passwordHash?: string
  /** What is not given is empty and not permitted, as clients of the wire expect, and not as in the defaults for new users. */
  readonly bare?: boolean
}

export interface UpdateHow extends CurrentPassword {
  readonly passwordHash?: string
}

/** Accounts. Whoever is not an administrator sees and changes the own one only. */
export interface Users {
  list(actor: Actor): Promise<UserView[]>
  /** @throws FORBIDDEN, NOT_FOUND */
  get(actor: Actor, id: UserId): Promise<UserView>
  /** By user name; by "id:7"; by a bare number that is nobody's name. @throws NOT_FOUND */
  find(nameOrId: string): UserView
  /** @throws INVALID_INPUT, FORBIDDEN, CONFLICT */
  create(actor: Actor, fields: UserPatch, how?: CreateHow): Promise<UserView>
  /** Changes the given fields, all of them or none. @throws INVALID_INPUT, FORBIDDEN, NOT_FOUND, CONFLICT */
  update(actor: Actor, id: UserId, fields: UserPatch, how?: UpdateHow): Promise<UserView>
  setPassword(actor: Actor, id: UserId, password: string, how?: CurrentPassword): Promise<void>
  /** The shares and sessions go with the user. @throws INVALID_INPUT, FORBIDDEN, NOT_FOUND */
  remove(actor: Actor, id: UserId, how?: CurrentPassword): Promise<void>
  /** `create` with a body of the wire: what, which, current_password, data. */
  createFromWire(actor: Actor, body: unknown): Promise<UserView>
  updateFromWire(actor: Actor, id: UserId, body: unknown): Promise<UserView>
  removeFromWire(actor: Actor, id: UserId, body: unknown): Promise<void>
}
