import { createBackup } from '../../../../../../src/api/backup.ts'
import { ApiError, noConnection } from '../../../../api/api-error.ts'
import type { Client } from '../../../../api/client.ts'
import { startDownload } from '../../../../lib/start-download.ts'

/** Fetches a backup and saves it as a file: a link could not send the password. @throws ApiError */
export async function saveBackup(client: Client, password: string): Promise<void> {
  const headers = { ...client.authHeaders(), 'X-Current-Password': encodeURIComponent(password) }
  const response = await fetch(client.url(createBackup, {}), { headers }).catch(noConnection)
  if (!response.ok) throw await ApiError.from(response)
  const url = URL.createObjectURL(await response.blob())
  startDownload(url, `filemgr-${new Date().toISOString().slice(0, 10)}.tar`)
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
