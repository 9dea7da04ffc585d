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

/** @throws CONFLICT if the name is taken, in whatever case or Unicode form */
export function requireFreeName(users: readonly Named[], name: string): void {
  const folded = foldName(name)
  const holder = users.find(({ username }) => foldName(username) === folded)
  if (holder !== undefined) failTaken(holder.username)
}

/** Takes one name after the other, for many new accounts. Each call throws as `requireFreeName`. */
export function createNameTaker(users: readonly Named[]): (name: string) => void {
  const taken = new Map(users.map(({ username }) => [foldName(username), username]))
  return (name) => {
    const holder = taken.get(foldName(name))
    if (holder !== undefined) failTaken(holder)
    taken.set(foldName(name), name)
  }
}

export function failTaken(username: string): never {
  fail('CONFLICT', `there is a user named "${username}" already`, { field: 'username', reason: 'userTaken' })
}
