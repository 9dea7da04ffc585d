import { AsyncLocalStorage } from 'node:async_hooks'
import { type AuditChange, type AuditEntry, auditText } from '../domain/server/audit.ts'
import type { SignInKind } from '../domain/accounts/session.ts'
import type { Rename } from '../domain/files/renames/renames.ts'
import type { StoreDocument } from '../store/document.ts'
import type { AgeLimits, Store } from '../store/store.ts'
import { whatChanged } from './what-changed.ts'

/** Names and changes in one entry, and characters of their texts: an import of ten thousand accounts must not fill the log. */
const MAX_LISTED = 100
const MAX_TEXT = 16 * 1024

type Noted = Pick<AuditEntry, 'target' | 'names' | 'changes' | 'more'>
type SignedIn = Required<Pick<AuditEntry, 'who' | 'userID' | 'session'>> & SignInKind

/** What a request or a command has done, for its entry in the activity log. Services note it where they do it. */
export class AuditNotes {
  readonly #names: Rename[] = []
  readonly #changes: AuditChange[] = []
  #text = 0
  #more = 0
  /** Who has signed in by this request. */
  signedIn: SignedIn | undefined
  /** The account of a sign-in that names none, such as its second step. */
  account: string | undefined

  addName({ from, to }: Rename): void {
    if (this.#hasRoom(from, to)) this.#names.push({ from: auditText(from), to: auditText(to) })
  }

  addChange(change: AuditChange): void {
    if (this.#hasRoom(change.name, change.old, change.new)) this.#changes.push(change)
  }

  get hasChanges(): boolean {
    return this.#names.length + this.#changes.length > 0
  }

  get noted(): Noted {
    return {
      ...(this.account !== undefined && { target: this.account }),
      ...(this.#names.length > 0 && { names: this.#names }),
      ...(this.#changes.length > 0 && { changes: this.#changes }),
      ...(this.#more > 0 && { more: this.#more }),
    }
  }

  #hasRoom(...texts: readonly (string | undefined)[]): boolean {
    const length = texts.reduce((sum, text = '') => sum + text.length, 0)
    const fits = this.#names.length + this.#changes.length < MAX_LISTED && this.#text + length <= MAX_TEXT
    if (fits) this.#text += length
    else this.#more += 1
    return fits
  }
}

const NOTES = new AsyncLocalStorage<AuditNotes>()

/** Collects what `work` does, also in what it calls and awaits. */
export function withNotes<T>(notes: AuditNotes, work: () => T): T {
  return NOTES.run(notes, work)
}

export function noteRenames(renames: readonly Rename[]): void {
  const notes = NOTES.getStore()
  if (notes !== undefined) for (const rename of renames) notes.addName(rename)
}

export function noteSignIn(who: SignedIn): void {
  const notes = NOTES.getStore()
  if (notes !== undefined) notes.signedIn = who
}

export function noteAccount(username: string): void {
  const notes = NOTES.getStore()
  if (notes !== undefined) notes.account = auditText(username)
}

/** The store, whose changes are noted: whatever makes them, the activity log has them. */
export function notingChanges(store: Store<StoreDocument>): Store<StoreDocument> {
  const { refresh } = store
  return {
    snapshot: () => store.snapshot(),
    onChange: (listener) => store.onChange(listener),
    ...(refresh && { refresh: async (limits?: AgeLimits) => await refresh.call(store, limits) }),
    async update(change) {
      const notes = NOTES.getStore()
      if (notes === undefined) return await store.update(change)
      return await store.update(change, (now, before) => {
        for (const each of whatChanged(before, now)) notes.addChange(each)
      })
    },
    [Symbol.asyncDispose]: async () => await store[Symbol.asyncDispose](),
  }
}
