/** Prefixes of keys that are in no listing. */
export interface HiddenPrefixes {
  /** One that nobody else uses. */
  next(): string
  /** What has the prefix could not be removed: the next run has to sweep it. */
  leaveBehind(prefix: string): void
}
