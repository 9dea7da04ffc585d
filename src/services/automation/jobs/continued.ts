import { type EntryIdentity, isSameEntry } from '../../../domain/files/entry-identity.ts'
import type { VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { TransferMode, Work } from '../../../storage/storage.ts'
import type { FileAccess } from '../../access/access.ts'
import type { JobNotes } from './job-notes.ts'

/** Lets the storage continue what an earlier run of the job has begun, and notes what a later one must know. */
export function continuing(notes: JobNotes): { mode: Pick<TransferMode, 'earlier'>; work: Pick<Work, 'placing'> } {
  return {
    mode: { earlier: notes.earlier },
    work: {
      placing: async (result) => await notes.note(result === undefined ? { merging: true } : { placed: result }),
    },
  }
}

/** Whether the entry at a path is the one that is meant. */
export async function isStill(
  { scope }: FileAccess,
  path: VirtualPath,
  entry: EntryIdentity | undefined,
): Promise<boolean> {
  const found = await scope.entryAt(path)
  return entry !== undefined && found !== undefined && isSameEntry(found, entry)
}
