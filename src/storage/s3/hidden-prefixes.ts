/** Prefixes of keys that are in no listing. */
export interface HiddenPrefixes {
  /** One that nobody else uses, until `end`. */
  begin(): string
  /** Nothing has the prefix any more. */
  end(prefix: string): void
  /** What has the prefix could not be removed: the next run has to sweep it. */
  leaveBehind(prefix: string): void
}
