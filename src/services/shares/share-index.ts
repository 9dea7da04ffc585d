import type { Share } from '../../domain/shares/share.ts'
import type { UserId } from '../../domain/ids.ts'
import { changedSpan } from '../../platform/changed-span.ts'

/** Links by their addresses, and their number for each owner. From one list to the next, it looks only at what has changed. */
export class ShareIndex {
  #shares: readonly Share[] = []
  readonly #byHash = new Map<string, Share>()
  readonly #counts = new Map<UserId, number>()

  /** @param shares one list after the other, as the store has them */
  find(shares: readonly Share[], hash: string): Share | undefined {
    this.#follow(shares)
    return this.#byHash.get(hash)
  }

  countOf(shares: readonly Share[], owner: UserId): number {
    this.#follow(shares)
    return this.#counts.get(owner) ?? 0
  }

  #follow(shares: readonly Share[]): void {
    const before = this.#shares
    if (shares === before) return
    const { start, end } = changedSpan(before, shares)
    for (const { hash, userID } of before.slice(start, before.length - end)) {
      this.#byHash.delete(hash)
      this.#add(userID, -1)
    }
    for (const share of shares.slice(start, shares.length - end)) {
      this.#byHash.set(share.hash, share)
      this.#add(share.userID, 1)
    }
    this.#shares = shares
  }

  #add(owner: UserId, links: number): void {
    const count = (this.#counts.get(owner) ?? 0) + links
    if (count > 0) this.#counts.set(owner, count)
    else this.#counts.delete(owner)
  }
}
