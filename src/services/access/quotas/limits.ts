import { type Amount, NOTHING, type QuotaUse, sum } from '../../../domain/access/quota.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import { UNKNOWN, usedOf } from './scope-usage.ts'
import type { UsageBook } from './usage-ledger.ts'

/** A quota, and what counts in it. */
export interface Limit {
  /** What counts in it, side by side. */
  readonly scopes: readonly VirtualPath[]
  readonly limit: Amount
  /** What unfinished uploads of visitors reserve, for one of a visitor. */
  readonly taken?: Amount | undefined
  /** What a refusal calls the quota, if it is not that of the user. */
  readonly whose?: string | undefined
}

/**
 * What must be free for an upload of a visitor: what is free without all uploads of visitors must be twice as much as they take
 * together. Those that have begun are in use already.
 */
export function shareOf(more: Amount, taken: Amount): Amount {
  return sum(sum(more, more), taken)
}

/** @param away scopes that need not be known. @returns undefined if another one must be counted first */
export function usedIn(
  book: UsageBook,
  scopes: readonly VirtualPath[],
  away?: ReadonlySet<VirtualPath>,
): Amount | undefined {
  let total = NOTHING
  for (const scope of scopes) {
    const used = usedOf(book.get(scope) ?? UNKNOWN, book.now)
    if (used === undefined && away?.has(scope) !== true) return undefined
    total = sum(total, used ?? NOTHING)
  }
  return total
}

export function tighter(one: QuotaUse | undefined, other: QuotaUse): QuotaUse {
  if (one === undefined) return other
  const left = ({ used, limit }: QuotaUse) => (limit.bytes === 0 ? Infinity : limit.bytes - used.bytes)
  return left(other) < left(one) ? other : one
}
