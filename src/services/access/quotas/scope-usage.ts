import { type Amount, difference, larger, NOTHING, sum } from '../../../domain/access/quota.ts'

/**
 * How much a scope uses. Between two counts of its files, everything written is added at once, while removals are only noted
 * and take effect with the next count. So an old count never lets a user exceed the quota.
 */
export interface ScopeUsage {
  /** Undefined before the first count. */
  readonly count?: Count
  /** Everything written since the record was created. */
  readonly grown: Amount
  /** Reservations of operations under way, by id. */
  readonly reserved: Readonly<Record<string, Reserved>>
  /** How often files may have been removed. */
  readonly losses: number
  /** How often files were moved within the scope: a count may have found them at neither path. */
  readonly moves: number
}

interface Count {
  /** The counted total minus `grown` at the start of the count, so what was written during it is included at least once. */
  readonly found: Amount
  /** When the count ended, in milliseconds since 1970, and how many milliseconds it took. */
  readonly at: number
  readonly took: number
  /**
   * `losses` at the start of the count; -1 if files were written or moved during it, or about to be, so that it must be repeated.
   */
  readonly losses: number
  /** From an earlier run of the daemon: other programs may have changed the files while it did not run. */
  readonly isSaved?: true
}

/** A move reserves nothing: both amounts are 0. */
interface Reserved extends Amount {
  /**
   * When it expires, in milliseconds since 1970. The daemon renews it, so if it has expired, the daemon has died, and its files
   * must be counted.
   */
  readonly until: number
}

export const UNKNOWN: ScopeUsage = { grown: NOTHING, reserved: {}, losses: 0, moves: 0 }

/** Milliseconds after which files are counted again, because other programs may have changed them. */
const MAX_AGE = 10 * 60_000
/** Milliseconds after which a count must not refuse a write. */
const MAX_AGE_TO_REFUSE = 5000
/** A scope is not counted again before this many times the duration of its last count. */
const PAUSE_FACTOR = 20

/** What an earlier run of the daemon has left. */
export function savedUsage({
  used,
  at,
  took,
}: {
  readonly used: Amount
  readonly at: number
  readonly took: number
}): ScopeUsage {
  return { ...UNKNOWN, count: { found: used, at, took, losses: -1, isSaved: true } }
}

/** Undefined if the files must be counted first. */
export function usedOf({ count, grown, reserved }: ScopeUsage, now: number): Amount | undefined {
  const reservations = Object.values(reserved)
  if (count === undefined || reservations.some(({ until }) => until <= now)) return undefined
  return reservations.reduce(sum, sum(count.found, grown))
}

export function withReservation(usage: ScopeUsage, id: string, amount: Reserved): ScopeUsage {
  return { ...usage, reserved: { ...usage.reserved, [id]: amount } }
}

export function withoutReservation(usage: ScopeUsage, id: string): ScopeUsage {
  const { [id]: gone, ...reserved } = usage.reserved
  return { ...usage, reserved, moves: usage.moves + (gone !== undefined && isMove(gone) ? 1 : 0) }
}

export function withGrowth(usage: ScopeUsage, { bytes, files }: Amount): ScopeUsage {
  const isLess = bytes < 0 || files < 0
  const grown = sum(usage.grown, { bytes: Math.max(0, bytes), files: Math.max(0, files) })
  return { ...usage, grown, losses: usage.losses + (isLess ? 1 : 0) }
}

export function withLoss(usage: ScopeUsage): ScopeUsage {
  return { ...usage, losses: usage.losses + 1 }
}

/** Drops the count, because files of unknown size were added. */
export function withoutCount({ grown, reserved, losses, moves }: ScopeUsage): ScopeUsage {
  return { grown, reserved, losses, moves: moves + 1 }
}

/** @param atStart the usage when the count began */
export function withCount(
  usage: ScopeUsage,
  atStart: ScopeUsage,
  { found, at, took }: Omit<Count, 'losses'>,
): ScopeUsage {
  const { grown } = usage
  const reserved = Object.fromEntries(Object.entries(usage.reserved).filter(([, { until }]) => until > at))
  const growth = difference(grown, atStart.grown)
  // `grown` is lower only if the record expired during the count, and was created again.
  const grownBefore = growth.bytes < 0 || growth.files < 0 ? NOTHING : atStart.grown
  const base = difference(found, grownBefore)
  if (usage.moves !== atStart.moves || Object.values(reserved).some(isMove)) {
    // The count may have missed files that were moved. Without an earlier count, the usage stays unknown.
    if (usage.count === undefined) return { ...usage, reserved }
    return { ...usage, reserved, count: { found: larger(usage.count.found, base), at, took, losses: -1 } }
  }
  // What is reserved may be in its place already, and found.
  const isExact = growth.bytes === 0 && growth.files === 0 && Object.keys(reserved).length === 0
  return { ...usage, reserved, count: { found: base, at, took, losses: isExact ? atStart.losses : -1 } }
}

/** Whether to count again in the background. */
export function isDue({ count, losses }: ScopeUsage, now: number): boolean {
  if (count?.isSaved !== undefined || count === undefined) return true
  const age = now - count.at
  return age >= count.took * PAUSE_FACTOR && (count.losses !== losses || age >= MAX_AGE)
}

/** Whether the usage may be lower than it seems, so that a write is refused only after a new count. */
export function mayBeLower({ count, losses }: ScopeUsage, now: number): boolean {
  return (
    count?.losses !== losses ||
    count.isSaved === true ||
    now - count.at >= Math.max(MAX_AGE_TO_REFUSE, count.took * PAUSE_FACTOR)
  )
}

function isMove({ bytes, files }: Reserved): boolean {
  return bytes === 0 && files === 0
}
