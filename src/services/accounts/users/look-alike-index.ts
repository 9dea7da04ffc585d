import { looksOf } from '../../../domain/text/look-alikes.ts'
import type { User } from '../../../domain/accounts/user.ts'

/** Finds an account whose name looks like another name, to people who read it. */
export class LookAlikeIndex {
  /** Of the list that was last seen. The store makes a new list whenever an account changes. */
  #users: readonly User[] = []
  #byLook = new Map<string, User>()

  /** @param users a frozen list */
  find(users: readonly User[], name: string): User | undefined {
    if (users !== this.#users) {
      this.#users = users
      this.#byLook = new Map(users.flatMap((user) => keysOf(user.username).map((key) => [key, user] as const)))
    }
    return keysOf(name)
      .map((key) => this.#byLook.get(key))
      .find((user) => user !== undefined)
  }
}

/** The two looks of a name are only compared with those of the same kind. */
function keysOf(name: string): string[] {
  return looksOf(name).map((look, kind) => `${kind} ${look}`)
}
