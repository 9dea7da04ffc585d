import { ApiError } from '../../api/api-error.ts'
import type { UploadItem, UploadProblem } from './upload-item.ts'
import type { Hold } from './upload-queue.ts'

interface JudgeDeps {
  readonly isSignedIn: () => boolean
  /** Whether the server answers at all. */
  readonly isReachable: () => Promise<boolean>
}

/** Tells an upload that cannot be done from a network or a session that is gone: then all wait, and none fails. */
export async function judgeFailure(
  error: unknown,
  { file }: Pick<UploadItem, 'file'>,
  { isSignedIn, isReachable }: JudgeDeps,
): Promise<UploadProblem | Hold> {
  if (!(error instanceof ApiError)) return { status: 500, message: String(error) }
  const { status, message } = error
  if (status === 401 && !isSignedIn()) return 'session'
  if (status !== 0) return { status, message }
  // For the browser a file that was changed or removed is a request that failed.
  if (file !== null && !(await isReadable(file))) return { status, message, changed: true }
  return (await isReachable()) ? { status, message } : 'offline'
}

async function isReadable(file: File): Promise<boolean> {
  return await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}
