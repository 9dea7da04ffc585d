import type { RestoreReport } from '../../../../../../src/domain/backup.ts'
import { ApiError } from '../../../../api/api-error.ts'
import type { Client } from '../../../../api/client.ts'

interface BackupToSend {
  readonly url: string
  readonly file: File
  /** The own one; empty where nobody is asked for it. */
  readonly password: string
  /** The part that is sent, from 0 to 1. */
  readonly onProgress: (sent: number) => void
}

/** Sends a file as it is read from the disk: `fetch` has no word about how far it is. @throws ApiError */
export async function sendBackup(
  client: Client,
  { url, file, password, onProgress }: BackupToSend,
): Promise<RestoreReport> {
  const request = new XMLHttpRequest()
  request.open('POST', url)
  const sent = client.authHeaders()
  const headers = { Accept: 'application/json', ...sent, 'X-Current-Password': encodeURIComponent(password) }
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  request.addEventListener('load', () => resolve(undefined))
  request.addEventListener('error', () => reject(ApiError.noConnection(undefined)))
  request.send(file)
  await promise
  const { status, statusText } = request
  if (status !== 200) throw await ApiError.from(new Response(request.responseText, { status, statusText }))
  return JSON.parse(request.responseText) as RestoreReport
}
