import type { Goal, Sample, Unit } from './row.ts'

/** The measurements of one row. */
export interface Measured {
  readonly unit: Unit
  readonly goal: Goal
  readonly samples: readonly Sample[]
  /** Figures of the limit; missing if its program is not installed. */
  readonly limits: readonly number[]
}

/** The goal, the result, and their ratio: at 1 or less, the goal is met. */
export interface Verdict {
  readonly kind: keyof Goal
  readonly goal: number
  readonly reached: number
  readonly excess: number
}

export const isMoreBetter = (unit: Unit) => unit.endsWith('/s')

/** Other programs can only slow things down, so the best of several runs is the most accurate. */
export function best(values: readonly number[], unit: Unit): number {
  return isMoreBetter(unit) ? Math.max(...values) : Math.min(...values)
}

export function median(values: readonly number[]): number {
  const ascending = values.toSorted((one, other) => one - other)
  const [low = Number.NaN, high = low] = [ascending[(values.length - 1) >> 1], ascending[values.length >> 1]]
  return (low + high) / 2
}

/** Processor seconds (minimum) and memory (maximum) of a row's repeats. */
export function costs(samples: readonly Sample[]): { cpu: number | undefined; memory: number | undefined } {
  const cpu = samples.flatMap((sample) => sample.cpu ?? [])
  const memory = samples.flatMap((sample) => sample.memory ?? [])
  return {
    cpu: cpu.length === 0 ? undefined : Math.min(...cpu),
    memory: memory.length === 0 ? undefined : Math.max(...memory),
  }
}

/** One verdict per goal that can be judged. */
export function judge({ unit, goal, samples, limits }: Measured): Verdict[] {
  const value = best(
    samples.map((sample) => sample.value),
    unit,
  )
  const reached: Record<keyof Goal, number | undefined> = {
    ratio: limits.length === 0 ? undefined : value / best(limits, unit),
    value,
    cpu: costs(samples).cpu,
  }
  return (['ratio', 'value', 'cpu'] as const).flatMap((kind) => {
    const [wanted, found] = [goal[kind], reached[kind]]
    if (wanted === undefined || found === undefined) return []
    const excess = kind !== 'cpu' && isMoreBetter(unit) ? wanted / found : wanted === found ? 1 : found / wanted
    return [{ kind, goal: wanted, reached: found, excess }]
  })
}
