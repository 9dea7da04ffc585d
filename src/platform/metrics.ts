/** Counters and histograms in the text format of Prometheus. */

export type Labels = Readonly<Record<string, string>>

export interface Metric {
  lines(): string[]
}

/** Only goes up. */
export class Counter implements Metric {
  readonly #name: string
  readonly #help: string
  readonly #values = new Map<string, number>()

  constructor(name: string, help: string) {
    this.#name = name
    this.#help = help
  }

  add(amount: number, labels: Labels = {}): void {
    const key = labelText(labels)
    this.#values.set(key, (this.#values.get(key) ?? 0) + amount)
  }

  lines(): string[] {
    const values = [...this.#values].map(([labels, value]) => `${this.#name}${labels} ${value}`)
    return [...heading(this.#name, 'counter', this.#help), ...values]
  }
}

/** Counts how many values are less than or equal to each bound. */
export class Histogram implements Metric {
  readonly #name: string
  readonly #help: string
  readonly #bounds: readonly number[]
  readonly #series = new Map<string, { labels: Labels; counts: number[]; sum: number }>()

  /** @param bounds in ascending order */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name
    this.#help = help
    this.#bounds = [...bounds, Infinity]
  }

  observe(value: number, labels: Labels = {}): void {
    const key = labelText(labels)
    const series = this.#series.get(key) ?? { labels, counts: this.#bounds.map(() => 0), sum: 0 }
    this.#series.set(key, series)
    series.counts = series.counts.map((count, index) => (value <= (this.#bounds[index] ?? 0) ? count + 1 : count))
    series.sum += value
  }

  lines(): string[] {
    const lines = heading(this.#name, 'histogram', this.#help)
    for (const [key, { labels, counts, sum }] of this.#series) {
      for (const [index, bound] of this.#bounds.entries()) {
        const le = bound === Infinity ? '+Inf' : String(bound)
        lines.push(`${this.#name}_bucket${labelText({ ...labels, le })} ${counts[index] ?? 0}`)
      }
      lines.push(`${this.#name}_sum${key} ${sum}`, `${this.#name}_count${key} ${counts.at(-1) ?? 0}`)
    }
    return lines
  }
}

/** Values that were just measured. */
export function gauge(
  name: string,
  help: string,
  ...values: readonly (number | { readonly labels: Labels; readonly value: number })[]
): Metric {
  const line = (given: (typeof values)[number]) => {
    const { labels, value } = typeof given === 'number' ? { labels: {}, value: given } : given
    return `${name}${labelText(labels)} ${value}`
  }
  return { lines: () => [...heading(name, 'gauge', help), ...values.map(line)] }
}

export function metricsText(metrics: readonly Metric[]): string {
  return `${metrics.flatMap((metric) => metric.lines()).join('\n')}\n`
}

function heading(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapedLabel(value)}"`)
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

function escapedLabel(value: string): string {
  return value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', String.raw`\n`)
}
