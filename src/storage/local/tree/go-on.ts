import { fail } from '../../../domain/errors.ts'
import type { Work } from '../../storage.ts'

/** Asked before each step. @throws CANCELLED */
export function throwIfAborted({ signal }: Work): void {
  if (signal?.aborted === true) fail('CANCELLED', 'this was cancelled')
}
