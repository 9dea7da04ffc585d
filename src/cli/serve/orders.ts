import type { ErrorCode, ErrorDetails } from '../../domain/errors.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'

/** What the supervisor tells a daemon: to say where all listen, to leave the port to the others and end, or to stop with them. */
export type Order = 'announce' | 'giveWay' | 'stop'

/** What a daemon that serves tells the supervisor. */
export interface Serving extends Pick<ServerOptions, 'log' | 'logFormat'> {
  /** For people. */
  readonly status: string
}

/** Why a daemon could not start, to be reported as if it were alone. */
export interface StartProblem {
  readonly code: ErrorCode
  readonly message: string
  readonly details: ErrorDetails
}

/** What a daemon knows of its supervisor. */
export interface Supervision {
  /** @returns whether this daemon should say where all listen: then all of them do */
  reportServing(serving: Serving): Promise<boolean>
  /** Resolves when the daemon should end. */
  readonly end: Promise<'giveWay' | 'stop'>
}

export type Report = { readonly serving: Serving } | { readonly problem: StartProblem }
