import type { ShareView } from '../../../../src/domain/share.ts'
import { lastSegment } from '../../lib/app-path.ts'

/** What is shared, by its last name; "" for everything that a user has. */
export function shareName({ path }: Pick<ShareView, 'path'>): string {
  return lastSegment(path)
}
