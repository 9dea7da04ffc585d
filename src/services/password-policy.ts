import { fail } from '../domain/errors.ts'

export interface PasswordPolicy {
  /** @throws INVALID_INPUT in words that clients show as they are */
  require(password: string): void
}

export interface PasswordPolicyDeps {
  /** In bytes of UTF-8. */
  readonly minimumLength: () => number
  /** Tells passwords that everybody tries first. */
  readonly isCommon?: (password: string) => boolean
}

export function createPasswordPolicy({ minimumLength, isCommon = () => false }: PasswordPolicyDeps): PasswordPolicy {
  return {
    require(password) {
      const least = minimumLength()
      if (Buffer.byteLength(password) < least) {
        fail('INVALID_INPUT', `password is too short, minimum length is ${least}`, { field: 'password' })
      }
      if (isCommon(password)) fail('INVALID_INPUT', 'password is too easy', { field: 'password' })
    },
  }
}
