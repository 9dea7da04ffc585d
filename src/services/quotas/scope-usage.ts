import { type Amount, difference, larger, NOTHING, sum } from '../../domain/files/quota.ts'

/**
 * What is known of the files in a scope. Between two counts it only grows, by what is written; what may have made it less is
 * noticed, and known after the next count. So a quota is never exceeded by an old count.
 */
export interface ScopeUsage {
  /** Undefined before the first count. */
  readonly count?: Count
  /** All that has been written. */
  readonly grown: Amount
  /** Reserved for work under way, by id. */
  readonly held: Readonly<Record<string, Held>>
  /** How often something may have been removed. */
  readonly losses: number
  /** How often something was moved within the scope, which a count may miss at both places. */
  readonly moves: number
}

interface Count {
  /** What was found, less what had grown when the count began: so what grew meanwhile is in the sum at least once. */
  readonly found: Amount
  /** When it ended, in milliseconds since 1970, and how many it took. */
  readonly at: number
  readonly took: number
  /** Of these it knows; -1 if it may have seen something twice. */
  readonly losses: number
}

/** Nothing is held for what is moved. */
interface Held extends Amount {
  /**
   * Milliseconds since 1970. Renewed while the work goes on. Once it has passed, the daemon has died, and only a new count tells
   * what it has written.
   */
  readonly until: number
}

export const UNKNOWN: ScopeUsage = { grown: NOTHING, held: {}, losses: 0, moves: 0 }

/** Milliseconds after which files may have been changed from outside. */
const OLD = 10 * 60_000
/** Nobody is refused by a count that is older. */
const OLD_FOR_REFUSAL = 5000
/** Counting may take a twentieth of the time. */
const SPACING = 20

/** Undefined until the files are counted. */
export function usedOf({ count, grown, held }: ScopeUsage, now: number): Amount | undefined {
  const reserved = Object.values(held)
  if (count === undefined || reserved.some(({ until }) => until <= now)) return undefined
  return reserved.reduce(sum, sum(count.found, grown))
}

export function withHeld(usage: ScopeUsage, id: string, held: Held): ScopeUsage {
  return { ...usage, held: { ...usage.held, [id]: held } }
}

export function withoutHeld(usage: ScopeUsage, id: string): ScopeUsage {
  const { [id]: gone, ...held } = usage.held
  return { ...usage, held, moves: usage.moves + (gone !== undefined && isMove(gone) ? 1 : 0) }
}

export function withGrowth(usage: ScopeUsage, { bytes, files }: Amount): ScopeUsage {
  const isLess = bytes < 0 || files < 0
  const grown = sum(usage.grown, { bytes: Math.max(0, bytes), files: Math.max(0, files) })
  return { ...usage, grown, losses: usage.losses + (isLess ? 1 : 0) }
}

export function withLoss(usage: ScopeUsage): ScopeUsage {
  return { ...usage, losses: usage.losses + 1 }
}

/** Files have come that nobody measured. */
export function withoutCount({ grown, held, losses, moves }: ScopeUsage): ScopeUsage {
  return { grown, held, losses, moves: moves + 1 }
}

/** @param begun what was known when the count began */
export function withCount(
  usage: ScopeUsage,
  begun: ScopeUsage,
  { found, at, took }: Omit<Count, 'losses'>,
): ScopeUsage {
  const { grown } = usage
  const held = Object.fromEntries(Object.entries(usage.held).filter(([, { until }]) => until > at))
  const grew = difference(grown, begun.grown)
  // Less than before: it was forgotten meanwhile, and began anew.
  const before = grew.bytes < 0 || grew.files < 0 ? NOTHING : begun.grown
  const least = difference(found, before)
  if (usage.moves !== begun.moves || Object.values(held).some(isMove)) {
    // What was moved may have been missed. Without an earlier count, nothing is known.
    if (usage.count === undefined) return { ...usage, held }
    return { ...usage, held, count: { found: larger(usage.count.found, least), at, took, losses: -1 } }
  }
  const isExact = grew.bytes === 0 && grew.files === 0
  return { ...usage, held, count: { found: least, at, took, losses: isExact ? begun.losses : -1 } }
}

/** Whether it is time to count again, for somebody who looks. */
export function isDue({ count, losses }: ScopeUsage, now: number): boolean {
  if (count === undefined) return true
  const age = now - count.at
  return age >= count.took * SPACING && (count.losses !== losses || age >= OLD)
}

/** Whether it is too old to refuse anybody. */
export function isDoubtful({ count, losses }: ScopeUsage, now: number): boolean {
  return count?.losses !== losses || now - count.at >= Math.max(OLD_FOR_REFUSAL, count.took * SPACING)
}

function isMove({ bytes, files }: Held): boolean {
  return bytes === 0 && files === 0
}
