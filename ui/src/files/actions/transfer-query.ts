import type { QueryOf } from '../../../../src/api/operation.ts'
import type { transferResource } from '../../../../src/api/files.ts'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { TransferKind } from './file-actions.ts'

/** Asks the server to go on as a job when it takes long (RFC 7240). */
export const WITHOUT_WAITING = { Prefer: 'respond-async' } as const

/** The server decodes the destination once more than the rest of the URL. */
export function transferQuery(
  kind: TransferKind,
  to: VirtualPath,
  override: boolean,
): QueryOf<typeof transferResource> {
  const destination = to.split('/').map(encodeURIComponent).join('/')
  return { action: kind === 'move' ? 'rename' : 'copy', destination, override: String(override), rename: 'false' }
}
