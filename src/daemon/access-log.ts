import type { FinishedRequest } from '../http/plugins/finished-requests.ts'
import { createLogger } from '../platform/logging/logger.ts'

export interface AccessLog extends Disposable {
  record(request: FinishedRequest): void
  /** Opens the file again, after logrotate has moved it away. */
  reopen(): void
}

/** One JSON line per request. @throws INVALID_INPUT if the file cannot be written */
export async function openAccessLog(destination: string): Promise<AccessLog> {
  const log = await createLogger({ destination, option: 'access-log', format: 'json' })
  return {
    record({ method, path, status, sent, milliseconds, user, address }) {
      log.info({ method, path, status, bytes: sent, milliseconds, user, address }, 'request')
    },
    reopen: () => log.reopen(),
    [Symbol.dispose]: () => log[Symbol.dispose](),
  }
}
