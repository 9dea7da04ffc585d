/** The unit of a figure. For rates, more is better; for everything else, less. */
export type Unit = 's' | 'ms' | 'MB' | 'requests/s' | 'files/s' | 'frames/s' | 'shift'

export interface Sample {
  readonly value: number
  /** Processor seconds of the daemon and its children. */
  readonly cpu?: number
  /** Their peak memory, in megabytes. */
  readonly memory?: number
}

/** The least that this machine needs for the same work. */
export interface Limit {
  readonly name: string
  /** The program that it needs, if not every machine has it. */
  readonly needs?: string
  run(): Promise<number>
}

export interface Goal {
  /** Maximum ratio to the figure of the limit; minimum, if more is better. */
  readonly ratio?: number
  /** Maximum of the figure itself; minimum, if more is better. */
  readonly value?: number
  /** Maximum processor seconds. */
  readonly cpu?: number
}

/** One line of the report. */
export interface Row {
  readonly name: string
  readonly unit: Unit
  readonly goal: Goal
  readonly limit?: Limit
  /** Instead of the usual number. */
  readonly repeats?: number
  run(): Promise<Sample>
}
