import type { DaemonRecord } from '../../context/daemon-record.ts'
import type { StoreInspection } from '../../upkeep/inspect-store.ts'
import type { DaemonAccount } from './daemon-account.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import type { Environment } from '../../options/environment.ts'

/** A problem and how to fix it. */
export interface Finding {
  /** Only a fault makes `doctor` fail. */
  readonly level: 'fault' | 'advice'
  readonly problem: string
  readonly fix: string
}

/** What the checks examine. They change nothing. */
export interface DoctorContext {
  /** The data folder. */
  readonly folder: string
  /** URL of the database that contains the store, with its credentials; "" for a store on disk. */
  readonly database: string
  readonly store: StoreInspection
  /** The server options of the running daemon; without one, those that a start would use now. */
  readonly options: ServerOptions
  /** The server options that a start would use now, or why they are invalid. */
  readonly nextOptions: ServerOptions | string
  readonly daemon: DaemonRecord | undefined
  /** Whose access to files matters. */
  readonly account: DaemonAccount
  /** The address to check, with a slash at its end: from --url, else the public address, else the daemon's own. */
  readonly url: string | undefined
  /** True if `url` is not the daemon's own address, so that a proxy may be in front of the daemon. */
  readonly isPublic: boolean
  readonly environment: Environment
  /** Search path for programs, in the format of PATH; by default the daemon's. */
  readonly programs?: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** A token of an administrator, for the running daemon. */
  readonly token: () => Promise<string | undefined>
}

/** "skipped" with the reason if the check does not apply. */
export type CheckResult = readonly Finding[] | { readonly skipped: string }

export interface Check {
  /** Identifies the check in `--json`. */
  readonly name: string
  /** A line of the report. */
  readonly title: string
  run(context: DoctorContext): Promise<CheckResult> | CheckResult
}

export const fault = (problem: string, fix: string): Finding => ({ level: 'fault', problem, fix })
export const advice = (problem: string, fix: string): Finding => ({ level: 'advice', problem, fix })
export const skip = (reason: string) => ({ skipped: reason })

/** Findings of each kind that are listed. */
const MAX_SHOWN = 10

/** Only the first of many findings of one kind. */
export function limited(findings: readonly Finding[]): Finding[] {
  const more = findings.length - MAX_SHOWN
  const shown = findings.slice(0, MAX_SHOWN)
  const [{ fix } = { fix: '' }] = findings
  return more > 0 ? [...shown, advice(`and ${more} more of this kind`, fix)] : shown
}
