import type { Problem } from '../../common/problem-text.ts'

/** A move to the trash has invalid input for one reason only: the trash is switched off. */
export function isTrashOff({ code }: Problem): boolean {
  return code === 'INVALID_INPUT'
}
