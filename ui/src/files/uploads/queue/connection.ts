import { ApiError } from '../../../api/api-error.ts'
import type { UploadItem, UploadProblem } from './upload-item.ts'
import type { PauseReason, UploadQueue, UploadSnapshot } from './upload-queue.ts'
import type { Store } from '../../../lib/create-store.ts'
import { isReadable } from '../engine/with-retries.ts'

interface JudgeDeps {
  readonly isSignedIn: () => boolean
  /** Whether the server answers at all. */
  readonly isReachable: () => Promise<boolean>
}

/** Distinguishes a failed upload from maintenance and a lost network or session, which pause all uploads. */
export async function judgeFailure(
  error: unknown,
  { file }: Pick<UploadItem, 'file'>,
  { isSignedIn, isReachable }: JudgeDeps,
): Promise<UploadProblem | PauseReason> {
  if (!(error instanceof ApiError)) return { status: 500, message: String(error) }
  const { status, message } = error
  if (error.code === 'MAINTENANCE') return 'maintenance'
  if (status === 401 && !isSignedIn()) return 'session'
  if (error.reason === 'files') return { status, message, isTooMany: true }
  if (error.code === 'QUOTA_EXCEEDED') return { status, message, isOverQuota: true }
  if (status !== 0) return { status, message }
  // A changed or removed file fails the request like a lost connection does.
  if (file !== null && !(await isReadable(file))) return { status, message, changed: true }
  return (await isReachable()) ? { status, message } : 'offline'
}

const FIRST_PROBE = 1000
const MAX_DELAY = 10_000

interface ConnectionDeps {
  readonly queue: Pick<UploadQueue, 'busy' | 'pauseAll' | 'resumeAll'>
  readonly state: Store<UploadSnapshot>
  readonly isReachable: () => Promise<boolean>
}

/** Pauses uploads while the network is down and resumes them when the server answers. @returns a function that stops it */
export function watchConnection({ queue, state, isReachable }: ConnectionDeps): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let delay = FIRST_PROBE
  const isOffline = (): boolean => state.get().pausedBy === 'offline'

  const probe = async (): Promise<void> => {
    if (navigator.onLine && (await isReachable())) {
      delay = FIRST_PROBE
      queue.resumeAll('offline')
    } else {
      delay = Math.min(delay * 2, MAX_DELAY)
      probeLater()
    }
  }
  const probeLater = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (isOffline()) timer = setTimeout(() => void probe(), delay)
  }
  const handleOffline = (): void => {
    if (queue.busy) queue.pauseAll('offline')
  }
  const handleOnline = (): void => {
    clearTimeout(timer)
    if (isOffline()) void probe()
  }
  const stopListening = state.subscribe(() => {
    if (isOffline() && timer === undefined) probeLater()
  })
  addEventListener('offline', handleOffline)
  addEventListener('online', handleOnline)
  return () => {
    clearTimeout(timer)
    stopListening()
    removeEventListener('offline', handleOffline)
    removeEventListener('online', handleOnline)
  }
}
