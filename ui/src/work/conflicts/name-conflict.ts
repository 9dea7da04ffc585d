/** One of the two things that want the same name. */
export interface Version {
  readonly isDir: boolean
  readonly size: number
  /** RFC 3339, or milliseconds since 1970. */
  readonly modified: string | number
}

/** A name that is taken where something is to go. */
export interface NameConflict {
  /** Tells the conflicts of one question apart. */
  readonly key: string
  /** As it is shown: a name, or a path below the target. */
  readonly name: string
  readonly incoming: Version
  readonly existing: Version
  /** A file cannot take the place of a folder, nor a folder that of a file. */
  readonly replaceable: boolean
}

export type Choice = 'keepBoth' | 'replace' | 'skip'

/** What happens to each, by its key. */
export type Choices = (key: string) => Choice
