import { createMany } from '../../../../../src/api/files/files-changes.ts'
import type { ReplyOf } from '../../../../../src/api/operation.ts'
import type { Client } from '../../../api/client.ts'
import { post, type UploadEngine, type UploadRequest } from './simple-upload.ts'
import { secondsOf } from './file-seconds.ts'

/** Uploads one file or folder, or several small files together. Each promise settles like that of an `UploadEngine`. */
export type GroupEngine = (requests: readonly UploadRequest[]) => readonly Promise<void>[]

/** Resolves to whether each file was stored; undefined without a reply: some may be stored then. Never rejects. */
type FormUpload = (requests: readonly UploadRequest[]) => Promise<readonly boolean[] | undefined>

/**
 * Sends small files with one request, because each request costs a browser more than such a file. Files that were not
 * stored are sent again one by one, which also yields the reason.
 *
 * @param sendTogether sends all files with one request, see `createFormUpload`
 * @param sendOne uploads a single file or folder, with retries
 */
export function createGroupUpload(sendTogether: FormUpload, sendOne: UploadEngine): GroupEngine {
  return (requests) => {
    if (requests.length === 1) return requests.map((request) => sendOne(request))
    const stored = sendTogether(requests)
    let previous: Promise<unknown> = stored
    return requests.map((request, index) => {
      const sent = sendRest(request, index, previous)
      previous = sent.catch(() => undefined)
      return sent
    })

    async function sendRest(request: UploadRequest, index: number, before: Promise<unknown>): Promise<void> {
      const isStored = (await stored)?.[index]
      if (isStored === true) return
      // One at a time: the page needs connections for other requests.
      await before
      request.signal.throwIfAborted()
      await sendOne(isStored === undefined ? { ...request, begun: true } : request)
    }
  }
}

/** One POST with all files. The browser streams them from the disk. */
export function createFormUpload(client: Client): FormUpload {
  return async (requests) => {
    const override = requests.some((request) => request.override)
    const url = client.url(createMany, { params: { '*': '' }, query: override ? { override: 'true' } : {} })
    const signal = AbortSignal.any(requests.map((request) => request.signal))
    const onProgress = (loaded: number, total: number): void => shareProgress(requests, loaded / total)
    try {
      const outcomes = JSON.parse(
        await post(client, url, { content: formOf(requests) }, { signal, onProgress }),
      ) as ReplyOf<typeof createMany>
      return outcomes.map(({ status }) => status === 200)
    } catch {
      return undefined
    }
  }
}

/**
 * A multipart/form-data body as one blob. With a `FormData`, the browser has its processes talk about each file several times, which
 * takes twice as long.
 */
function formOf(requests: readonly UploadRequest[]): Blob {
  const boundary = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-')
  const field = (name: string, value: string): string => `${head(name)}\r\n\r\n${value}\r\n`
  const head = (name: string): string => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`
  const parts = requests.flatMap(({ path, file }) => [
    field('path', file === null ? `${path.slice(1)}/` : path.slice(1)),
    file === null ? '' : field('modified', secondsOf(file)),
    `${head('file')}; filename="blob"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    file ?? '',
    '\r\n',
  ])
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` })
}

/** The browser sends the files in order. */
function shareProgress(requests: readonly UploadRequest[], share: number): void {
  let remaining = share * requests.reduce((sum, { file }) => sum + (file?.size ?? 0), 0)
  for (const { file, onProgress } of requests) {
    const size = file?.size ?? 0
    onProgress(Math.min(size, Math.floor(remaining)))
    remaining = Math.max(0, remaining - size)
  }
}
