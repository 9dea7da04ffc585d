import type { Accounts } from '../../../domain/accounts/actor.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'

/** Finds accounts by their id in constant time, because each request does so several times. */
export class UserIndex {
  readonly #store: Store<StoreDocument>
  /** Of the list that was last seen. The store makes a new list whenever an account changes. */
  #users: readonly User[] = []
  #byId = new Map<UserId, User>()

  constructor(store: Store<StoreDocument>) {
    this.#store = store
  }

  /** The account as it is stored now. @param at a newer document than the snapshot */
  find(id: UserId, at?: Accounts): User | undefined {
    const { users } = this.#store.snapshot()
    if (at !== undefined && at.users !== users) return at.users.find((user) => user.id === id)
    if (users !== this.#users) {
      this.#users = users
      this.#byId = new Map(users.map((user) => [user.id, user]))
    }
    return this.#byId.get(id)
  }
}

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
