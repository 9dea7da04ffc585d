import { isFilemgrError } from '../errors.ts'

/** Detail of a STORE_BUSY: nothing was written, because a daemon runs on the data folder, and alone writes there. */
export const DAEMONS_TURN = { reason: 'daemon' } as const

export function isDaemonsTurn(error: unknown): boolean {
  return isFilemgrError(error, 'STORE_BUSY') && error.details['reason'] === DAEMONS_TURN.reason
}
