import { createResource } from '../../../../../src/api/files/files-changes.ts'
import { ApiError } from '../../../api/api-error.ts'
import type { Client } from '../../../api/client.ts'
import { secondsOf } from './file-seconds.ts'

export interface UploadRequest {
  /** Virtual path of the file or folder. */
  readonly path: string
  /** null creates a folder. */
  readonly file: File | null
  readonly override: boolean
  /** An earlier request has started it: the server may have part of the file. */
  readonly begun: boolean
  readonly signal: AbortSignal
  /** Called with true once the server has part of the file, and with false if it has lost that part. */
  onBegun(begun: boolean): void
  /** Called with the number of bytes sent so far, at most the size of the file. */
  onProgress(sentBytes: number): void
}

/**
 * Uploads one file or folder. Rejects with an error whose message is for users; aborting rejects with
 * the signal's reason.
 */
export type UploadEngine = (request: UploadRequest) => Promise<void>

/**
 * One POST per file. `XMLHttpRequest`, because `fetch` does not report progress. The browser streams the file from
 * the disk.
 */
export function createSimpleUpload(client: Client): UploadEngine {
  return async (request) => {
    const { file, signal } = request
    const onProgress = (loaded: number): void => request.onProgress(loaded)
    const body = { content: file, headers: file === null ? {} : { 'X-OC-Mtime': secondsOf(file) } }
    await post(client, addressOf(client, request), body, { signal, onProgress })
  }
}

function addressOf(client: Client, { path, file, override }: UploadRequest): string {
  const params = { '*': file === null ? `${path}/` : path }
  return client.url(createResource, override ? { params, query: { override: 'true' } } : { params })
}

interface Body {
  readonly content: Blob | null
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends a body to an address of the API. Resolves to the text of the reply.
 *
 * @throws ApiError; the reason of the signal
 */
export async function post(
  client: Client,
  url: string,
  { content, headers }: Body,
  { signal, onProgress }: { readonly signal: AbortSignal; onProgress(loaded: number, total: number): void },
): Promise<string> {
  signal.throwIfAborted()
  const xhr = new XMLHttpRequest()
  const sent = client.authHeaders()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const abort = (): void => xhr.abort()
  xhr.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total)
  xhr.onload = () => (isSuccess(xhr) ? resolve(xhr.responseText) : void refusalOf(xhr).then(reject))
  xhr.onerror = () => reject(ApiError.noConnection(undefined))
  xhr.onabort = () => reject(signal.reason as Error)
  xhr.onloadend = () => signal.removeEventListener('abort', abort)
  signal.addEventListener('abort', abort)
  xhr.open('POST', url)
  for (const [name, value] of Object.entries({ Accept: 'application/json', ...headers, ...sent })) {
    xhr.setRequestHeader(name, value)
  }
  xhr.send(content)
  return await promise.finally(() => {
    client.handleAuthHeaders({ status: xhr.status, renewToken: xhr.getResponseHeader('X-Renew-Token'), sent })
  })
}

function isSuccess({ status }: XMLHttpRequest): boolean {
  return status >= 200 && status < 300
}

function refusalOf({ status, statusText, responseText }: XMLHttpRequest): Promise<ApiError> {
  return ApiError.from(new Response(responseText, { status, statusText }))
}
