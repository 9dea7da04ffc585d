import { fail, isFilemgrError } from '../../../domain/errors.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import { foldName } from '../../../domain/text/fold.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { PasswordHasher } from '../../../platform/security/password-hasher.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { type UserFields, withoutEmptyScope } from '../users/account-fields.ts'
import { hashOf } from './passwords.ts'
import type { Throttle } from './throttle.ts'
import { accountNamed } from '../users/account-names.ts'
import { type Alter, altered } from '../users/account-change.ts'
import type { Enrol } from '../users/enrol.ts'
import type { MatchPassword } from './by-password.ts'
import type { AskProgram } from './sign-in-program.ts'
import type { Credentials, SignInMethod } from './sign-in-request.ts'

export interface ByProgramDeps {
  readonly store: Store<StoreDocument>
  readonly ask: AskProgram
  readonly match: MatchPassword
  readonly hasher: PasswordHasher
  readonly throttle: Throttle
  readonly enrol: Enrol
  readonly alter: Alter
  readonly compile: PatternCompiler
  readonly log: Logger
}

/**
 * Signs in users whom the operator's program accepts, and updates their accounts with the fields it returns. Whether a password
 * is long enough is decided where it is kept, so ours are no rules for it.
 */
export function createByProgram(deps: ByProgramDeps): SignInMethod {
  const { store, ask, match, hasher, throttle, enrol, alter, compile, log } = deps

  /** The hash to keep, for the answer "pass"; undefined if it is the current one. A password that is too long to be hashed is not kept. */
  const newHash = async (password: string, current?: string): Promise<string | undefined> => {
    try {
      return await hashOf({ password }, hasher, current)
    } catch (error) {
      if (!isFilemgrError(error, 'INVALID_INPUT')) throw error
      return current === '' ? undefined : ''
    }
  }

  const createAccount = async ({ username, password }: Credentials, fields: UserFields): Promise<User | undefined> => {
    if (!store.snapshot().settings.auth.createUsers) return undefined
    // Exactly: the program has judged this name.
    const existing = ({ users }: Readonly<StoreDocument>) => users.find((user) => user.username === username)
    const known = { by: 'provider', fields: { ...fields, username, lockPassword: true }, existing } as const
    return await enrol(known, async () => await newHash(password))
  }

  /** Fields that the program does not return keep their values. Other devices stay signed in unless the password has changed. */
  const updateAccount = async (user: User, password: string, returned: UserFields): Promise<User> => {
    const fields = { ...withoutEmptyScope(returned), lockPassword: true }
    const passwordHash = await newHash(password, user.passwordHash)
    const isSame = JSON.stringify(altered(user, fields, compile)) === JSON.stringify(user)
    if (isSame && passwordHash === undefined) return user
    try {
      return await alter(user.id, { fields, passwordHash })
    } catch (error) {
      // The last administrator keeps the permission.
      if (!isFilemgrError(error, 'FORBIDDEN')) throw error
      log.warn({ user: user.id }, 'the sign-in program would leave no administrator; the permission was kept')
      return await alter(user.id, { fields: { ...fields, perm: { ...returned.perm, admin: true } }, passwordHash })
    }
  }

  const decide = async (credentials: Credentials): Promise<User | undefined> => {
    const { username, password } = credentials
    const { settings, users } = store.snapshot()
    const known = accountNamed(users, username)
    // The program judges the account that is signed in: for a program that distinguishes case, "MAX" may be another person.
    const answer = await ask(settings.auth, known?.username ?? username, password).catch(failInternally)
    if (answer.action === 'block') return undefined
    if (answer.action === 'pass') return await match(username, password)
    try {
      return known === undefined
        ? await createAccount(credentials, answer.fields)
        : await updateAccount(known, password, answer.fields)
    } catch (error) {
      // INVALID_INPUT would blame the user for values of the program.
      if (!isFilemgrError(error, 'INVALID_INPUT')) throw error
      return fail('INTERNAL', `the sign-in program returned invalid values: ${error.message}`, {}, { cause: error })
    }
  }

  return async ({ credentials, client }) => {
    const { username, password } = credentials
    if (username === '' || password === '') return undefined
    const user = await throttle.attempt(
      { account: foldName(username), address: client.address },
      async () => await decide(credentials),
    )
    return user && { user, way: { method: 'hook' } }
  }
}

/** A program that cannot be started must not look like a wrong address, or reveal its path to everyone who tries to sign in. */
function failInternally(error: unknown): never {
  if (!isFilemgrError(error, 'NOT_FOUND', 'FORBIDDEN')) throw error
  return fail('INTERNAL', error.message, {}, { cause: error })
}
