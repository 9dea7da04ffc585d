import { Upload, type DetailedError, type HttpResponse, type UploadOptions } from 'tus-js-client'
import { beginUpload, getUpload } from '../../../../../src/api/uploads/uploads.ts'
import { MAINTENANCE_HEADER } from '../../../../../src/domain/page-contract.ts'
import { ApiError } from '../../../api/api-error.ts'
import type { Client } from '../../../api/client.ts'
import type { UploadRequest } from './simple-upload.ts'
import { secondsOf } from './file-seconds.ts'

interface FileRequest extends UploadRequest {
  readonly file: File
}

/** The partial upload on the server does not match this file. */
class OtherUpload extends Error {
  override readonly name = 'OtherUpload'
}

/**
 * Sends a file in parts and resumes where an earlier try stopped. Does not retry.
 *
 * @throws ApiError; the reason of the signal
 */
export async function uploadInParts(client: Client, request: FileRequest, chunkSize: number): Promise<void> {
  if (!request.begun) {
    await run(client, request, chunkSize, { endpoint: absolute(addressOf(client, request)) })
    return
  }
  try {
    // No `endpoint`: with one, the library would start over after any unexpected response.
    const uploadUrl = absolute(client.url(getUpload, { params: { '*': request.path } }))
    await run(client, request, chunkSize, { uploadUrl })
  } catch (error) {
    if (!isGone(error)) throw error
    request.onBegun(false)
    request.onProgress(0)
    await uploadInParts(client, { ...request, begun: false }, chunkSize)
  }
}

function addressOf(client: Client, { path, override }: FileRequest): string {
  const params = { '*': path }
  return client.url(beginUpload, override ? { params, query: { override: 'true' } } : { params })
}

const absolute = (url: string): string => new URL(url, location.href).href
const isGone = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 410)

async function run(client: Client, request: FileRequest, chunkSize: number, target: UploadOptions): Promise<void> {
  await runTus(request, {
    ...target,
    chunkSize,
    onUploadUrlAvailable: () => request.onBegun(true),
    onBeforeRequest: (outgoing) => {
      // Read again for each request: a large file takes longer than a token lasts.
      for (const [name, value] of Object.entries(client.authHeaders())) outgoing.setHeader(name, value)
    },
    onAfterResponse: (sent, answer) => {
      const token = sent.getHeader('X-Auth')
      const renewToken = answer.getHeader('X-Renew-Token') ?? null
      client.handleAuthHeaders({
        status: answer.getStatus(),
        renewToken,
        sent: token === undefined ? {} : { 'X-Auth': token },
      })
    },
  })
}

type TusRequest = Pick<FileRequest, 'file' | 'signal' | 'onProgress'>

/**
 * Sends a file by one run of the library. Does not retry. Resolves to the address of the upload.
 *
 * @throws ApiError; the reason of the signal
 */
export function runTus({ file, signal, onProgress }: TusRequest, options: UploadOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(file, {
      retryDelays: null,
      storeFingerprintForResuming: false,
      ...options,
      // Makes the server answer errors with their codes.
      headers: { ...options.headers, Accept: 'application/json' },
      metadata: { filename: file.name, mtime: secondsOf(file), ...options.metadata },
      onProgress: (sent) => onProgress(sent),
      onAfterResponse: async (sent, answer) => {
        await options.onAfterResponse?.(sent, answer)
        if (sent.getMethod() === 'HEAD') requireSameLength(answer, file)
      },
      onSuccess: () => settle(() => resolve(upload.url ?? '')),
      onError: (error) => settle(() => void errorOf(error).then(reject)),
    })
    const stop = (): void => {
      void upload.abort()
      reject(signal.reason as Error)
    }
    const settle = (finish: () => void): void => {
      signal.removeEventListener('abort', stop)
      finish()
    }
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    else upload.start()
  })
}

/** Another upload to this path may have started meanwhile. */
function requireSameLength(answer: HttpResponse, { size }: File): void {
  if (answer.getStatus() === 200 && answer.getHeader('Upload-Length') !== String(size)) throw new OtherUpload()
}

async function errorOf(error: Error | DetailedError): Promise<ApiError> {
  const { originalResponse: answer, causingError } = error as Partial<DetailedError>
  if (causingError instanceof OtherUpload)
    return new ApiError({ status: 404, message: 'a different upload is at this path' })
  const status = answer?.getStatus() ?? 0
  if (answer == null || status < 200) return ApiError.noConnection(error)
  // HEAD requests have no body.
  if (answer.getHeader(MAINTENANCE_HEADER) != null)
    return new ApiError({ status, message: answer.getBody(), code: 'MAINTENANCE' })
  const retryAfter = answer.getHeader('Retry-After')
  const headers = retryAfter == null ? {} : { 'Retry-After': retryAfter }
  return await ApiError.from(new Response(answer.getBody() || null, { status, headers }))
}
