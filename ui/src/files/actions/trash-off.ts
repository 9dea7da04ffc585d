import type { Problem } from './problem-text.ts'

/** The one thing that the server finds wrong with "move this to the trash" itself: there is no trash. */
export function isTrashOff({ code }: Problem): boolean {
  return code === 'INVALID_INPUT'
}
