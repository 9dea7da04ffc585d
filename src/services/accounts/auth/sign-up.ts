import { fail } from '../../../domain/errors.ts'
import { counted } from '../../../domain/text/units.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { PasswordHasher } from '../../../platform/security/password-hasher.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { SharedFacts, Store } from '../../../store/store.ts'
import { addressKey } from './throttle.ts'
import type { Captcha } from './captcha.ts'
import type { ClientInfo, Credentials } from './sign-in-request.ts'
import { createFailureBuckets } from './failure-buckets.ts'
import type { PasswordPolicy } from './passwords.ts'
import type { Enrol } from '../users/enrol.ts'
import { requireAdmitted } from '../users/new-account.ts'

/** Attempts from one address in ten minutes before delays begin. Names that are taken count too, or users could be enumerated. */
const FREE_ATTEMPTS = 30

export interface SignUpDeps {
  readonly store: Store<StoreDocument>
  readonly facts: SharedFacts
  readonly enrol: Enrol
  readonly hasher: PasswordHasher
  readonly policy: PasswordPolicy
  readonly captcha: Captcha
  readonly clock: Clock
}

/** Lets people create their own accounts. */
export function createSignUp({ store, facts, enrol, hasher, policy, captcha, clock }: SignUpDeps) {
  const attempts = createFailureBuckets({ facts, clock })

  const requireBelowLimit = async (address: string): Promise<void> => {
    const limits = [{ key: `sign-up/${addressKey(address)}`, free: FREE_ATTEMPTS }]
    const seconds = await attempts.begin(limits)
    if (seconds > 0)
      fail('RATE_LIMITED', `too many accounts; try again in ${counted(seconds, 'second')}`, { retryAfter: seconds })
    await attempts.end(limits, false)
  }

  return {
    isOpen: (): boolean => store.snapshot().settings.signup,

    /**
     * Creates an account with a home folder. It never is an administrator and never runs commands, whatever the defaults are.
     *
     * @throws METHOD_REFUSED if sign-up is off; INVALID_INPUT; WRONG_CREDENTIALS for a wrong captcha; CONFLICT if the name is
     *         taken; RATE_LIMITED; BUSY; MAINTENANCE
     */
    async signUp({ username, password, recaptcha }: Credentials, client: ClientInfo): Promise<User> {
      requireAdmitted('sign-up', store.snapshot().settings)
      if (username === '' || password === '') fail('INVALID_INPUT', 'name and password are needed', { terse: true })
      await requireBelowLimit(client.address)
      if (!(await captcha.accepts(recaptcha))) fail('WRONG_CREDENTIALS', 'the captcha was not solved; try again')
      await policy.require(password)
      return await enrol({ by: 'sign-up', fields: { username } }, async () => await hasher.hash(password))
    },
  }
}
