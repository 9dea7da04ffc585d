import type { Goal, Sample, Unit } from './row.ts'

/** What was measured for one row. */
export interface Measured {
  readonly unit: Unit
  readonly goal: Goal
  readonly samples: readonly Sample[]
  /** Figures of the limit; none when its program is missing. */
  readonly limits: readonly number[]
}

/** What the goal allows, what was reached, and how many times too much that is: 1 or less is at the goal. */
export interface Verdict {
  readonly kind: keyof Goal
  readonly goal: number
  readonly reached: number
  readonly excess: number
}

export const isMoreBetter = (unit: Unit) => unit.endsWith('/s')

/** Other programs only ever make a figure worse, so the best of several is nearest to the truth. */
export function best(values: readonly number[], unit: Unit): number {
  return isMoreBetter(unit) ? Math.max(...values) : Math.min(...values)
}

export function median(values: readonly number[]): number {
  const ascending = values.toSorted((one, other) => one - other)
  const [low = Number.NaN, high = low] = [ascending[(values.length - 1) >> 1], ascending[values.length >> 1]]
  return (low + high) / 2
}

/** The processor seconds and the memory of a row: the least and the most of its repeats. */
export function costs(samples: readonly Sample[]): { cpu: number | undefined; memory: number | undefined } {
  const cpu = samples.flatMap((sample) => sample.cpu ?? [])
  const memory = samples.flatMap((sample) => sample.memory ?? [])
  return {
    cpu: cpu.length === 0 ? undefined : Math.min(...cpu),
    memory: memory.length === 0 ? undefined : Math.max(...memory),
  }
}

/** One verdict for each goal that can be judged. */
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
    const excess = kind !== 'cpu' && isMoreBetter(unit) ? wanted / found : found / wanted
    return [{ kind, goal: wanted, reached: found, excess }]
  })
}
