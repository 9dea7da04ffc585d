import { sendToLink } from '../../../../src/api/shares/public.ts'
import { ApiError, isUnreachable } from '../../api/api-error.ts'
import {
  pause,
  retryDelays,
  withRetries,
  pause as pauseFor,
  isReadable,
} from '../../files/uploads/engine/with-retries.ts'
import { idOf, isLinkReachable, queryOf, type SendTarget } from './send-target.ts'

export interface SendRequest {
  readonly file: File
  /** The visitor's name; "" if the link does not ask for it. */
  readonly from: string
  readonly signal: AbortSignal
  /** Called with the number of bytes sent so far. */
  onProgress(sent: number): void
  /** Called when the server cannot be reached. Sending continues by itself. */
  onLost(): void
}

/** A part size that every proxy accepts, in bytes. */
const SMALL_PART = 512 * 1024

/**
 * Sends a file to a link, in parts. An interrupted upload continues where it stopped, even after the page was reloaded.
 *
 * @returns its id
 * @throws ApiError; the reason of the signal
 */
export async function sendFile(target: SendTarget, request: SendRequest): Promise<string> {
  const { runTus } = await import('../../files/uploads/engine/tus-upload.ts').catch((error: unknown) => {
    throw ApiError.noConnection(error)
  })
  const { client, hash, retryCount, memory } = target
  const { file, from, signal, onProgress, onLost } = request
  let address = memory.addressOf(file)
  let chunkSize = target.chunkSize > 0 && !memory.smallParts ? target.chunkSize : SMALL_PART
  let [reached, furthest] = [0, 0]
  let isLost = false

  const attempt = async (): Promise<void> => {
    const path = client.url(sendToLink, { params: { '*': `${hash}/${file.name}` }, query: queryOf(target) })
    const begin = { endpoint: new URL(path, location.href).href }
    try {
      address = await runTus(
        {
          file,
          signal,
          onProgress: (sent) => {
            reached = Math.max(reached, sent)
            onProgress(sent)
          },
        },
        {
          ...(address === undefined ? begin : { uploadUrl: address }),
          chunkSize,
          metadata: from === '' ? {} : { from },
          onUploadUrlAvailable: () => undefined,
          onAfterResponse: (sent, answer) => {
            const location = sent.getMethod() === 'POST' ? answer.getHeader('Location') : undefined
            if (location == null) return
            address = new URL(location, begin.endpoint).href
            memory.begin(file, address)
          },
        },
      )
    } catch (error) {
      isLost = isUnreachable(error)
      if (!(error instanceof ApiError) || address === undefined) throw error
      // The server no longer has the upload: start again.
      if (error.status === 404) {
        address = undefined
        memory.end(file)
        await attempt()
        return
      }
      // A proxy may refuse parts of this size, or cut the connection.
      if (error.status !== 0 && error.status !== 413) throw error
      if (error.status === 413 && chunkSize <= SMALL_PART) throw error
      chunkSize = Math.min(chunkSize, SMALL_PART)
      if (error.status !== 413) throw error
      memory.keepSmallParts()
      await attempt()
    }
  }
  const hasProgressed = (): boolean => {
    const progressed = reached > furthest
    furthest = reached
    return progressed
  }
  const wait = async (milliseconds: number, stop: AbortSignal): Promise<void> => {
    // The first retry is immediate, and often enough.
    if (isLost && milliseconds > 0) onLost()
    await pause(milliseconds, stop)
  }
  const work = async (): Promise<void> => {
    try {
      await withRetries(attempt, { delays: retryDelays(retryCount), signal, hasProgressed, wait })
    } catch (error) {
      // A changed or removed file fails the request like a lost connection does.
      if (isUnreachable(error) && !(await isReadable(file)))
        throw new Error('the file cannot be read', { cause: error })
      throw error
    }
  }
  const isReachable = async () => await isLinkReachable(target, signal)
  await whenReachable(work, { signal, isReachable, progress: () => reached, onLost })
  memory.end(file)
  return idOf(address ?? '')
}

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
