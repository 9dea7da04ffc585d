import type { AuthMethod } from '../../../domain/accounts/auth-method.ts'
import type { Provider } from '../../../domain/accounts/provider.ts'
import type { SignInWay } from '../../../domain/accounts/session.ts'

/** Whether people may sign in this way now. Sessions that began by another way are over. */
export type WayIsOpen = (way: SignInWay) => boolean

export interface WaysDeps {
  /** The method in force. */
  readonly method: () => AuthMethod
  readonly providers: () => readonly Provider[]
}

export function createWayIsOpen({ method, providers }: WaysDeps): WayIsOpen {
  return (way) => {
    const inForce = method()
    if (way.method !== 'oidc' && way.method !== 'ldap' && way.method !== 'passkey') return way.method === inForce
    // Everyone is the same user then, whoever signed in before.
    if (inForce === 'noauth') return false
    if (way.method === 'passkey') return true
    return providers().some(({ id, type, enabled }) => id === way.provider && type === way.method && enabled)
  }
}
