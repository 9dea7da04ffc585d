import { methodInForce } from '../domain/accounts/auth-method.ts'
import { isAdministrator, passwordlessUser } from '../domain/accounts/user.ts'
import type { Context } from '../context.ts'

/** As whom everyone acts; undefined if people have to sign in. */
export function warningWithoutSignIn({ store, options }: Pick<Context, 'store' | 'options'>): string | undefined {
  const { settings, users } = store.snapshot()
  if (methodInForce(options, settings) !== 'noauth') return undefined
  const first = passwordlessUser(users)
  if (first === undefined) return 'no sign-in: add the account as which everyone acts, before the server is started'
  const limits = isAdministrator(first) ? '' : ', who is no administrator: settings can be changed by commands only'
  return `no sign-in: anyone who can reach this address acts as ${first.username}${limits}`
}
