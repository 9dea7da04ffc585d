import { methodInForce } from '../../../domain/accounts/auth-method.ts'
import { isAdministrator, passwordlessUser } from '../../../domain/accounts/user.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'

interface Situation {
  readonly store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly options: ServerOptions
}

/** As whom everyone acts; undefined if people have to sign in. */
export function warningWithoutSignIn({ store, options }: Situation): string | undefined {
  const { settings, users } = store.snapshot()
  if (methodInForce(options, settings) !== 'noauth') return undefined
  const first = passwordlessUser(users)
  if (first === undefined) return 'no sign-in: add the account as which everyone acts, before the server is started'
  const limits = isAdministrator(first) ? '' : ', who is no administrator: settings can be changed by commands only'
  return `no sign-in: anyone who can reach this address acts as ${first.username}${limits}`
}
