import type { User } from '../../../domain/accounts/user.ts'
import { fail } from '../../../domain/errors.ts'
import { foldName } from '../../../domain/text/fold.ts'

type Named = Pick<User, 'username'>

/**
 * The account with exactly this name, otherwise all whose names differ only in case or Unicode form. Stores of older versions may
 * have several. Always compares all names, so that the time does not reveal which exist.
 */
export function accountsNamed<U extends Named>(users: readonly U[], name: string): readonly U[] {
  const folded = foldName(name)
  const found = users.filter(({ username }) => foldName(username) === folded)
  const exact = found.find(({ username }) => username === name)
  return exact === undefined ? found : [exact]
}

/** Undefined also if several accounts may be meant. */
export function accountNamed<U extends Named>(users: readonly U[], name: string): U | undefined {
  const [found, ...others] = accountsNamed(users, name)
  return others.length === 0 ? found : undefined
}

/** Names that no new account may have. */
export interface TakenNames {
  /** @throws CONFLICT if the name is taken, in whatever case or Unicode form */
  require(name: string): void
  add(name: string): void
}

export function createTakenNames(users: readonly Named[]): TakenNames {
  const taken = new Map(users.map(({ username }) => [foldName(username), username]))
  return {
    require(name) {
      const holder = taken.get(foldName(name))
      if (holder !== undefined) failTaken(holder)
    },
    add: (name) => void taken.set(foldName(name), name),
  }
}

export function failTaken(username: string): never {
  fail('CONFLICT', `there is a user named "${username}" already`, { field: 'username' })
}
