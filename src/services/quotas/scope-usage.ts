import { type Amount, difference, larger, NOTHING, sum } from '../../domain/files/quota.ts'

/**
 * The usage of a scope. Between two counts, everything written is added; removals are only noted, and subtracted by the next
 * count. So an old count never lets a user exceed the quota.
 */
export interface ScopeUsage {
  /** Undefined before the first count. */
  readonly count?: Count
  /** All that has been written. */
  readonly grown: Amount
  /** For work under way, by id. */
  readonly reserved: Readonly<Record<string, Reserved>>
  /** How often something may have been removed. */
  readonly losses: number
  /** How often something was moved within the scope, which a count may miss at both places. */
  readonly moves: number
}

interface Count {
  /** The counted total minus `grown` at the start of the count, so what was written during it is included at least once. */
  readonly found: Amount
  /** When the count ended, in milliseconds since 1970, and how many milliseconds it took. */
  readonly at: number
  readonly took: number
  /** `losses` at the start of the count; -1 if files may be counted twice. */
  readonly losses: number
}

/** A move reserves nothing: both amounts are 0. */
interface Reserved extends Amount {
  /** Milliseconds since 1970, renewed while the work goes on. Later, the daemon has died: count again what it has written. */
  readonly until: number
}

export const UNKNOWN: ScopeUsage = { grown: NOTHING, reserved: {}, losses: 0, moves: 0 }

/** Milliseconds after which files may have been changed from outside. */
const OLD = 10 * 60_000
/** An older count refuses nobody. */
const OLD_FOR_REFUSAL = 5000
/** Counting may take a twentieth of the time. */
const SPACING = 20

/** Undefined until the files are counted. */
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

/** @param begun the usage when the count began */
export function withCount(
  usage: ScopeUsage,
  begun: ScopeUsage,
  { found, at, took }: Omit<Count, 'losses'>,
): ScopeUsage {
  const { grown } = usage
  const reserved = Object.fromEntries(Object.entries(usage.reserved).filter(([, { until }]) => until > at))
  const grew = difference(grown, begun.grown)
  // Less than before: the usage was dropped during the count, and started again.
  const before = grew.bytes < 0 || grew.files < 0 ? NOTHING : begun.grown
  const least = difference(found, before)
  if (usage.moves !== begun.moves || Object.values(reserved).some(isMove)) {
    // What was moved may have been missed. Without an earlier count, nothing is known.
    if (usage.count === undefined) return { ...usage, reserved }
    return { ...usage, reserved, count: { found: larger(usage.count.found, least), at, took, losses: -1 } }
  }
  const isExact = grew.bytes === 0 && grew.files === 0
  return { ...usage, reserved, count: { found: least, at, took, losses: isExact ? begun.losses : -1 } }
}

/** Whether it is time to count again, to show the usage. */
export function isDue({ count, losses }: ScopeUsage, now: number): boolean {
  if (count === undefined) return true
  const age = now - count.at
  return age >= count.took * SPACING && (count.losses !== losses || age >= OLD)
}

/** Whether it is too old to refuse anybody. */
export function isDoubtful({ count, losses }: ScopeUsage, now: number): boolean {
  return count?.losses !== losses || now - count.at >= Math.max(OLD_FOR_REFUSAL, count.took * SPACING)
}

function isMove({ bytes, files }: Reserved): boolean {
  return bytes === 0 && files === 0
}
