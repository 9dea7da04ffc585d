import type { QueryOf } from '../../../../src/api/operation.ts'
import type { transferResource } from '../../../../src/api/files.ts'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import type { TransferKind } from './work.ts'
/** What takes long shall go on as a job (RFC 7240). */
export const WITHOUT_WAITING = { Prefer: 'respond-async' } as const

/** The wire decodes the destination once more than the rest of the address. */
export function transferQuery(
  kind: TransferKind,
  to: VirtualPath,
  override: boolean,
): QueryOf<typeof transferResource> {
  const destination = to.split('/').map(encodeURIComponent).join('/')
  return { action: kind === 'move' ? 'rename' : 'copy', destination, override: String(override), rename: 'false' }
}
