import { createResource } from '../../../../src/api/files.ts'
import { ApiError } from '../../api/api-error.ts'
import type { Client } from '../../api/client.ts'
import type { UploadEngine, UploadRequest } from './upload-engine.ts'

/**
 * One POST per file. `XMLHttpRequest`, because `fetch` tells nobody how much has left. The browser streams the file from
 * the disk.
 */
export function createSimpleUpload(client: Client): UploadEngine {
  return async (request) => {
    request.signal.throwIfAborted()
    const xhr = new XMLHttpRequest()
    const sent = client.authHeaders()
    await send(xhr, addressOf(client, request), sent, request).finally(() => {
      client.heed({ status: xhr.status, renewToken: xhr.getResponseHeader('X-Renew-Token'), sent })
    })
  }
}

function addressOf(client: Client, { path, file, override }: UploadRequest): string {
  const params = { '*': file === null ? `${path}/` : path }
  return client.url(createResource, override ? { params, query: { override: 'true' } } : { params })
}

function send(
  xhr: XMLHttpRequest,
  url: string,
  headers: Record<string, string>,
  { file, signal, onProgress }: UploadRequest,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => xhr.abort()
    xhr.upload.onprogress = ({ loaded }) => onProgress(loaded)
    xhr.onload = () => (isSuccess(xhr) ? resolve() : void refusalOf(xhr).then(reject))
    xhr.onerror = () => reject(ApiError.noConnection(undefined))
    xhr.onabort = () => reject(signal.reason as Error)
    xhr.onloadend = () => signal.removeEventListener('abort', abort)
    signal.addEventListener('abort', abort)
    xhr.open('POST', url)
    for (const [name, value] of Object.entries({ Accept: 'application/json', ...timeOf(file), ...headers })) {
      xhr.setRequestHeader(name, value)
    }
    xhr.send(file)
  })
}

/** The server keeps it as the time of the file. Of times before 1970 it knows nothing. */
function timeOf(file: File | null): Record<string, string> {
  return file === null || file.lastModified < 0 ? {} : { 'X-OC-Mtime': String(file.lastModified / 1000) }
}

function isSuccess({ status }: XMLHttpRequest): boolean {
  return status >= 200 && status < 300
}

function refusalOf({ status, statusText, responseText }: XMLHttpRequest): Promise<ApiError> {
  return ApiError.from(new Response(responseText, { status, statusText }))
}
