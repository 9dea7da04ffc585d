import { isUnreachable } from '../../api/api-error.ts'
import { pause as pauseFor } from '../../files/uploads/engine/with-retries.ts'

interface RetryOptions {
  readonly signal: AbortSignal
  /** Whether the server answers. */
  readonly isReachable: () => Promise<boolean>
  /** A number that grows while the work progresses. */
  readonly progress?: () => number
  /** Called when the server cannot be reached. */
  readonly onLost: () => void
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Milliseconds between attempts to reach the server. */
const BETWEEN_PROBES = 3000

/**
 * Repeats work that failed because the server could not be reached, however long that takes.
 *
 * @throws the error of the work; also if it is unreachable twice in a row without progress, while the server answers other
 *         requests; the reason of the signal
 */
export async function whenReachable<Result>(work: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { signal, isReachable, progress = () => 0, onLost, pause = pauseFor } = options
  for (let isLast = false; ;) {
    const before = progress()
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (!isUnreachable(error) || (isLast && progress() === before)) throw error
    }
    isLast = true
    while (!(await isReachable())) {
      isLast = false
      onLost()
      signal.throwIfAborted()
      await pause(BETWEEN_PROBES, signal)
    }
  }
}
