import type { ShareHash, UserId } from '../../../src/domain/ids.ts'
import type { Share } from '../../../src/domain/shares/share.ts'
import { ROOT } from '../../../src/domain/files/virtual-path.ts'

/** A share record as in the store; pass only the fields that matter to the test. */
export function share(hash: string, fields: Partial<Share> = {}): Share {
  return {
    hash: hash as ShareHash,
    path: '/a',
    userID: 1 as UserId,
    expire: 0,
    scope: ROOT,
    created: 0,
    openings: 0,
    lastOpened: 0,
    ...fields,
  }
}
