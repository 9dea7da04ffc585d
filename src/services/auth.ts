import type { Actor } from '../domain/actor.ts'
import type { UserId } from '../domain/ids.ts'
import type { ClientInfo } from './client-info.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
  readonly recaptcha?: string | undefined
}

export interface Authenticated {
  readonly actor: Extract<Actor, { kind: 'user' }>
  /** The client should renew its token: it ends soon, or tells outdated things about the user. */
  readonly mustRenew: boolean
}

/** Signing in and out. Tokens are texts of three parts with two dots. */
export interface Auth {
  /**
   * A token for the right password; for anybody where sign-in is switched off.
   *
   * @throws WRONG_CREDENTIALS; RATE_LIMITED after too many wrong ones; BUSY
   */
  login(credentials: Credentials, client: ClientInfo): Promise<string>
  /** A token of the first user, without a password. @throws FORBIDDEN unless sign-in is switched off */
  passwordless(client: ClientInfo): Promise<string>
  /** A code that signs this user in once, within 15 minutes, and only until an administrator has signed in. */
  issueCode(userId: UserId): string
  /** @throws WRONG_CREDENTIALS, RATE_LIMITED */
  redeemCode(code: string, client: ClientInfo): Promise<string>
  /** @throws UNAUTHENTICATED for a token that is not ours, has expired, or whose session or user is gone */
  authenticate(token: string, client: ClientInfo): Promise<Authenticated>
  /** A new token in place of the present one, which is good for 60 more seconds. */
  renew(actor: Actor, client: ClientInfo): Promise<string>
  logout(actor: Actor): Promise<void>
}
