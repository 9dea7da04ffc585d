import type { User } from '../../../domain/accounts/user.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
  readonly recaptcha?: string | undefined
}

export interface SignInTry {
  readonly credentials: Credentials
  readonly client: ClientInfo
  readonly peer: Peer
}

/** Resolves with the user, or with undefined without a reason. */
export type WayToSignIn = (attempt: SignInTry) => Promise<User | undefined>

/** The peer that delivered a request, for sign-in by a proxy. */
export interface Peer {
  /** Of the connection itself, whatever headers say; undefined on a unix socket. */
  readonly address: string | undefined
  /** All values of a header: one that comes twice was smuggled in beside the proxy's. */
  header(name: string): readonly string[]
}

/** For requests without a connection, such as a sign-in by our own code. */
export const NO_PEER: Peer = { address: '0.0.0.0', header: () => [] }

/** Who is at the other end of a connection, as sessions show it and throttling counts it. */
export interface ClientInfo {
  /** IP address; empty for a unix socket. */
  readonly address: string
  readonly userAgent: string
}
