import { beginUpload, continueDirectly } from '../../../../../src/api/uploads/uploads.ts'
import type { DirectPart } from '../../../../../src/domain/uploads/upload.ts'
import { ApiError } from '../../../api/api-error.ts'
import type { Client } from '../../../api/client.ts'
import type { UploadRequest } from './simple-upload.ts'
import { secondsOf } from './file-seconds.ts'

interface FileRequest extends UploadRequest {
  readonly file: File
}

/** The bucket cannot be reached or does not take the bytes, for example because it has no CORS rule for this site. */
export class BucketRefused extends Error {
  override readonly name = 'BucketRefused'
}

/**
 * Sends the parts of a file to the bucket, at addresses that the daemon signs, and resumes where an earlier try stopped. Does not
 * retry. Whatever has arrived can be continued through the daemon.
 *
 * @throws BucketRefused; ApiError; the reason of the signal
 */
export async function uploadDirectly(client: Client, request: FileRequest): Promise<void> {
  const { path, file, signal } = request
  if (!request.begun) await begin(client, request)
  for (;;) {
    const { offset, length, parts } = await client
      .call(continueDirectly, { params: { '*': path }, signal })
      .catch(throwUnlessPassable)
    // Another upload to this path may have started meanwhile: the daemon tells what is left of this one.
    if (length !== file.size) throw new BucketRefused('another upload is at this path')
    request.onProgress(offset)
    if (parts.length === 0) return
    await sendParts(request, offset, parts)
  }
}

async function begin(client: Client, { path, file, override, signal, onBegun }: FileRequest): Promise<void> {
  await client.call(beginUpload, {
    params: { '*': path },
    query: override ? { override: 'true' } : {},
    headers: { 'Upload-Length': String(file.size), 'Upload-Metadata': `mtime ${btoa(secondsOf(file))}` },
    body: '',
    signal,
  })
  onBegun(true)
}

/** The upload is gone, or its last part came another way and is too short: the daemon knows what to do. */
function throwUnlessPassable(error: unknown): never {
  throw error instanceof ApiError && [404, 501].includes(error.status) ? new BucketRefused(error.message) : error
}

/** All at the same time, because their addresses are valid for a minute only. */
async function sendParts(
  { file, signal, onProgress }: FileRequest,
  offset: number,
  parts: readonly DirectPart[],
): Promise<void> {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const sent = new Map<number, number>()
  const send = async ({ url, offset: start, length }: DirectPart) => {
    const count = (bytes: number) => {
      sent.set(start, bytes)
      onProgress(offset + [...sent.values()].reduce((sum, each) => sum + each, 0))
    }
    await put(url, file.slice(start, start + length), either, count)
  }
  try {
    await Promise.all(parts.map(send))
  } catch (error) {
    failed.abort(error)
    signal.throwIfAborted()
    throw error
  }
}

/** Without headers of our own, which the bucket would have to allow. @throws BucketRefused; the reason of the signal */
async function put(url: string, part: Blob, signal: AbortSignal, onProgress: (sent: number) => void): Promise<void> {
  signal.throwIfAborted()
  const xhr = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const abort = (): void => xhr.abort()
  const refuse = (): void => reject(new BucketRefused(`the bucket answered ${xhr.status}`))
  xhr.upload.onprogress = ({ loaded }) => onProgress(loaded)
  xhr.onload = () => (xhr.status === 200 ? resolve() : refuse())
  xhr.onerror = refuse
  xhr.onabort = () => reject(signal.reason as Error)
  xhr.onloadend = () => signal.removeEventListener('abort', abort)
  signal.addEventListener('abort', abort)
  xhr.open('PUT', url)
  xhr.send(part)
  await promise
}
