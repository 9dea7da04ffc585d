import type { OldRecord } from '../filebrowser/old-record.ts'

/** What an account may do in a source. */
export interface FileRights {
  readonly view: boolean
  readonly download: boolean
  readonly modify: boolean
  readonly create: boolean
  readonly delete: boolean
}

/** A folder that an account sees. */
export interface Grant {
  /** The path of the source; its name in early releases. */
  readonly source: string
  /** The folder in the source; empty for the source's default. */
  readonly scope: string
  readonly rights: FileRights
}

export interface QuantumUser {
  /** Decimal, up to 64 bits. */
  readonly id: string
  readonly username: string
  readonly passwordHash: string
  /** "password", "oidc", "ldap" …; empty in early releases. */
  readonly loginMethod: string
  readonly lockPassword: boolean
  readonly admin: boolean
  readonly share: boolean
  readonly grants: readonly Grant[]
  /** `locale`, `viewMode`, `singleClick`, `dateFormat`, `showHidden`, `sorting`. */
  readonly preferences: OldRecord
  /** What else the account has: "2 API tokens", "pinned items". */
  readonly extras: readonly string[]
  readonly hasSecondFactor: boolean
}

export interface QuantumShare {
  readonly hash: string
  /** The `id` of the user. */
  readonly owner: string
  /** The path of the source, or its name. */
  readonly source: string
  /** Relative to the source. */
  readonly path: string
  /** Unix seconds; 0 = permanent. */
  readonly expire: number
  readonly passwordHash: string
  /** Limits and appearance, with Quantum's names. */
  readonly settings: OldRecord
}

/** Names of users and groups. */
export interface Names {
  readonly users: ReadonlySet<string>
  readonly groups: ReadonlySet<string>
}

/** Who may access a path of a source, and everything beneath it. */
export interface AccessRule {
  /** Path of the source. */
  readonly source: string
  readonly path: string
  readonly denyAll: boolean
  readonly deny: Names
  readonly allow: Names
}

/** What a database of FileBrowser Quantum contains, in the same form for all its releases. */
export interface QuantumDatabase {
  readonly users: readonly QuantumUser[]
  readonly shares: readonly QuantumShare[]
  readonly rules: readonly AccessRule[]
  /** Members by the name of their group. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>
  /** Number of folder quotas. */
  readonly quotas: number
}
