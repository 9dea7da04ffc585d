import { foldName } from '../../../domain/text/fold.ts'
import type { FilemgrError } from '../../../domain/errors.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { PasswordHasher } from '../../../platform/security/password-hasher.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import type { Throttle } from './throttle.ts'
import { accountNamed, accountsNamed } from '../users/account-names.ts'
import type { ByDirectory } from './by-directory.ts'
import type { Captcha } from './captcha.ts'
import type { SignInMethod } from './sign-in-request.ts'

export interface StoredPasswordDeps {
  readonly store: Store<StoreDocument>
  readonly hasher: PasswordHasher
}

/** The user with this name, in any case if only one can be meant, and this password. Takes equally long for unknown users, so that timing reveals no names. */
export type MatchPassword = (username: string, password: string) => Promise<User | undefined>

export function createMatchPassword({ store, hasher }: StoredPasswordDeps): MatchPassword {
  /** Upgrades an outdated hash while the password is known. */
  const renewHash = async (user: User, password: string): Promise<void> => {
    if (!hasher.isOutdated(user.passwordHash)) return
    const passwordHash = await hasher.hash(password)
    await store.update((draft, { users }) => {
      const at = users.findIndex(({ id }) => id === user.id)
      const stored = users[at]
      // A password set meanwhile wins.
      if (stored?.passwordHash === user.passwordHash) draft.users = users.with(at, { ...stored, passwordHash })
    })
  }

  return async (username, password) => {
    const { users } = store.snapshot()
    const named = accountNamed(users, username)
    const hashes = () => users.map(({ passwordHash }) => passwordHash)
    if (!(await hasher.verify(password, named?.passwordHash, hashes)) || named === undefined) return undefined
    await renewHash(named, password)
    return named
  }
}

export interface ByPasswordDeps {
  readonly store: Store<StoreDocument>
  readonly match: MatchPassword
  readonly proveAnywhere: ByDirectory['proveAnywhere']
  readonly captcha: Captcha
  readonly throttle: Throttle
}

/**
 * Checks user name and password, after the captcha, if one is required. People without a password here are looked for in the
 * directories, so that programs and old clients can sign them in.
 */
export function createByPassword({ store, match, proveAnywhere, captcha, throttle }: ByPasswordDeps): SignInMethod {
  const hasPassword = (username: string) =>
    accountsNamed(store.snapshot().users, username).some(({ passwordHash }) => passwordHash !== '')

  return async ({ credentials, client }) => {
    const { username, password, recaptcha } = credentials
    if (username === '' || password === '') return undefined
    let away: FilemgrError | undefined
    const found = await throttle.attempt({ account: foldName(username), address: client.address }, async () => {
      if (!(await captcha.accepts(recaptcha))) return undefined
      const user = await match(username, password)
      if (user !== undefined) return { user, way: { method: 'json' as const } }
      if (hasPassword(username)) return undefined
      const elsewhere = await proveAnywhere(credentials)
      away = elsewhere.away
      return elsewhere.proven
    })
    if (found === undefined && away !== undefined) throw away
    return found
  }
}
