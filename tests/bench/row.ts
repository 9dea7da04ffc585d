/** What a figure counts. Of what happens in a second, more is better; of all else, less. */
export type Unit = 's' | 'ms' | 'MB' | 'requests/s' | 'files/s' | 'frames/s'

export interface Sample {
  readonly value: number
  /** Processor seconds of the daemon and all its children. */
  readonly cpu?: number
  /** The most memory that they had, in megabytes. */
  readonly memory?: number
}

/** The least that this machine needs for the same work. */
export interface Limit {
  readonly name: string
  /** The program that it needs, when not every machine has it. */
  readonly needs?: string
  run(): Promise<number>
}

export interface Goal {
  /** The most times that the figure of the limit may be taken; or the least of them, where more is better. */
  readonly ratio?: number
  /** The same for the figure itself. */
  readonly value?: number
  /** The most processor seconds. */
  readonly cpu?: number
}

/** One line of the report. */
export interface Row {
  readonly name: string
  readonly unit: Unit
  readonly goal: Goal
  readonly limit?: Limit
  /** In place of the usual number. */
  readonly repeats?: number
  run(): Promise<Sample>
}
