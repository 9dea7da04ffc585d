import type { ShareDuration } from '../../../../../src/domain/share.ts'

export type DurationUnit = 'seconds' | 'minutes' | 'hours' | 'days'

/** When a link shall stop to work: some time from now, or at a moment. */
export type Ending =
  | { readonly kind: 'after'; readonly amount: string; readonly unit: DurationUnit }
  | { readonly kind: 'at'; readonly date: Date | undefined }

export type EndingProblem = 'amount' | 'noDate' | 'past'

export const UNITS: readonly DurationUnit[] = ['seconds', 'minutes', 'hours', 'days']

/** What the server takes at most, in whatever unit. */
export const MOST = 2_147_483_647

/** The end of the year 9999, in unix seconds: the server lets nothing last longer. */
const LATEST = 253_402_300_799

const SECONDS: Readonly<Record<DurationUnit, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }

export const NEVER: Ending = { kind: 'after', amount: '0', unit: 'days' }

/** Nothing typed is a mistake here, where an old client means "never": people are to say so. */
export function checkEnding(ending: Ending, now: Date): EndingProblem | undefined {
  if (ending.kind === 'at') {
    if (ending.date === undefined) return 'noDate'
    return ending.date <= now ? 'past' : undefined
  }
  const amount = ending.amount.trim()
  return /^\d{1,10}$/.test(amount) && Number(amount) <= MOST ? undefined : 'amount'
}

/** In unix seconds, 0 = never. Only for what passed the check. */
export function endOf(ending: Ending, now: Date): number {
  const seconds = Math.floor(now.getTime() / 1000)
  if (ending.kind === 'at') return Math.ceil((ending.date ?? now).getTime() / 1000)
  const amount = Number(ending.amount)
  return amount === 0 ? 0 : Math.min(LATEST, seconds + amount * SECONDS[ending.unit])
}

/** As the wire says it: a duration from the moment when the server reads it. Only for what passed the check. */
export function toDuration(ending: Ending, now: Date): Required<ShareDuration> {
  if (ending.kind === 'after') return { expires: String(Number(ending.amount)), unit: ending.unit }
  const seconds = Math.ceil(((ending.date ?? now).getTime() - now.getTime()) / 1000)
  // The finest unit whose number the server takes: seconds for the next 68 years.
  const unit = UNITS.find((each) => seconds <= MOST * SECONDS[each]) ?? 'days'
  return { expires: String(Math.ceil(seconds / SECONDS[unit])), unit }
}

/** How the end of a link that there is already is shown in the form. @param expire unix seconds, 0 = never */
export function endingOf(expire: number): Ending {
  return expire === 0 ? NEVER : { kind: 'at', date: new Date(expire * 1000) }
}

export function isSameEnding(one: Ending, other: Ending): boolean {
  if (one.kind === 'at' && other.kind === 'at') return one.date?.getTime() === other.date?.getTime()
  if (one.kind !== 'after' || other.kind !== 'after') return false
  const [amount, otherAmount] = [Number(one.amount), Number(other.amount)]
  return amount === otherAmount && (amount === 0 || one.unit === other.unit)
}
