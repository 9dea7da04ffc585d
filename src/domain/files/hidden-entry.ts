/** Which process created a staged file; "this run" also for other daemons of the same store that run. */
export type StagedBy = 'this run' | 'an earlier run' | 'another installation' | 'unknown'

/** An entry with a name reserved by the storage. `path` is relative to the served folder. */
export type HiddenEntry = StagedEntry | TrashPart

export interface StagedEntry {
  readonly kind: 'staged'
  readonly path: string
  readonly name: string
  readonly by: StagedBy
  /** The operation that it belongs to may still run. */
  readonly isAlive: boolean
  readonly isDir: boolean
  /** Bytes of a file; 0 for a folder. */
  readonly size: number
  /** Time of the last change (ctime), in milliseconds since 1970. */
  readonly changed: number
}

/** The part of a scope's trash that belongs to one user. */
export interface TrashPart {
  readonly kind: 'trash'
  readonly path: string
  readonly owner: string
  /** The folder of the scope. */
  readonly scope: string
}
