import { fail, isFilemgrError, isDaemonsTurn } from '../domain/errors.ts'
import type { AuditFacts } from '../domain/server/audit.ts'
import { AuditNotes, withNotes } from '../services/activity-notes.ts'

/** How work ended, and what it changed. */
export type Outcome = Pick<AuditFacts, 'outcome'> & AuditNotes['noted']

/** Mistakes in the line: nobody has tried to do what is not allowed. */
const MISTYPED: readonly string[] = ['INVALID_INPUT', 'UNSUPPORTED', 'NOT_IMPLEMENTED', 'TOO_LARGE', 'METHOD_REFUSED']

/**
 * Does work for a command, and tells the outcome to `record`, unless the line of the command was wrong.
 *
 * @throws as the work; an error for which `isDaemonsTurn` is true only if nothing was changed
 */
export async function recorded<T>(record: (outcome: Outcome) => unknown, work: () => Promise<T>): Promise<T> {
  const notes = new AuditNotes()
  const value = await withNotes(notes, work).catch(async (error: unknown) => {
    if (isDaemonsTurn(error) && !notes.hasChanges) throw error
    const isMistyped = isFilemgrError(error) && MISTYPED.includes(error.code)
    const outcome = isFilemgrError(error) && error.code !== 'INTERNAL' ? 'refused' : 'failed'
    if (!isMistyped || notes.hasChanges) await record({ ...notes.noted, outcome })
    if (!isDaemonsTurn(error)) throw error
    const message = 'A daemon has started meanwhile. Check what was changed, and try again.'
    return fail('STORE_BUSY', message, {}, { cause: error })
  })
  await record({ ...notes.noted, outcome: 'done' })
  return value
}
