import type { Workbench } from '../workbench.ts'

/** What grows, up to which sizes, and what is measured at each. */
export interface Scale {
  readonly name: string
  readonly sizes: readonly number[]
  measure(workbench: Workbench, size: number): Promise<readonly Figure[]>
}

export type Figure = readonly [name: string, value: number, unit: Curve['unit']]

/** One figure at each size. */
export interface Curve {
  readonly name: string
  readonly unit: 's' | 'ms' | 'MB'
  readonly points: readonly Point[]
}

interface Point {
  readonly size: number
  readonly value: number
}

/** @param onSize called with the measurements at each size */
export async function curvesOf(
  workbench: Workbench,
  { sizes, measure }: Scale,
  onSize: (size: number, figures: readonly Figure[]) => void,
): Promise<Curve[]> {
  const curves = new Map<string, Curve>()
  for (const size of sizes) {
    const figures = await measure(workbench, size)
    onSize(size, figures)
    for (const [name, value, unit] of figures) {
      const { points } = curves.get(name) ?? { points: [] }
      curves.set(name, { name, unit, points: [...points, { size, value }] })
    }
  }
  return [...curves.values()]
}

/** The maximum growth from one size to the next relative to n log n; 1 or less is not beyond it. */
export function growth({ points }: Curve): number {
  const steps = points.slice(1).map((point, index) => {
    const before = points[index] ?? point
    return point.value / before.value / (nLogN(point.size) / nLogN(before.size))
  })
  return Math.max(...steps)
}

const nLogN = (size: number) => size * Math.log(size)

/** The minimum of several runs: other programs can only slow things down. */
export async function leastOf(tries: number, measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let count = 0; count < tries; count += 1) least = Math.min(least, await measure())
  return least
}
