import { ApiError } from '../../../api/api-error.ts'

const FIRST = 1000
const MAX_DELAY = 20_000

/** Milliseconds before each retry: at once, then a second, doubling up to twenty. */
export function retryDelays(count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_none, index) =>
    index === 0 ? 0 : Math.min(FIRST * 2 ** (index - 1), MAX_DELAY),
  )
}

/**
 * True for no response and for a server that is briefly busy or failing. A conflict or a refusal would only repeat, and
 * maintenance takes longer.
 */
function isWorthRetrying(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.code === 'MAINTENANCE') return false
  return [0, 408, 423, 429, 500, 502, 503, 504].includes(error.status)
}

interface RetryOptions {
  readonly delays: readonly number[]
  readonly signal: AbortSignal
  /** Whether the last attempt made progress: then counting starts over. */
  readonly hasProgressed: () => boolean
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** @throws the error of the last attempt, or the reason of the signal */
export async function withRetries(work: () => Promise<void>, options: RetryOptions): Promise<void> {
  const { delays, signal, hasProgressed, wait = pause } = options
  for (let tries = 0; ; tries += 1) {
    try {
      await work()
      return
    } catch (error) {
      signal.throwIfAborted()
      if (hasProgressed()) tries = 0
      const delay = delays[tries]
      if (delay === undefined || !isWorthRetrying(error)) throw error
      await wait(Math.max(delay, (error.retryAfter ?? 0) * 1000), signal)
    }
  }
}

/** @throws the reason of the signal */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Whether a chosen file is still there, and unchanged. */
export async function isReadable(file: File): Promise<boolean> {
  return await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}
