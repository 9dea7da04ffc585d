import { openEvents, watchFolder } from '../../../src/api/events.ts'
import { ApiError, noConnection } from './api-error.ts'
import type { Client } from './client.ts'
import type { LiveTransport } from './live-connection.ts'

/** Streams are let in by the header, as all calls of the page: the cookie may be blocked, or of another session. */
export function createLiveTransport(client: Client): LiveTransport {
  return {
    async open(folder, signal) {
      const sent = client.authHeaders()
      const headers = { ...sent, Accept: 'text/event-stream' }
      const url = client.url(openEvents, { query: folderOf(folder) })
      const response = await fetch(url, { headers, signal, cache: 'no-store' }).catch(noConnection)
      client.heed({ status: response.status, renewToken: response.headers.get('X-Renew-Token'), sent })
      if (!response.ok || response.body === null) throw await ApiError.from(response)
      return response.body
    },
    watch: (stream, folder) => client.call(watchFolder, { params: { stream }, body: folderOf(folder) }),
  }
}

function folderOf(folder: string | undefined): { folder?: string } {
  return folder === undefined ? {} : { folder }
}
