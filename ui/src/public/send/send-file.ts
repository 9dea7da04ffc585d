import { getReceipt, sendToLink } from '../../../../src/api/files/public.ts'
import { ApiError } from '../../api/api-error.ts'
import type { Client } from '../../api/client.ts'
import { retryDelays, withRetries } from '../../files/uploads/engine/with-retries.ts'

export interface SendRequest {
  readonly file: File
  /** The visitor's name; "" if it is not wanted. */
  readonly from: string
  readonly signal: AbortSignal
  /** Called with the number of bytes sent so far. */
  onProgress(sent: number): void
}

/** A link that takes files, as the browser sees it. */
export interface SendTarget {
  readonly client: Client
  readonly hash: string
  readonly token: string | undefined
  /** Bytes of a part. */
  readonly chunkSize: number
  readonly retryCount: number
}

/** What each proxy lets through, in bytes. */
const SMALL_PART = 512 * 1024

/**
 * Sends a file to a link, in parts. One that was interrupted goes on where it stopped, even after the page was loaded again.
 *
 * @returns its id
 * @throws ApiError; the reason of the signal
 */
export async function sendFile(target: SendTarget, request: SendRequest): Promise<string> {
  const { runTus } = await import('../../files/uploads/engine/tus-upload.ts').catch((error: unknown) => {
    throw ApiError.noConnection(error)
  })
  const { client, hash, token, retryCount } = target
  const { file, from, signal, onProgress } = request
  const key = `filemgr:sending:${hash}:${file.name}:${file.size}:${file.lastModified}`
  let address = localStorage.getItem(key) ?? undefined
  let chunkSize = target.chunkSize > 0 ? target.chunkSize : SMALL_PART
  let [reached, furthest] = [0, 0]

  const attempt = async (): Promise<void> => {
    const begin = { endpoint: new URL(urlOf(client, hash, file.name, token), location.href).href }
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
            localStorage.setItem(key, address)
          },
        },
      )
    } catch (error) {
      if (!(error instanceof ApiError) || address === undefined) throw error
      // The link has lost it: from the beginning.
      if (error.status === 404) {
        address = undefined
        localStorage.removeItem(key)
        await attempt()
        return
      }
      // A proxy may refuse parts of this size, or break off.
      if (error.status !== 0 && error.status !== 413) throw error
      if (error.status === 413 && chunkSize <= SMALL_PART) throw error
      chunkSize = Math.min(chunkSize, SMALL_PART)
      if (error.status !== 413) throw error
      await attempt()
    }
  }
  const hasProgressed = (): boolean => {
    const progressed = reached > furthest
    furthest = reached
    return progressed
  }
  await withRetries(attempt, { delays: retryDelays(retryCount), signal, hasProgressed })
  localStorage.removeItem(key)
  return idOf(address ?? '')
}

function urlOf(client: Client, hash: string, name: string, token: string | undefined): string {
  return client.url(sendToLink, { params: { '*': `${hash}/${name}` }, query: token === undefined ? {} : { token } })
}

/** The last part of the address of a sent file. */
function idOf(address: string): string {
  return new URL(address, location.href).pathname.split('/').at(-1) ?? ''
}

/** What proves that a file has arrived. @throws ApiError */
export async function fetchReceipt({ client, hash, token }: SendTarget, id: string) {
  const query = token === undefined ? {} : { token }
  return await client.call(getReceipt, { params: { '*': `${hash}/${id}` }, query })
}
