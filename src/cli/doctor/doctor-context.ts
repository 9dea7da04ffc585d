import type { DaemonRecord } from '../../context/daemon-record.ts'
import type { StoreLook } from '../../context/inspect-store.ts'
import type { ServerOptions } from '../../domain/settings/server-options.ts'
import type { Environment } from '../../options/environment.ts'

/** Something that is wrong, or could be better, and what to do about it. */
export interface Finding {
  /** A fault makes the installation unsound; advice does not. */
  readonly level: 'fault' | 'advice'
  readonly problem: string
  readonly fix: string
}

/** What the checks read; they change nothing. */
export interface DoctorContext {
  /** The data folder. */
  readonly folder: string
  readonly store: StoreLook
  /** The start-up values of the running daemon; without one, as a start of now would have them. */
  readonly options: ServerOptions
  /** As a start of now would have them; what is wrong with a variable, the config file or a saved value is a text. */
  readonly nextOptions: ServerOptions | string
  readonly daemon: DaemonRecord | undefined
  /** The public address with a slash at its end: that of --url, else of the daemon. */
  readonly url: string | undefined
  /** The address was given: a proxy may stand in front of the daemon. */
  readonly isPublic: boolean
  readonly environment: Environment
  /** Folders in which the daemon looks for programs, separated by colons; those of every start unless given. */
  readonly programs?: string
  /** Milliseconds. */
  readonly now: number
  /** A token of an administrator, for the running daemon. */
  readonly token: () => Promise<string | undefined>
}

/** "skipped" with its reason where there is nothing to look at. */
export type CheckResult = readonly Finding[] | { readonly skipped: string }

export interface Check {
  /** A word for scripts. */
  readonly name: string
  /** What is checked, as one line of the report. */
  readonly title: string
  run(context: DoctorContext): Promise<CheckResult> | CheckResult
}

export const fault = (problem: string, fix: string): Finding => ({ level: 'fault', problem, fix })
export const advice = (problem: string, fix: string): Finding => ({ level: 'advice', problem, fix })
export const skip = (reason: string) => ({ skipped: reason })
