import type { User } from '../../domain/user.ts'
import type { PatternCompiler } from '../../domain/rule-check.ts'
import type { AddressList } from '../../platform/address-list.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { Enrol } from '../users/enrol.ts'
import { newcomer } from '../users/newcomer.ts'
import { proxiedName } from './proxied-name.ts'
import type { WayToSignIn } from './way-to-sign-in.ts'

export interface ByProxyDeps {
  readonly store: Store<StoreDocument>
  readonly proxies: AddressList
  readonly enrol: Enrol
  readonly compile: PatternCompiler
  readonly clock: Clock
}

/** Whom the proxy in front has signed in. Unknown users get an account where that is wanted. */
export function createByProxy({ store, proxies, enrol, compile, clock }: ByProxyDeps): WayToSignIn {
  const welcome = async (username: string): Promise<User> => {
    const { settings } = store.snapshot()
    // Without a password: none that he could know may let him in past the proxy.
    const input = { username, passwordHash: '', lockPassword: true, home: 'by-setting' } as const
    const { account, ownsHome } = newcomer(input, { settings, compile, now: clock.now() })
    return await enrol(account, { ownsHome })
  }

  return async ({ peer }) => {
    const { settings, users } = store.snapshot()
    const name = proxiedName(peer, settings, proxies)
    if (name === undefined) return undefined
    const known = users.find(({ username }) => username === name)
    if (known !== undefined || !settings.auth.createUsers) return known
    return await welcome(name)
  }
}
