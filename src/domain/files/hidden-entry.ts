/** Who made a staged name: a run of this installation, another installation, or unknown. */
export type StagedBy = 'this run' | 'an earlier run' | 'another installation' | 'unknown'

/** An entry under a name that the storage keeps for itself. `path` is relative to the served folder. */
export type HiddenEntry = StagedEntry | TrashPart

export interface StagedEntry {
  readonly kind: 'staged'
  readonly path: string
  readonly name: string
  readonly by: StagedBy
  readonly isDir: boolean
  /** Bytes of a file; 0 for a folder. */
  readonly size: number
  /** When anything last happened to it, in milliseconds since 1970. */
  readonly changed: number
}

/** What one owner moved to the trash of a scope. */
export interface TrashPart {
  readonly kind: 'trash'
  readonly path: string
  readonly owner: string
  /** The folder of the scope. */
  readonly scope: string
}
