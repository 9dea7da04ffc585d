import { fail, isFilemgrError } from '../../../domain/errors.ts'
import type { PasswordHasher } from '../../../platform/security/password-hasher.ts'
import { hashOf, type PasswordPolicy } from '../auth/passwords.ts'

export interface ListedPasswordsDeps {
  readonly hasher: PasswordHasher
  readonly policy: PasswordPolicy
}

interface Listed {
  readonly username: string
  /** In clear text. */
  readonly password?: string | undefined
}

/** How many names of many wrong passwords an error has: it is one line. */
const MAX_NAMED = 20

/**
 * Judges the passwords of a whole list before any account is made, so that the list can be corrected at once.
 *
 * @throws INVALID_INPUT naming the users and what is wrong
 */
export async function requireUsablePasswords(
  entries: readonly Listed[],
  { policy }: ListedPasswordsDeps,
): Promise<void> {
  const refused: string[] = []
  for (const { username, password } of entries) {
    if (password === undefined) continue
    try {
      await policy.require(password)
    } catch (error) {
      if (!isFilemgrError(error, 'INVALID_INPUT')) throw error
      refused.push(`"${username}": ${error.message}`)
    }
  }
  if (refused.length === 0) return
  const more = refused.length > MAX_NAMED ? `; and ${refused.length - MAX_NAMED} more` : ''
  const message = `no account was changed, because of passwords: ${refused.slice(0, MAX_NAMED).join('; ')}${more}`
  fail('INVALID_INPUT', message, { field: 'password' })
}

/**
 * Replaces each password by its hash. One that an account has already keeps its hash, so that its devices stay signed in.
 *
 * @param currentHash of the account with this name, if there is one
 */
export async function withHashes<E extends Listed & { readonly passwordHash: string | undefined }>(
  entries: readonly E[],
  currentHash: (entry: E) => string | undefined,
  { hasher }: ListedPasswordsDeps,
): Promise<E[]> {
  const hashed: E[] = []
  // One after the other: the hasher refuses a crowd.
  for (const entry of entries) {
    const { password } = entry
    if (password === undefined) hashed.push(entry)
    else {
      const current = currentHash(entry)
      hashed.push({ ...entry, passwordHash: (await hashOf({ password }, hasher, current)) ?? current })
    }
  }
  return hashed
}
