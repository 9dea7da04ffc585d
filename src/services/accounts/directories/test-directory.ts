import { type Given, givenBy } from '../../../domain/accounts/provider-mapping.ts'
import type { LdapProvider } from '../../../domain/accounts/provider.ts'
import { isFilemgrError } from '../../../domain/errors.ts'
import type { ByDirectory } from '../auth/by-directory.ts'
import type { Person } from '../providers/provider-sign-in.ts'
import type { TestProvider } from '../providers/providers.ts'
import { Steps } from './directory-person.ts'

/**
 * Tries each step of a sign-in: for nobody, as far as the account that searches comes; for a name without a password, all steps
 * but that one.
 */
export function createTestDirectory({ find }: Pick<ByDirectory, 'find'>): TestProvider<LdapProvider> {
  return async (provider, { username, password }) => {
    const steps = new Steps()
    const person = await find(provider, { username, password }, steps).catch((error: unknown) => {
      if (!isFilemgrError(error, 'UNAVAILABLE')) throw error
      steps.end(false, error.message)
      return undefined
    })
    const works = steps.done.every(({ passed }) => passed) && (username === undefined || person !== undefined)
    return {
      works,
      steps: [...steps.done],
      ...(person && { claims: claimsOf(person), gives: shown(person, givenBy(provider.mapping, person.claims)) }),
    }
  }
}

function claimsOf({ claims }: Person): Record<string, string[]> {
  const found = Object.entries(claims).filter(([, values]) => values.length > 0)
  return Object.fromEntries(found.map(([name, values]) => [name, [...values]]))
}

function shown({ username }: Person, { administrator, groups, quota }: Given) {
  return {
    ...(username !== undefined && { username }),
    ...(administrator !== undefined && { administrator }),
    groups: [...groups],
    ...(quota !== undefined && { quota }),
  }
}
