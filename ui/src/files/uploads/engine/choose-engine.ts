import { getResource } from '../../../../../src/api/files/files.ts'
import type { ClientConfig } from '../../../../../src/domain/settings/client-config.ts'
import { ApiError } from '../../../api/api-error.ts'
import type { Client } from '../../../api/client.ts'
import type { UploadEngine, UploadRequest } from './simple-upload.ts'
import { retryDelays, withRetries } from './with-retries.ts'

/** Bytes. Sending a smaller file again is faster than asking how much of it the server has. */
const SMALL = 1024 * 1024

/** Bytes. The daemon itself puts a smaller file together, so its bytes would pass through it anyway. */
const LARGE = 32 * 1024 * 1024

/**
 * Small files and folders need one request. Large files are sent in chunks, as the server's settings require.
 * Interrupted uploads are retried; large files resume where they stopped.
 *
 * @param simple uploads with one request
 */
export function chooseEngine(
  client: Client,
  simple: UploadEngine,
  { TusSettings, BucketOrigins = [] }: ClientConfig,
): UploadEngine {
  const { chunkSize, retryCount } = TusSettings
  const delays = retryDelays(retryCount)
  return async (request) => {
    const { file, signal } = request
    const inParts = file !== null && file.size > SMALL && chunkSize > 0
    await (inParts ? sendInParts(request, file) : sendAtOnce(request))

    async function sendInParts(asked: UploadRequest, large: File): Promise<void> {
      const { uploadInParts } = await import('./tus-upload.ts').catch((error: unknown) => {
        throw ApiError.noConnection(error)
      })
      let { begun } = asked
      let furthest = 0
      let reached = 0
      const onBegun = (now: boolean): void => {
        begun = now
        asked.onBegun(now)
      }
      const onProgress = (sent: number): void => {
        reached = Math.max(reached, sent)
        asked.onProgress(sent)
      }
      const hasProgressed = (): boolean => {
        const progressed = reached > furthest
        furthest = reached
        return progressed
      }
      let isDirect = BucketOrigins.length > 0 && large.size >= LARGE
      const part = async (): Promise<void> => {
        const rest = { ...asked, file: large, begun, onBegun, onProgress }
        if (isDirect) isDirect = await sentDirectly(client, rest)
        if (!isDirect) await uploadInParts(client, { ...rest, begun }, chunkSize)
      }
      await withRetries(part, { delays, signal, hasProgressed })
    }

    async function sendAtOnce(asked: UploadRequest): Promise<void> {
      let broken = asked.begun
      const once = async (): Promise<void> => {
        try {
          await simple(asked)
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          if (error.status === 409 && broken && (await wasStored(client, asked))) return
          broken ||= error.status === 0
          throw error
        }
      }
      await withRetries(once, { delays, signal, hasProgressed: () => false })
    }
  }
}

/** @returns false if the bucket cannot be reached, and the rest must go through the daemon */
async function sentDirectly(client: Client, request: UploadRequest & { readonly file: File }): Promise<boolean> {
  const { uploadDirectly, BucketRefused } = await import('./direct-upload.ts').catch((error: unknown) => {
    throw ApiError.noConnection(error)
  })
  try {
    await uploadDirectly(client, request)
    return true
  } catch (error) {
    if (error instanceof BucketRefused) return false
    throw error
  }
}

/** Perhaps only the response to the first try was lost. Size and time show whether the file has arrived. */
async function wasStored(client: Client, { path, file, signal }: UploadRequest): Promise<boolean> {
  if (file === null) return false
  const found = await client.call(getResource, { params: { '*': path }, signal }).catch(() => null)
  if (found === null || found.isDir) return false
  return found.size === file.size && Math.abs(Date.parse(found.modified) - file.lastModified) < 1000
}
