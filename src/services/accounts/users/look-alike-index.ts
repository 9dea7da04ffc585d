import type { User } from '../../../domain/accounts/user.ts'

/** What a name looks like, in several ways. */
type LooksOf = (name: string) => readonly string[]

/** Finds an account whose name looks like another name, to people who read it. */
export class LookAlikeIndex {
  readonly #looksOf: LooksOf
  /** Of the list that was last seen. The store makes a new list whenever an account changes. */
  #users: readonly User[] = []
  #byLook = new Map<string, User>()

  constructor(looksOf: LooksOf) {
    this.#looksOf = looksOf
  }

  /** @param users a frozen list */
  find(users: readonly User[], name: string): User | undefined {
    if (users !== this.#users) {
      this.#users = users
      this.#byLook = new Map(users.flatMap((user) => this.#keysOf(user.username).map((key) => [key, user] as const)))
    }
    return this.#keysOf(name)
      .map((key) => this.#byLook.get(key))
      .find((user) => user !== undefined)
  }

  /** Only looks of the same kind are compared. */
  #keysOf(name: string): string[] {
    return this.#looksOf(name).map((look, kind) => `${kind} ${look}`)
  }
}
