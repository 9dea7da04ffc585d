import { fail } from '../../../domain/errors.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { PasswordHasher } from '../../../platform/security/password-hasher.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { requireFreeName } from '../users/account-change.ts'
import { addressKey } from './throttle.ts'
import type { Captcha } from './captcha.ts'
import type { ClientInfo, Credentials } from './sign-in-request.ts'
import { createFailureBuckets } from './failure-buckets.ts'
import type { PasswordPolicy } from './passwords.ts'
import { type Enrol, newAccount } from '../users/new-account.ts'

/** Of one address in ten minutes; then each costs a longer delay. Names that are taken count too: asking tells who is here. */
const FREE_TRIES = 30

/** Accounts that people make for themselves. */
export interface SignUp {
  isOpen(): boolean
  /**
   * An account with a home of its own, which neither administers nor runs commands, whatever the defaults say.
   *
   * @throws METHOD_REFUSED while sign-up is off; INVALID_INPUT, WRONG_CREDENTIALS for a wrong captcha, CONFLICT for a name
   *         that is taken, RATE_LIMITED, BUSY
   */
  signUp(credentials: Credentials, client: ClientInfo): Promise<User>
}

export interface SignUpDeps {
  readonly store: Store<StoreDocument>
  readonly enrol: Enrol
  readonly hasher: PasswordHasher
  readonly policy: PasswordPolicy
  readonly captcha: Captcha
  readonly compile: PatternCompiler
  readonly clock: Clock
}

export function createSignUp({ store, enrol, hasher, policy, captcha, compile, clock }: SignUpDeps): SignUp {
  const tries = createFailureBuckets({ clock })

  const requireTurn = (address: string): void => {
    const limit = { key: addressKey(address), free: FREE_TRIES }
    const verdict = tries.judge(limit)
    if (typeof verdict === 'number') {
      fail('RATE_LIMITED', `too many accounts; try again in ${verdict} seconds`, { retryAfter: verdict })
    }
    tries.begin(limit)
    tries.end(limit, false)
  }

  const isOpen = () => store.snapshot().settings.signup

  return {
    isOpen,

    async signUp({ username, password, recaptcha }, client) {
      if (!isOpen()) fail('METHOD_REFUSED', 'sign-up is switched off; ask an administrator for an account')
      if (username === '' || password === '') fail('INVALID_INPUT', 'name and password are needed', { terse: true })
      requireTurn(client.address)
      if (!(await captcha.accepts(recaptcha))) fail('WRONG_CREDENTIALS', 'the captcha was not solved; try again')
      await policy.require(password)
      const input = { username, passwordHash: '', lockPassword: false, home: 'always' } as const
      const { settings } = store.snapshot()
      const { account, ownsHome } = newAccount(input, { settings, compile, now: clock.now() })
      // Before a hash is worked out for nothing.
      requireFreeName(store.snapshot(), account)
      const passwordHash = await hasher.hash(password)
      return await enrol({ ...account, passwordHash }, { ownsHome, emptyHome: true })
    },
  }
}
