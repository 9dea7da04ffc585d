/** One of the two entries with the same name. */
export interface Version {
  readonly isDir: boolean
  readonly size: number
  /** RFC 3339, or milliseconds since 1970. */
  readonly modified: string | number
}

/** A name that is taken in the target folder. */
export interface NameConflict {
  /** Identifies the conflict within one prompt. */
  readonly key: string
  /** As it is shown: a name, or a path below the target. */
  readonly name: string
  readonly incoming: Version
  readonly existing: Version
  /** A file cannot take the place of a folder, nor a folder that of a file. */
  readonly replaceable: boolean
}

export type Choice = 'keepBoth' | 'replace' | 'skip'

/** The choices made so far by key, the latest last. */
export type Chosen = ReadonlyMap<string, Choice>

/** Makes the same choice for some conflicts. */
export function choose(chosen: Chosen, keys: readonly string[], choice: Choice): Chosen {
  const changed = new Map(keys.map((key) => [key, choice]))
  return new Map([...[...chosen].filter(([key]) => !changed.has(key)), ...changed])
}

export function lastChoice(chosen: Chosen): Choice {
  return [...chosen.values()].at(-1) ?? 'keepBoth'
}

/** The choice for each conflict, by its key. */
export type Choices = (key: string) => Choice
