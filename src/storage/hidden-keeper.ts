import type { HiddenEntry } from '../domain/hidden-entry.ts'

/** Looks after what lies under names that the storage keeps for itself. */
export interface HiddenKeeper {
  /**
   * Comes to all that the storage keeps under names of its own, in everything that is served: one after the other, without
   * following links. What `visit` says true to is removed.
   *
   * @returns false when something could not be looked at or removed
   */
  visitHidden(visit: (entry: HiddenEntry) => Promise<boolean> | boolean, signal?: AbortSignal): Promise<boolean>
  /**
   * Removes what an earlier run left under hidden names, where one ended without cleaning up; else it does nothing.
   *
   * @param kept names of files that go on to be used
   * @returns how many were removed
   */
  sweep(kept: ReadonlySet<string>, signal?: AbortSignal): Promise<number>
}
