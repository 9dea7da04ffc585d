import { fail } from '../../domain/errors.ts'
import type { FileAccess } from '../access.ts'

export const TAKEN = 'there is something of this name already'

/**
 * Whether what is under a name may be replaced. Asked when a file is begun and again at the moment when it takes the name:
 * somebody who may only make files must not replace one that was made meanwhile.
 *
 * @throws CONFLICT, FORBIDDEN
 */
export function requireMayReplace(files: Pick<FileAccess, 'require'>, override: boolean): void {
  if (!override) fail('CONFLICT', TAKEN)
  files.require('files.overwrite')
}
