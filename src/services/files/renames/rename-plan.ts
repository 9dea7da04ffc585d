import { type Rename, type RenameStep, renameSteps } from '../../../domain/files/renames/renames.ts'
import type { RenamedEntry } from '../../../domain/automation/job-record.ts'

/** An entry of a batch rename, and its present name. */
export interface Position {
  readonly entry: RenamedEntry
  name: string
}

/** A step, for the entry that it moves. */
export interface EntryStep extends Pick<RenameStep, 'part'> {
  readonly at: Position
}

/** The steps from the present names to others. The same positions always lead to the same steps. */
export function stepsTo(positions: readonly Position[], goal: 'to' | 'from'): EntryStep[] {
  const moves = new Map(positions.map((at): [Rename, Position] => [{ from: at.name, to: at.entry[goal] }, at]))
  return renameSteps([...moves.keys()]).flatMap(({ rename, part }) => {
    const at = moves.get(rename)
    return at === undefined ? [] : { at, part }
  })
}
