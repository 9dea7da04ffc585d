import type { SignInWay } from '../../../domain/accounts/session.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { User } from '../../../domain/accounts/user.ts'
import { decodeText } from '../../../domain/text/text-codec.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
  readonly recaptcha?: string | undefined
}

export interface SignInAttempt {
  readonly credentials: Credentials
  readonly client: ClientInfo
  readonly peer: Peer
}

/** Somebody who has proven who they are, and how. */
export interface Proven {
  readonly user: User
  readonly way: SignInWay
}

/** One way to sign in. Undefined if refused, without a reason that would help an attacker. */
export type SignInMethod = (attempt: SignInAttempt) => Promise<Proven | undefined>

/** The peer that delivered a request, for sign-in by a proxy. */
export interface Peer {
  /** The address of the connection itself, never from headers; undefined on a Unix socket. */
  readonly address: string | undefined
  /** All values of a header: a second one was added by the client, not the proxy. */
  header(name: string): readonly string[]
}

/** For requests without a connection, such as a sign-in by our own code. */
export const NO_PEER: Peer = { address: '0.0.0.0', header: () => [] }

/** The client of a request, for session lists and rate limits. */
export interface ClientInfo {
  /** IP address; "" for a Unix socket. */
  readonly address: string
  readonly userAgent: string
  /** The secret that the client keeps for an account that trusts its device. */
  readonly trustOf?: (user: UserId) => string | undefined
}

/** A value of a header: UTF-8, or Windows-1252 from old programs. Never both, so that a wrong password counts once. */
export function headerText(bytes: Uint8Array): string {
  return decodeText(bytes, 'utf-8') ?? decodeText(bytes, 'windows-1252') ?? ''
}
