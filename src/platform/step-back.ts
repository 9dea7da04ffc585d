import { getPriority, setPriority } from 'node:os'

/**
 * Lets others go before this process or thread. One that is further back already stays there: only root may come forward. It
 * is a courtesy, so a machine that refuses keeps nobody from the work.
 */
export function stepBack(id: number, niceness: number): void {
  try {
    if (getPriority(id) < niceness) setPriority(id, niceness)
  } catch {
    // A sandbox may forbid the call.
  }
}
