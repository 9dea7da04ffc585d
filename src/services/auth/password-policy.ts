import { fail } from '../../domain/errors.ts'
import { isPredictable } from '../../domain/predictable-password.ts'
import type { CommonPasswords } from '../../platform/common-passwords.ts'

export interface PasswordPolicy {
  /** @throws INVALID_INPUT in words that clients show as they are */
  require(password: string): Promise<void>
}

export interface PasswordPolicyDeps {
  /** In bytes of UTF-8. */
  readonly minimumLength: () => number
  readonly isCommon: CommonPasswords
}

export function createPasswordPolicy({ minimumLength, isCommon }: PasswordPolicyDeps): PasswordPolicy {
  return {
    async require(password) {
      const least = minimumLength()
      if (Buffer.byteLength(password) < least) {
        fail('INVALID_INPUT', `password is too short, minimum length is ${least}`, { field: 'password' })
      }
      if (isPredictable(password) || (await isCommon(password))) {
        fail('INVALID_INPUT', 'password is too easy', { field: 'password' })
      }
    },
  }
}
