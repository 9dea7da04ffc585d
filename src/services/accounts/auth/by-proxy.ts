import type { AddressList } from '../../../platform/network/address-list.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { accountNamed } from '../users/account-names.ts'
import type { Enrol } from '../users/enrol.ts'
import { headerText, type Peer, type SignInMethod } from './sign-in-request.ts'
import type { Settings } from '../../../domain/settings/settings.ts'

export interface ByProxyDeps {
  readonly store: Store<StoreDocument>
  readonly proxies: AddressList
  readonly enrol: Enrol
}

/** Signs in the user that the proxy names. Unknown users get an account if the settings allow it. */
export function createByProxy({ store, proxies, enrol }: ByProxyDeps): SignInMethod {
  return async ({ peer }) => {
    const { settings, users } = store.snapshot()
    const name = proxiedName(peer, settings, proxies)
    if (name === undefined) return undefined
    const known = accountNamed(users, name)
    if (known === undefined && !settings.auth.createUsers) return undefined
    const existing = (now: Readonly<StoreDocument>) => accountNamed(now.users, name)
    // No password: it would let the user sign in without the proxy.
    const user = known ?? (await enrol({ by: 'provider', fields: { username: name, lockPassword: true }, existing }))
    return { user, way: { method: 'proxy' } }
  }
}

/**
 * The user whom a trusted proxy has signed in; undefined without one. The header of any other peer is ignored: the attack is
 * a client that bypasses the proxy and claims any name (CVE-2026-54089).
 */
export function proxiedName(peer: Peer, { auth }: Readonly<Settings>, proxies: AddressList): string | undefined {
  if (auth.header === '' || !proxies.has(peer.address)) return undefined
  const [value, ...others] = peer.header(auth.header)
  if (value === undefined || others.length > 0) return undefined
  // Node.js gives each byte as one character.
  const name = headerText(Buffer.from(value, 'latin1')).trim()
  return name === '' ? undefined : name
}
