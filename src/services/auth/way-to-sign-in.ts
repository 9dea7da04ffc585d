import type { User } from '../../domain/user.ts'
import type { ClientInfo } from '../sessions/client-info.ts'
import type { Peer } from './peer.ts'

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

/** Resolves with whom it lets in, or with nobody, without a reason. */
export type WayToSignIn = (attempt: SignInTry) => Promise<User | undefined>
